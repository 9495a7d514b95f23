/** Returns a send that has not arrived yet: its sender takes it back, or staff return it. */
import type { Units } from '@athos/domain/money';
import type { Ledger } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { userCaller } from '../../../platform/limits/caller.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { pay, type RefusalWords } from '../pay.ts';
import { settlingTransfer } from './books.ts';
import { lockHeld, updateSettled, type HeldSendRow } from './held-sends.sql.ts';
import { announceHeld, notifyHeld } from './live-events.ts';

interface UndoDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly notifications: Pick<Notifications, 'announce'>;
}

interface Undone {
  readonly state: 'taken_back' | 'returned';
  /** The sender's balance in the asset after the amount came back. */
  readonly balanceUnits: Units;
}

/** Each undo locks the ledger in a transaction of its own. */
const UNDOS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500, ofCallerMax: 3 };

/** Returned value is never refused: the account of a sender with a live send cannot be closed. */
const WORDS: RefusalWords = { nothing: 'Nothing was taken back.', refusals: {} };

interface Named {
  /** The sender. */
  readonly userId: bigint;
  readonly id: string;
}

/** Throws `not_found` unless the send belongs to this user, and `send_settled` after it has arrived. */
async function lockUndoable(tx: Tx, { userId, id }: Named): Promise<HeldSendRow> {
  const held = await lockHeld(tx, { id, senderId: userId });
  if (held === undefined) throw new AppError('not_found');
  if (held.state === 'posted') throw new AppError('send_settled', { detail: WORDS.nothing });
  return held;
}

/** Moves the amount back, or repeats that. Returns the sender's balance afterwards. */
async function moveBack(
  { ledger }: Pick<UndoDeps, 'ledger'>,
  tx: Tx,
  settled: HeldSendRow,
): Promise<Units> {
  const { transfers } = await pay(tx, ledger, [settlingTransfer(settled)], WORDS);
  const [returned] = transfers;
  invariant(returned !== undefined, 'the amount came back');
  return returned.creditAfterUnits;
}

/** Throws the errors of `lockUndoable`. */
type UndoSend = (undo: Named) => Promise<Undone>;

/** However often it is requested, the amount is returned once, and each answer is the first one. */
export function createUndoSend(deps: UndoDeps): UndoSend {
  const { db, clock } = deps;
  const gate = createGate(UNDOS);

  const undo: UndoSend = async (named) => {
    const { row, isNew, balanceUnits } = await db.transaction().execute(async (tx) => {
      const held = await lockUndoable(tx, named);
      const isFirst = held.state === 'held';
      const settled: HeldSendRow = isFirst ? { ...held, state: 'taken_back' } : held;
      if (isFirst) await updateSettled(tx, [settled], dateOf(clock));
      return { row: settled, isNew: isFirst, balanceUnits: await moveBack(deps, tx, settled) };
    });
    if (isNew) announceHeld(deps, row);
    return { state: row.state === 'returned' ? 'returned' : 'taken_back', balanceUnits };
  };
  return (request) => gate(userCaller(request.userId), () => undo(request));
}

/**
 * Returns a send in the transaction of an act of staff. `record` writes the act's entry, before the movement. Throws the errors of
 * `lockUndoable`, and `state_changed` if the amount has already been returned.
 */
export async function returnHeldSend(
  deps: Pick<UndoDeps, 'clock' | 'ledger'>,
  tx: Tx,
  { record, ...named }: Named & { readonly record: (held: HeldSendRow) => Promise<void> },
): Promise<void> {
  const held = await lockUndoable(tx, named);
  if (held.state !== 'held') throw new AppError('state_changed', { detail: WORDS.nothing });
  const settled: HeldSendRow = { ...held, state: 'returned', reason: 'by_staff' };
  await updateSettled(tx, [settled], dateOf(deps.clock));
  await record(held);
  await notifyHeld(tx, settled);
  await moveBack(deps, tx, settled);
}
