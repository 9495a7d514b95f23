/** The measured requests. Both loads, `load-process.ts` and wrk, compose them from the same parts. */
import { randomUUID } from 'node:crypto';
import { API_PREFIX } from '@athos/contract/call';
import { canonicalQrText, signedQrText } from '@athos/domain/qr-payload';
import { createSigningKeys } from '../apps/api/src/platform/keys/signing-keys.ts';
import type { HttpConnection } from './http-connection.ts';
import type { LoadRequest, LoadUser } from './load-plan.ts';

/** 0.001 ATH. */
const AMOUNT_MICRO = '1000';

/**
 * A request is the concatenation of a start, a caller, an idempotency key if it needs one, and a rest, so composing one costs the load no
 * more than joining four strings.
 */
export interface RequestParts {
  /** Request lines, used in turn. */
  readonly starts: readonly string[];
  /** Headers that identify a caller, picked at random. */
  readonly callers: readonly string[];
  /** For each caller, the index of the rest that it must not use, such as a transfer to itself; -1 for none. */
  readonly forbiddenRests: readonly number[];
  /** Remaining headers and body, picked at random. */
  readonly rests: readonly string[];
  readonly isKeyed: boolean;
}

type RequestOf<Kind extends LoadRequest['kind']> = Extract<LoadRequest, { kind: Kind }>;
export type SingleRequest = Exclude<LoadRequest, RequestOf<'redeem' | 'claim' | 'sign_in'>>;

/** A version 7 UUID, as the wallet makes them. Its random bits come from Node's pool of UUIDs, from which drawing is cheap. */
export function newKey(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

function pickIndex(from: readonly unknown[]): number {
  return Math.floor(Math.random() * from.length);
}

export function pick<T>(from: readonly T[]): T {
  const picked = from[pickIndex(from)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

const startOf = (method: 'GET' | 'POST', path: string): string =>
  `${method} ${path} HTTP/1.1\r\nhost: bench\r\n`;
const callerOf = ({ token }: LoadUser): string => `authorization: Bearer ${token}\r\n`;
const keyOf = (key: string): string => `idempotency-key: ${key}\r\n`;
const jsonOf = (body: object): string => {
  const text = JSON.stringify(body);
  return `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

const transferStart = (path = '/account/transfer'): string =>
  startOf('POST', `${API_PREFIX}${path}`);
const TRANSFER_START = transferStart();
const transferTo = (uuid: string, undoSeconds?: number): string =>
  jsonOf({
    amount: AMOUNT_MICRO,
    to_uuid: uuid,
    ...(undoSeconds !== undefined && { undo_seconds: undoSeconds }),
  });

export const transferRequest = (sender: LoadUser, recipientUuid: string, key: string): string =>
  TRANSFER_START + callerOf(sender) + keyOf(key) + transferTo(recipientUuid);

export function partsOf(request: SingleRequest): RequestParts {
  switch (request.kind) {
    case 'get': {
      const { paths, callers, ifNoneMatch } = request;
      const condition = ifNoneMatch === undefined ? '' : `if-none-match: ${ifNoneMatch}\r\n`;
      return {
        starts: paths.map((path) => startOf('GET', path)),
        callers: callers.map(callerOf),
        forbiddenRests: callers.map(() => -1),
        rests: [`${condition}\r\n`],
        isKeyed: false,
      };
    }
    case 'transfer': {
      const { senders, recipientUuids, undoSeconds, path } = request;
      const indexes = new Map(recipientUuids.map((uuid, index) => [uuid, index]));
      return {
        starts: [transferStart(path)],
        callers: senders.map(callerOf),
        forbiddenRests: senders.map(({ uuid }) => indexes.get(uuid) ?? -1),
        rests: recipientUuids.map((uuid) => transferTo(uuid, undoSeconds)),
        isKeyed: true,
      };
    }
    case 'purchase': {
      const { buyers, offerIds } = request;
      return {
        starts: [startOf('POST', '/api/purchase')],
        callers: buyers.map(callerOf),
        forbiddenRests: buyers.map(() => -1),
        rests: [jsonOf({ offer_ids: offerIds, offer_counts: offerIds.map(() => 1) })],
        isKeyed: true,
      };
    }
  }
}

/** Returns a function that composes the next request. `load.lua` does the same in wrk. */
export function requestMaker(parts: RequestParts): () => string {
  const { starts, callers, forbiddenRests, rests, isKeyed } = parts;
  let turn = 0;
  return () => {
    const caller = pickIndex(callers);
    let rest = pickIndex(rests);
    if (rest === forbiddenRests[caller]) rest = (rest + 1) % rests.length;
    const start = starts[turn++ % starts.length];
    return `${start}${callers[caller]}${isKeyed ? keyOf(newKey()) : ''}${rests[rest]}`;
  };
}

/** Sends one request on the given connection and returns its status. */
type Sender = (connection: HttpConnection) => Promise<number>;

export function requestSender(request: LoadRequest): Sender {
  if (request.kind === 'redeem') return redeemSender(request);
  if (request.kind === 'claim') return claimSender(request);
  if (request.kind === 'sign_in') return signInSender(request);
  const makeRequest = requestMaker(partsOf(request));
  return (connection) => statusOf(connection, makeRequest());
}

const statusOf = async (connection: HttpConnection, text: string): Promise<number> =>
  (await connection.request(text)).status;

function claimSender({ claimants, codes, usedCount }: RequestOf<'claim'>): Sender {
  let turn = usedCount;
  return (connection) => {
    const claimant = claimants[turn % claimants.length];
    const code = codes[Math.floor(turn / claimants.length)];
    if (claimant === undefined || code === undefined) throw new Error('everything is claimed');
    turn += 1;
    const start = startOf('POST', `/api/reward/${code}/redeem`);
    return statusOf(
      connection,
      `${start}${callerOf(claimant)}${keyOf(newKey())}content-length: 0\r\n\r\n`,
    );
  };
}

function signInSender({ emails, password }: RequestOf<'sign_in'>): Sender {
  let turn = 0;
  return (connection) => {
    const email = emails[turn++ % emails.length];
    const body = jsonOf({ email, password, tenant_id: 1, mode: 'production' });
    return statusOf(connection, `${startOf('POST', '/api/account/login')}${body}`);
  };
}

function redeemSender({ staff, visits, signingSeed }: RequestOf<'redeem'>): Sender {
  const keys = createSigningKeys([Buffer.from(signingSeed, 'base64url')]);
  let turn = 0;
  return async (connection) => {
    const visit = visits[turn++];
    if (visit === undefined) throw new Error('everything is redeemed');
    const data = { a: visit.holderUuid, t: Date.now(), v: 1, i: visit.itemIds };
    const content = { t: 'purchase', d: data } as const;
    const payload = signedQrText(content, keys.signText(canonicalQrText(content)));
    const member = callerOf(staff[turn % staff.length] ?? pick(staff));
    const post = (path: string): string =>
      startOf('POST', path) + member + keyOf(newKey()) + jsonOf({ payload });
    const scanned = await statusOf(connection, post('/api/scanner/scan'));
    if (scanned !== 200) return scanned;
    const { status, body: answer } = await connection.request(post('/api/scanner/redeem'));
    const { redeemed_count: count } = JSON.parse(answer) as { redeemed_count?: number };
    // Repeating an earlier redemption would be cheaper than the measured one.
    if (status === 200 && count !== visit.itemIds.length) throw new Error(`redeemed: ${answer}`);
    return status;
  };
}
