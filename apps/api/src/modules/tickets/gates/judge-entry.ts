/**
 * Repeats the checks that a scanner made without a network. A failed check makes the whole log suspect, because a scanner that works
 * correctly never writes such an entry.
 */
import { createHash, verify } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { entryToSign, OFFLINE_AHEAD_MS, OFFLINE_CODE_MS } from '@athos/domain/offline-log';
import { TICKET_CODE_START } from '@athos/domain/ticket-code';
import { AppError } from '../../../platform/errors.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';
import { phoneKey } from '../offline/phone-key.ts';
import { readCode, type ReadCode, type ReadTicket } from '../read-code.ts';
import type { GrantRow } from './logs.sql.ts';

/** The entry as the scanner sent it. */
export interface SentEntry {
  readonly seq: number;
  readonly previous_hash: string;
  readonly at_ms: number;
  readonly staff_uuid: string;
  readonly venue_id: number;
  readonly code: string;
  readonly item_ids: readonly number[];
  readonly signature: string;
}

/** A code that names a ticket. */
export type TicketShown = ReadCode & { readonly ticket: ReadTicket };

export interface HashedEntry extends SentEntry {
  readonly hash: Buffer;
}

export interface GoodEntry extends HashedEntry {
  readonly read: TicketShown;
  readonly staffUserId: bigint;
  readonly grantedUntilMs: number;
}

type EntryFault = 'signature' | 'code' | 'code_time' | 'ticket_time' | 'future' | 'grant';

export type JudgedEntry =
  | { readonly entry: GoodEntry; readonly fault: undefined }
  | { readonly entry: HashedEntry; readonly fault: EntryFault };

/** The tolerated deviation of a scanner's clock: it learns the server's time with each answer. */
export const CLOCK_SLACK_MS = 60_000;
/** Each entry requires three signature checks. After this many entries, other requests get their turn. */
const ENTRIES_A_TURN = 10;

export interface JudgeFacts {
  readonly logId: string;
  readonly publicKey: Buffer;
  readonly keys: SigningKeys;
  readonly grants: readonly GrantRow[];
  readonly nowMs: number;
}

const hashEntry = (logId: string, entry: SentEntry) => {
  const signed = entryToSign({
    deviceId: logId,
    seq: entry.seq,
    previousHash: entry.previous_hash,
    atMs: entry.at_ms,
    staffUuid: entry.staff_uuid,
    venueId: entry.venue_id,
    code: entry.code,
    itemIds: entry.item_ids,
  });
  return { signed, hash: createHash('sha256').update(signed).digest() };
};

/** Returns `undefined` unless both the server and the guest's phone have signed the code. */
function readTicketText(keys: SigningKeys, code: string): TicketShown | undefined {
  if (!code.startsWith(TICKET_CODE_START)) return undefined;
  try {
    const read = readCode(keys, code);
    return read.ticket === null ? undefined : { ...read, ticket: read.ticket };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

const isWithin = (ms: number, fromMs: number, untilMs: number, slackMs: number): boolean =>
  ms >= fromMs - slackMs && ms <= untilMs + slackMs;

function grantFor(entry: SentEntry, grants: readonly GrantRow[]): GrantRow | undefined {
  return grants.find(
    ({ staffUuid, venueId, from, until }) =>
      staffUuid === entry.staff_uuid &&
      venueId === entry.venue_id &&
      isWithin(entry.at_ms, from.getTime(), until.getTime(), CLOCK_SLACK_MS),
  );
}

function judgeEntry(
  entry: SentEntry,
  { logId, publicKey, keys, grants, nowMs }: JudgeFacts,
): JudgedEntry {
  const { signed, hash } = hashEntry(logId, entry);
  const hashed = { ...entry, hash };
  const failed = (fault: EntryFault): JudgedEntry => ({ entry: hashed, fault });
  const key = phoneKey(publicKey);
  const isOwn =
    key !== undefined &&
    verify(
      'sha256',
      signed,
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(entry.signature, 'base64url'),
    );
  if (!isOwn) return failed('signature');
  const read = readTicketText(keys, entry.code);
  if (read === undefined || !entry.item_ids.every((id) => read.itemIds.includes(id))) {
    return failed('code');
  }
  const { at_ms: atMs } = entry;
  if (atMs > nowMs + CLOCK_SLACK_MS) return failed('future');
  const ageMs = atMs - read.issuedAtMs;
  if (ageMs > OFFLINE_CODE_MS || ageMs < -OFFLINE_AHEAD_MS) return failed('code_time');
  const { validFromMs, validUntilMs } = read.ticket;
  if (!isWithin(atMs, validFromMs, validUntilMs, OFFLINE_CODE_MS)) return failed('ticket_time');
  const grant = grantFor(entry, grants);
  if (grant === undefined) return failed('grant');
  const { staffUserId, until } = grant;
  return {
    entry: { ...hashed, read, staffUserId, grantedUntilMs: until.getTime() },
    fault: undefined,
  };
}

export async function judgeEntries(
  entries: readonly SentEntry[],
  facts: JudgeFacts,
): Promise<JudgedEntry[]> {
  const judged: JudgedEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    if (index % ENTRIES_A_TURN === ENTRIES_A_TURN - 1) await turn();
    judged.push(judgeEntry(entry, facts));
  }
  return judged;
}
