/** The sender takes a send back that has not arrived yet. */
import type { Units } from '@athos/domain/money';
import type { Ledger } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { userCaller } from '../../../platform/limits/caller.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { pay, type RefusalWords } from '../pay.ts';
import { settlingTransfer } from './books.ts';
import { lockHeld, updateSettled, type HeldSendRow } from './held-sends.sql.ts';
import { announceHeld } from './live-events.ts';

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

/** Each locks the ledger in a transaction of its own. */
const UNDOS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500, ofCallerMax: 3 };

/** Value that returns is never refused: the account of a sender with a live send cannot be closed. */
const WORDS: RefusalWords = { nothing: 'Nothing was taken back.', refusals: {} };

/** Throws `not_found` unless it is a send of this user, and `send_settled` after it has arrived. */
type UndoSend = (undo: { readonly userId: bigint; readonly id: string }) => Promise<Undone>;

/** However often it is asked for, the amount comes back once, and each answer is the first one. */
export function createUndoSend(deps: UndoDeps): UndoSend {
  const { db, clock, ledger } = deps;
  const gate = createGate(UNDOS);

  const undo: UndoSend = async ({ userId, id }) => {
    const { row, isNew, balanceUnits } = await db.transaction().execute(async (tx) => {
      const held = await lockHeld(tx, { id, senderId: userId });
      if (held === undefined) throw new AppError('not_found');
      if (held.state === 'posted') {
        throw new AppError('send_settled', { detail: WORDS.nothing });
      }
      const isFirst = held.state === 'held';
      const settled: HeldSendRow = isFirst ? { ...held, state: 'taken_back' } : held;
      if (isFirst) await updateSettled(tx, [settled], dateOf(clock));
      const { transfers } = await pay(tx, ledger, [settlingTransfer(settled)], WORDS);
      const [returned] = transfers;
      invariant(returned !== undefined, 'the amount came back');
      return { row: settled, isNew: isFirst, balanceUnits: returned.creditAfterUnits };
    });
    if (isNew) announceHeld(deps, row);
    return { state: row.state === 'returned' ? 'returned' : 'taken_back', balanceUnits };
  };
  return (request) => gate(userCaller(request.userId), () => undo(request));
}
