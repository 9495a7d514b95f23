/** Lets the logs of a device continue after a person has checked them, and books or leaves the entries that were kept. */
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';
import { notifyRedeemed } from '../reversals.sql.ts';
import { bookEntries, type Booked } from './book-entries.ts';
import { selectKept, type NewEntry } from './entries.sql.ts';
import { judgeEntries, type GoodEntry, type JudgedEntry, type SentEntry } from './judge-entry.ts';
import {
  lockLogsOfDevice,
  moveHead,
  selectGrants,
  updateSuspect,
  type OfflineLog,
} from './logs.sql.ts';
import { storeEntries } from './store-entries.ts';

export interface ClearDeps {
  readonly clock: Clock;
  readonly qrKeys: SigningKeys;
}

export interface Cleared {
  readonly booked_count: number;
  readonly conflict_count: number;
  readonly left_count: number;
}

type KeptEntry = Awaited<ReturnType<typeof selectKept>>[number];

/** A code that was erased with its holder can no longer be read, so such an entry is left. */
const asSent = (kept: KeptEntry): SentEntry => ({
  seq: kept.seq,
  previous_hash: kept.previousHash.toString('base64url'),
  at_ms: kept.atMs,
  staff_uuid: kept.staffUuid,
  venue_id: kept.venueId,
  code: kept.code ?? '',
  item_ids: kept.itemIds.map((id) => Number(id)),
  signature: kept.signature.toString('base64url'),
});

/** Throws `state_changed` if no log or entry waits for a person. */
export async function clearLogs(
  deps: ClearDeps,
  tx: Tx,
  { deviceId, isBooked }: { readonly deviceId: string; readonly isBooked: boolean },
): Promise<Cleared> {
  const sum = { booked_count: 0, conflict_count: 0, left_count: 0 };
  let isAnything = false;
  for (const log of await lockLogsOfDevice(tx, deviceId)) {
    const kept = await selectKept(tx, log.id);
    if (kept.length === 0 && log.suspectSince === null) continue;
    isAnything = true;
    const cleared = await clearLog(deps, tx, { log, kept, isBooked });
    sum.booked_count += cleared.booked_count;
    sum.conflict_count += cleared.conflict_count;
    sum.left_count += cleared.left_count;
  }
  if (!isAnything)
    throw new AppError('state_changed', { detail: 'No entries of this device are waiting.' });
  return sum;
}

interface Clearing {
  readonly log: OfflineLog;
  readonly kept: readonly KeptEntry[];
  readonly isBooked: boolean;
}

async function clearLog(
  { clock, qrKeys }: ClearDeps,
  tx: Tx,
  { log, kept, isBooked }: Clearing,
): Promise<Cleared> {
  const at = dateOf(clock);
  const sent = kept.map(asSent);
  const grants =
    sent.length === 0
      ? []
      : await selectGrants(tx, log.id, [...new Set(sent.map(({ staff_uuid: uuid }) => uuid))]);
  const { id: logId, publicKey } = log;
  const judged = await judgeEntries(sent, {
    logId,
    publicKey,
    keys: qrKeys,
    grants,
    nowMs: at.getTime(),
  });
  const good = isBooked
    ? judged.flatMap((one) => (one.fault === undefined ? [one.entry] : []))
    : [];
  const booked = await bookGood(tx, { log, good, at, kept });
  const left = judged.flatMap((one, index): NewEntry[] =>
    good.some(({ hash }) => hash.equals(one.entry.hash))
      ? []
      : [
          {
            entry: one.entry,
            state: 'left',
            fault: kept[index]?.fault ?? 'suspect',
            holderUserId: null,
            redemptionId: null,
            outcomes: [],
          },
        ],
  );
  await storeEntries(tx, logId, left, at);
  await moveHead(tx, logId, { at: log.lastSyncAt ?? at, head: lastOwn(log, judged) });
  await updateSuspect(tx, logId, undefined);
  const outcomes = booked.entries.flatMap((entry) => entry.outcomes.map(({ outcome }) => outcome));
  return {
    booked_count: outcomes.filter((outcome) => outcome === 'redeemed').length,
    conflict_count: booked.conflictCount,
    left_count: left.length,
  };
}

async function bookGood(
  tx: Tx,
  {
    log,
    good,
    at,
    kept,
  }: {
    readonly log: OfflineLog;
    readonly good: readonly GoodEntry[];
    readonly at: Date;
    readonly kept: readonly KeptEntry[];
  },
): Promise<Pick<Booked, 'entries' | 'conflictCount'>> {
  if (good.length === 0) return { entries: [], conflictCount: 0 };
  const booked = await bookEntries(tx, { log, entries: good, now: at });
  const entries = booked.entries.map((entry) => ({
    ...entry,
    state: 'settled' as const,
    fault: kept.find(({ seq }) => seq === entry.entry.seq)?.fault ?? null,
  }));
  await storeEntries(tx, log.id, entries, at);
  for (const { holderId, redemptionId } of booked.announcements) {
    await notifyRedeemed(tx, holderId, redemptionId);
  }
  return { entries, conflictCount: booked.conflictCount };
}

/** The point at which the device continues: after the last entry that it signed. Entries that others sent in its name do not move it. */
function lastOwn({ lastSeq }: OfflineLog, judged: readonly JudgedEntry[]) {
  const own = judged.filter(({ fault, entry }) => fault !== 'signature' && entry.seq > lastSeq);
  const last = own.toSorted((one, other) => one.entry.seq - other.entry.seq).at(-1)?.entry;
  return last && { seq: last.seq, hash: last.hash, atMs: last.at_ms };
}
