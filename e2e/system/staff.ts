/** The demo's staff, and their calls to the console's API. */
import { randomUUID } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import { addressOf } from '@athos/client/client';
import { API_PREFIX } from '@athos/contract/call';
import type {
  ConsoleAnswerOf,
  ConsoleBodyOf,
  ConsoleCallName,
  ConsoleParamsOf,
  ConsoleQueryOf,
} from '@athos/contract/console/calls';
import { consoleRoutes } from '@athos/contract/gen/console-routes';
import { addresses, type DemoStaff } from './addresses.ts';

export type StaffRole =
  'provider_owner' | 'finance' | 'support' | 'auditor' | 'brand_manager' | 'catalogue_editor';

export function staffOf(role: StaffRole): DemoStaff {
  const member = addresses.demoStaff.find((one) => one.role === role);
  if (member === undefined) throw new Error(`The demo has no ${role}`);
  return member;
}

/** The current code of this person's authenticator app. */
export async function readCode({ email }: DemoStaff): Promise<string> {
  const response = await fetch(`${addresses.mailbox}/api/codes`);
  const codes = (await response.json()) as readonly { account: string; code: string }[];
  const found = codes.find(({ account }) => account === email);
  if (found === undefined) throw new Error(`The mailbox shows no code of ${email}`);
  return found.code;
}

interface Given<Name extends ConsoleCallName> {
  readonly params?: ConsoleParamsOf<Name>;
  readonly query?: ConsoleQueryOf<Name>;
  readonly body?: ConsoleBodyOf<Name>;
  /** The version on which a write is based. */
  readonly version?: number;
}

/**
 * Makes a call of the console with the cookie of a signed-in context, and the headers that its page sends.
 * @throws Error with the response, unless the call succeeds
 */
export async function callConsole<Name extends ConsoleCallName>(
  { request }: BrowserContext,
  name: Name,
  { params, query, body, version }: Given<Name> = {},
): Promise<ConsoleAnswerOf<Name>> {
  const { origin } = new URL(addresses.console);
  const { method, path } = addressOf(consoleRoutes[name], params ?? {});
  const response = await request.fetch(origin + API_PREFIX + path, {
    method,
    headers: {
      origin,
      'x-console': '1',
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    },
    ...(query !== undefined && { params: query as Record<string, string> }),
    ...(body !== undefined && { data: body }),
  });
  if (!response.ok()) {
    throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
  }
  return (await response.json()) as ConsoleAnswerOf<Name>;
}
