/** Posts sends whose time to undo is over, in the worker. */
import {
  selectSendStops,
  userAccountId,
  type Ledger,
  type TransferRefusal,
} from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import type { Log } from '../../../platform/log/log.ts';
import { startRounds, type Rounds } from '../../../platform/rounds.ts';
import { settlingTransfer } from './books.ts';
import { lockDue, selectFirstDue, updateSettled, type HeldSendRow } from './held-sends.sql.ts';
import { announceHeld } from './live-events.ts';
import { addSends, subtractSend } from './send-pairs.sql.ts';

const ROUND_MS = 250;
/** A group of the ledger holds 1,023 movements. This many hold its lock for some 20 ms. */
const DUE_MAX = 500;
/** A send is due at most 60 s after it was made, by a clock that may be a little ahead of the worker's. */
const POST_WITHIN_MS = 120_000;

const LATE_MAX_SECONDS = 30;
/** Often enough to be noticed, and rarely enough not to fill the log. */
const ALARM_INTERVAL_MS = 600_000;

interface PostDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'transferInTx'>;
  readonly log: Log;
  readonly notifications: Pick<Notifications, 'announce'>;
}

const back = (row: HeldSendRow, reason: NonNullable<HeldSendRow['reason']>): HeldSendRow => ({
  ...row,
  state: 'returned',
  reason,
});

/** Decides where each amount goes. It is returned if staff have stopped the sender or the receiver can no longer receive it. */
async function decide(tx: Tx, due: readonly HeldSendRow[]): Promise<HeldSendRow[]> {
  const sender = (row: HeldSendRow) => userAccountId(row.sender_id, row.asset);
  const recipient = (row: HeldSendRow) => userAccountId(row.recipient_id, row.asset);
  const stops = await selectSendStops(
    tx,
    due.flatMap((row) => [sender(row), recipient(row)]),
  );
  return due.map((row) => {
    const receiving = stops.get(recipient(row))?.receivingStop;
    if (receiving !== undefined) return back(row, `recipient_${receiving}`);
    if (stops.get(sender(row))?.isSendingStopped === true) return back(row, 'sender_stopped');
    return { ...row, state: 'posted' };
  });
}

const isPosted = ({ state }: HeldSendRow): boolean => state === 'posted';

const sendOf = (row: HeldSendRow) => ({
  senderId: row.sender_id,
  recipientId: row.recipient_id,
  firstAt: row.made_at,
  lastAt: row.made_at,
  count: 1,
});

/** The reason for a return if the receiver's account was stopped after `decide`, by the ledger's refusal. */
const STOPPED_SINCE: Partial<Record<TransferRefusal['outcome'], HeldSendRow['reason']>> = {
  unknown_account: 'recipient_closed',
  receiver_held: 'recipient_held',
};

/**
 * Moves all amounts in one group. The ledger refuses a group as a whole, so a refused send is returned instead or, if that is refused
 * too, waits for the next round and its alarm. Returns the sends that moved.
 */
async function move(
  { ledger, clock, log }: PostDeps,
  tx: Tx,
  settled: readonly HeldSendRow[],
): Promise<readonly HeldSendRow[]> {
  const moving = [...settled];
  while (moving.length > 0) {
    const result = await ledger.transferInTx(tx, moving.map(settlingTransfer));
    if (result.outcome !== 'refused') break;
    const [row] = moving.splice(result.index, 1);
    if (row === undefined) break;
    if (isPosted(row)) await subtractSend(tx, sendOf(row));
    const { outcome } = result.refusal;
    const reason = row.state === 'posted' ? STOPPED_SINCE[outcome] : undefined;
    const instead = reason ? back(row, reason) : { ...row, state: 'held' as const, reason: null };
    if (instead.state === 'returned') moving.push(instead);
    else log.warn({ id: row.id, outcome }, 'a send that is due could not be moved');
    await updateSettled(tx, [instead], dateOf(clock));
  }
  return moving;
}

/** Settles due sends, at most `DUE_MAX`. Returns how many it settled. */
export async function postDue(deps: PostDeps): Promise<number> {
  const { db, clock } = deps;
  const moved = await db.transaction().execute(async (tx) => {
    const now = dateOf(clock);
    const impossibleAt = new Date(now.getTime() + POST_WITHIN_MS);
    const due = await lockDue(tx, { now, impossibleAt, limit: DUE_MAX });
    if (due.length === 0) return [];
    const settled = await decide(tx, due);
    await updateSettled(tx, settled, now);
    await addSends(tx, settled.filter(isPosted).map(sendOf));
    return move(deps, tx, settled);
  });
  for (const row of moved) announceHeld(deps, row);
  return moved.length;
}

/** The lateness of the oldest due send in seconds; 0 if none is late. */
export async function latenessOf({ db, clock }: Pick<PostDeps, 'db' | 'clock'>): Promise<number> {
  const dueAtMs = (await selectFirstDue(db))?.getTime() ?? Infinity;
  return Math.max(0, (clock.nowMs() - dueAtMs) / 1_000);
}

/** Returns a function that raises the alarm `holds_late` while a send has been due for too long. */
function createWatch(deps: PostDeps): () => Promise<void> {
  const { clock, log } = deps;
  let alarmAtMs = -Infinity;
  return async () => {
    const lateSeconds = await latenessOf(deps);
    if (lateSeconds <= LATE_MAX_SECONDS || clock.nowMs() < alarmAtMs) return;
    alarmAtMs = clock.nowMs() + ALARM_INTERVAL_MS;
    log.error({ alarm: 'holds_late', lateSeconds }, 'sends that are due do not arrive');
  };
}

/** Settles due sends, at once and then regularly, until stopped. */
export function startPostingHolds(deps: PostDeps): Rounds {
  const watch = createWatch(deps);
  return startRounds(async () => {
    try {
      const count = await postDue(deps);
      // With this many there may be more. With fewer, a send that is still late could not be moved.
      if (count === DUE_MAX) return 0;
    } catch (error) {
      deps.log.warn({ err: error }, 'due sends could not be moved');
    }
    await watch().catch(() => undefined);
    return ROUND_MS;
  });
}
