/** A phone that shows ticket codes, for tests. It signs as the wallet does. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  parseTicket,
  showingToSign,
  ticketCodeText,
  ticketItemIds,
} from '@athos/domain/ticket-code';
import { PASSWORD } from './accounts.ts';
import type { TestAnswer, TestApp, TestUser } from './test-app.ts';

export interface TestPhone {
  readonly publicKey: Uint8Array<ArrayBuffer>;
  sign(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
}

export function createPhone(): TestPhone {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const isOdd = ((Buffer.from(y, 'base64url').at(-1) ?? 0) & 1) === 1;
  return {
    publicKey: Uint8Array.from([isOdd ? 3 : 2, ...Buffer.from(x, 'base64url')]),
    sign: (bytes) =>
      Uint8Array.from(sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' })),
  };
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

function sessionIdOf(token: string): string {
  const [, payload = ''] = token.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string }).sid;
}

export const proofOf = (phone: TestPhone, { token }: TestUser): string =>
  base64url(phone.sign(Buffer.from(`phone-v1\n${sessionIdOf(token)}`)));

export const registerPhone = (
  test: Pick<TestApp, 'request'>,
  user: TestUser,
  phone: TestPhone,
  over: Readonly<Record<string, unknown>> = {},
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/ticket_phone',
    user,
    headers,
    payload: {
      public_key: base64url(phone.publicKey),
      proof: proofOf(phone, user),
      label: 'A phone',
      ...over,
    },
  });

/** Makes this the ticket phone of a user who may have another one, and has the password of `openUser`. */
export async function movePhone(
  test: Pick<TestApp, 'request'>,
  user: TestUser,
  phone: TestPhone,
): Promise<TestAnswer> {
  const first = await registerPhone(test, user, phone, { move: true });
  if (first.body.code !== 'confirmation_required') return first;
  const proof = { method: 'password', password: PASSWORD };
  const { body } = await test.request({
    method: 'POST',
    url: '/api/account/confirm',
    user,
    payload: { action_hash: first.body.action_hash, proof },
  });
  const headers = { 'x-confirmation': String(body.confirmation) };
  return registerPhone(test, user, phone, { move: true }, headers);
}

export const askTickets = (
  test: Pick<TestApp, 'request'>,
  user: TestUser,
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  test.request({ method: 'GET', url: '/api/account/tickets', user, headers });

/** The tickets of a user whose phone this becomes. */
export async function ticketsOf(
  test: Pick<TestApp, 'request'>,
  user: TestUser,
  phone: TestPhone,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { status, text } = await movePhone(test, user, phone);
  if (status !== 200) throw new Error(text);
  const { body } = await askTickets(test, user);
  return body.tickets.map(({ ticket }: { ticket: string }) =>
    Uint8Array.from(Buffer.from(ticket, 'base64url')),
  );
}

/** The code that the phone shows of a ticket, by default all of it. */
export function showTicket(
  phone: Pick<TestPhone, 'sign'>,
  ticket: Uint8Array<ArrayBuffer>,
  { atMs, itemIds }: { readonly atMs: number; readonly itemIds?: readonly number[] },
): string {
  const parsed = parseTicket(ticket);
  if (parsed === undefined) throw new Error('not a ticket');
  const ids = ticketItemIds(parsed.content);
  const selection = ids.flatMap((id, index) => (itemIds?.includes(id) === false ? [] : [index]));
  const showing = { timeS: Math.floor(atMs / 1000), selection };
  const hash = Uint8Array.from(createHash('sha256').update(ticket).digest());
  const signature = phone.sign(showingToSign(hash, showing, ids.length));
  return ticketCodeText(ticket, showing, ids.length, signature);
}
