/**
 * Processes the redemptions that a scanner made without a network. Each call is one transaction, so a call whose answer was lost can be
 * repeated: known entries get the same answer again.
 */
import type { Clock } from '../../../platform/clock.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';
import { FIRST_PREVIOUS_HASH } from '@athos/domain/offline-log';
import type { Log } from '../../../platform/log/log.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { redemptionEvents } from '../redeem.ts';
import { isAboveAllowance } from './allowance.ts';
import { bookEntries } from './book-entries.ts';
import { countKept, selectKnownEntries, type ItemOutcome } from './entries.sql.ts';
import { judgeEntries, type GoodEntry, type JudgedEntry, type SentEntry } from './judge-entry.ts';
import {
  ABOVE_ALLOWANCE,
  ELSEWHERE,
  lockLog,
  moveHead,
  selectGrants,
  updateSuspect,
  type OfflineLog,
} from './logs.sql.ts';
import { presentHead } from './pack.ts';
import { storeEntries } from './store-entries.ts';

export interface SyncDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly qrKeys: SigningKeys;
  readonly notifications: Notifications;
  readonly programme: ReadProgramme;
}

/** Ten times the capacity of a device. A stolen device must not fill the disk with entries that are never booked. */
const KEPT_MAX = 2_000;
const HOUR_SECONDS = 3_600;

interface Results {
  readonly seq: number;
  readonly items: readonly ItemOutcome[];
}

interface Taken {
  readonly log: OfflineLog;
  readonly results: readonly Results[];
  readonly fault: string | undefined;
  readonly announcements: readonly { readonly holderId: bigint; readonly redemptionId: bigint }[];
}

/** Judges the entries before anything is locked, since verifying a signature takes longer than a statement. */
async function judge(
  { db, clock, qrKeys }: SyncDeps,
  log: OfflineLog,
  entries: readonly SentEntry[],
): Promise<JudgedEntry[]> {
  const staffUuids = [...new Set(entries.map(({ staff_uuid: uuid }) => uuid))];
  const grants = await selectGrants(db, log.id, staffUuids);
  const { id: logId, publicKey } = log;
  return judgeEntries(entries, { logId, publicKey, keys: qrKeys, grants, nowMs: clock.nowMs() });
}

/** Returns a fault unless the entries continue the log at its end. */
function chainFault(
  { lastSeq, lastHash, lastAtMs }: OfflineLog,
  fresh: readonly JudgedEntry[],
): string | undefined {
  let seq = lastSeq;
  let hash = lastHash?.toString('base64url') ?? FIRST_PREVIOUS_HASH;
  let atMs = lastAtMs;
  for (const { entry } of fresh) {
    if (entry.seq <= seq) return 'known_seq';
    if (entry.seq !== seq + 1 || entry.previous_hash !== hash) return 'order';
    if (entry.at_ms < atMs) return 'backwards';
    seq = entry.seq;
    hash = entry.hash.toString('base64url');
    atMs = entry.at_ms;
  }
  return undefined;
}

const isGood = (judged: JudgedEntry): judged is Extract<JudgedEntry, { fault: undefined }> =>
  judged.fault === undefined;

async function keep(
  tx: Tx,
  log: OfflineLog,
  fresh: readonly JudgedEntry[],
  { fault, at }: { readonly fault: string; readonly at: Date },
): Promise<void> {
  if ((await countKept(tx, log.id)) + fresh.length > KEPT_MAX) {
    throw new AppError('too_many_attempts', { retryAfterSeconds: HOUR_SECONDS });
  }
  await storeEntries(
    tx,
    log.id,
    fresh.map((judged) => ({
      entry: judged.entry,
      state: 'kept',
      fault: judged.fault ?? fault,
      holderUserId: null,
      redemptionId: null,
      outcomes: [],
    })),
    at,
  );
}

async function lockOwnLog(tx: Tx, id: string): Promise<OfflineLog> {
  const log = await lockLog(tx, id);
  invariant(log !== undefined, 'a log outlives its sync');
  return log;
}

/** Returns the entries that were not answered yet, each once, and the answers to the others. */
async function splitKnown(tx: Tx, log: OfflineLog, judged: readonly JudgedEntry[]) {
  const known = await selectKnownEntries(
    tx,
    log.id,
    judged.map(({ entry }) => entry.hash),
  );
  const answeredOf = new Map(
    known.flatMap((row) =>
      row.state === 'kept' ? [] : [[row.hash.toString('hex'), row] as const],
    ),
  );
  const fresh = new Map<string, JudgedEntry>();
  const answered: Results[] = [];
  for (const one of judged) {
    const name = one.entry.hash.toString('hex');
    const row = answeredOf.get(name);
    if (row === undefined) fresh.set(name, one);
    else answered.push({ seq: one.entry.seq, items: answersOf(row) });
  }
  return { fresh: [...fresh.values()], answered };
}

