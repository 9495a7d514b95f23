/** Calls the API like any other client, to create what a story needs before it begins. */
import { api, type CallName, type AnswerOf, type BodyOf } from '@athos/contract/api';
import { API_PREFIX } from '@athos/contract/call';
import { randomUUID } from 'node:crypto';
import { addresses } from './addresses.ts';

interface CallOptions<Name extends CallName> {
  readonly body?: BodyOf<Name>;
  readonly token?: string;
}

/** @throws Error with the response, unless the call succeeds */
export async function callApi<Name extends CallName>(
  name: Name,
  { body, token }: CallOptions<Name>,
): Promise<AnswerOf<Name>> {
  const { method, path } = api[name];
  const response = await fetch(addresses.wallet + API_PREFIX + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'idempotency-key': randomUUID(),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as AnswerOf<Name>;
}
