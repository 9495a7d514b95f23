/** The measured requests: each maker does one after the other, each of them new, on the connection that it is given. */
import { randomUUID } from 'node:crypto';
import { canonicalQrText, signedQrText } from '@athos/domain/qr-payload';
import { createSigningKeys } from '../apps/api/src/platform/keys/signing-keys.ts';
import type { HttpConnection } from './http-connection.ts';
import type { LoadRequest, LoadUser } from './load-plan.ts';

/** 0.001 ATH. */
const AMOUNT_MICRO = '1000';

/**
 * A version 7 UUID, as the wallet makes them, with random bits that Node drew in advance: drawn for each they cost a third of
 * what the load process did.
 */
export function newKey(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

export function pick<T>(from: readonly T[]): T {
  const picked = from[Math.floor(Math.random() * from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

function postRequest(path: string, { token }: LoadUser, json: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\nidempotency-key: ${newKey()}\r\n` +
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
  );
}

export function transferRequest(sender: LoadUser, recipientUuid: string, key: string): string {
  const body = `{"amount":"${AMOUNT_MICRO}","to_uuid":"${recipientUuid}"}`;
  return (
    `POST /api/account/transfer HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${sender.token}\r\n` +
    `idempotency-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}

/** Does one request; answers its status. */
type Doer = (connection: HttpConnection) => Promise<number>;
type RequestOf<Kind extends LoadRequest['kind']> = Extract<LoadRequest, { kind: Kind }>;

export function requestDoer(request: LoadRequest): Doer {
  switch (request.kind) {
    case 'get':
      return getDoer(request);
    case 'transfer':
      return transferDoer(request);
    case 'purchase':
      return purchaseDoer(request);
    case 'redeem':
      return redeemDoer(request);
  }
}

const statusOf = async (connection: HttpConnection, text: string): Promise<number> =>
  (await connection.request(text)).status;

function getDoer({ paths, callers, ifNoneMatch }: RequestOf<'get'>): Doer {
  const condition = ifNoneMatch === undefined ? '' : `if-none-match: ${ifNoneMatch}\r\n`;
  let turn = 0;
  return (connection) => {
    const path = paths[turn++ % paths.length];
    const { token } = pick(callers);
    const head = `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n`;
    return statusOf(connection, `${head}${condition}\r\n`);
  };
}

function transferDoer({ senders, recipientUuids }: RequestOf<'transfer'>): Doer {
  return (connection) => {
    const sender = pick(senders);
    let recipientUuid = pick(recipientUuids);
    while (recipientUuid === sender.uuid) recipientUuid = pick(recipientUuids);
    return statusOf(connection, transferRequest(sender, recipientUuid, newKey()));
  };
}

function purchaseDoer({ buyers, offerIds }: RequestOf<'purchase'>): Doer {
  const body = JSON.stringify({ offer_ids: offerIds, offer_counts: offerIds.map(() => 1) });
  return (connection) => statusOf(connection, postRequest('/api/purchase', pick(buyers), body));
}

function redeemDoer({ staff, visits, signingSeed }: RequestOf<'redeem'>): Doer {
  const keys = createSigningKeys([Buffer.from(signingSeed, 'base64url')]);
  let turn = 0;
  return async (connection) => {
    const visit = visits[turn++];
    if (visit === undefined) throw new Error('everything is redeemed');
    const data = { a: visit.holderUuid, t: Date.now(), v: 1, i: visit.itemIds };
    const content = { t: 'purchase', d: data } as const;
    const payload = signedQrText(content, keys.signText(canonicalQrText(content)));
    const body = JSON.stringify({ payload });
    const member = staff[turn % staff.length] ?? pick(staff);
    const scanned = await statusOf(connection, postRequest('/api/scanner/scan', member, body));
    if (scanned !== 200) return scanned;
    const { status, body: answer } = await connection.request(
      postRequest('/api/scanner/redeem', member, body),
    );
    const { redeemed_count: count } = JSON.parse(answer) as { redeemed_count?: number };
    // A repeat of what was redeemed before would be cheaper than what is measured.
    if (status === 200 && count !== visit.itemIds.length) throw new Error(`redeemed: ${answer}`);
    return status;
  };
}