/** The stored outcomes. Entries that were never booked count as refused. */
const answersOf = ({
  itemIds,
  outcomes,
}: {
  readonly itemIds: readonly string[];
  readonly outcomes: readonly ItemOutcome[];
}): readonly ItemOutcome[] =>
  outcomes.length > 0
    ? outcomes
    : itemIds.map((id) => ({ item_id: Number(id), outcome: 'refused' }));

async function take(
  tx: Tx,
  programme: ReadProgramme,
  { logId, judged, at }: { logId: string; judged: readonly JudgedEntry[]; at: Date },
): Promise<Taken> {
  const log = await lockOwnLog(tx, logId);
  const { fresh, answered } = await splitKnown(tx, log, judged);
  const done = { log, results: answered, fault: undefined, announcements: [] };
  if (fresh.length === 0) {
    await moveHead(tx, logId, { at, head: undefined });
    return done;
  }
  const entries = fresh.filter(isGood).map(({ entry }) => entry);
  const fault =
    log.suspectSince === null
      ? (chainFault(log, fresh) ?? fresh.find((one) => !isGood(one))?.fault)
      : 'suspect';
  if (fault !== undefined) {
    await keep(tx, log, fresh, { fault, at });
    if (log.suspectSince === null) await updateSuspect(tx, logId, { since: at, fault });
    await moveHead(tx, logId, { at, head: undefined });
    return { ...done, log: { ...log, suspectSince: log.suspectSince ?? at }, fault };
  }
  return book(tx, programme, { log, answered, at, entries });
}

interface Booking {
  readonly log: OfflineLog;
  readonly answered: readonly Results[];
  readonly at: Date;
  readonly entries: readonly GoodEntry[];
}

/**
 * Books everything that was handed out, however much it was and wherever. A device that handed out more than it may, or items that are
 * not redeemed at its venue, can go on only after a person has checked it.
 */
async function book(
  tx: Tx,
  programme: ReadProgramme,
  { log, answered, at, entries }: Booking,
): Promise<Taken> {
  const last = entries.at(-1);
  invariant(last !== undefined, 'there is an entry to book');
  const { handedOut, isElsewhere, ...booked } = await bookEntries(tx, { log, entries, now: at });
  const isAbove = await isAboveAllowance(tx, programme, { log, entries, handedOut });
  const fault = isElsewhere ? ELSEWHERE : isAbove ? ABOVE_ALLOWANCE : undefined;
  await storeEntries(tx, log.id, booked.entries, at);
  await moveHead(tx, log.id, {
    at,
    head: { seq: last.seq, hash: last.hash, atMs: last.at_ms },
  });
  if (fault !== undefined) await updateSuspect(tx, log.id, { since: at, fault });
  return {
    log: {
      ...log,
      lastSeq: last.seq,
      lastHash: last.hash,
      suspectSince: fault === undefined ? log.suspectSince : at,
    },
    results: [
      ...answered,
      ...booked.entries.map(({ entry, outcomes }) => ({ seq: entry.seq, items: outcomes })),
    ],
    fault,
    announcements: booked.announcements,
  };
}

/** Books the entries, or keeps all of them if any of them is invalid. */
export async function syncEntries(deps: SyncDeps, log: OfflineLog, entries: readonly SentEntry[]) {
  const { db, clock, notifications } = deps;
  const judged = await judge(deps, log, entries);
  const at = dateOf(clock);
  const taken = await db
    .transaction()
    .execute((tx) => take(tx, deps.programme, { logId: log.id, judged, at }));
  if (taken.fault !== undefined && taken.fault !== 'suspect') {
    deps.log.error(
      { alarm: 'offline_suspect', deviceId: log.deviceId, logId: log.id, fault: taken.fault },
      'the log of a scanner does not hold, or tells of what its device may not redeem',
    );
  }
  for (const { holderId, redemptionId } of taken.announcements) {
    notifications.announce(redemptionEvents.channel, `${holderId} ${redemptionId}`);
  }
  const results = taken.results.toSorted((one, other) => one.seq - other.seq);
  return {
    results: results.map(({ seq, items }) => ({ seq, items: [...items] })),
    ...presentHead(taken.log),
  };
}

/** Keeps the entries of a blocked device, for a person to decide on. */
export async function keepEntries(
  deps: SyncDeps,
  log: OfflineLog,
  entries: readonly SentEntry[],
): Promise<void> {
  const judged = await judge(deps, log, entries);
  await deps.db.transaction().execute(async (tx) => {
    const own = await lockOwnLog(tx, log.id);
    const { fresh } = await splitKnown(tx, own, judged);
    if (fresh.length > 0) await keep(tx, own, fresh, { fault: 'blocked', at: dateOf(deps.clock) });
  });
}
