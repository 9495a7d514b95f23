/** Whether the amount of a movement has reached its receiver, so that others are shown the right state. */
import { invariant } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/database/database.ts';
import { selectTransferOfKey, type JournalTransfer } from '../../../ledger/index.ts';
import { holdTransfer, settlingTransfer } from './books.ts';
import type { HeldSendRow } from './held-sends.sql.ts';
import { selectHeldOfTransfers } from './transfer-rows.ts';

export type Arrival =
  | {
      readonly state: 'arrived';
      /** The movement to the receiver. */
      readonly transfer: JournalTransfer;
      /** For a send that could be undone, the movement that took the amount from its sender. */
      readonly taken?: JournalTransfer;
    }
  | { readonly state: 'arriving' | 'came_back' };

async function legOf(
  db: Db,
  { debitAccountId, key }: ReturnType<typeof holdTransfer>,
): Promise<JournalTransfer> {
  const leg = await selectTransferOfKey(db, { accountId: debitAccountId, key });
  invariant(leg !== undefined, 'both movements of a send that has arrived are in the journal');
  return leg;
}

async function arrivalOf(db: Db, row: HeldSendRow): Promise<Arrival> {
  switch (row.state) {
    case 'held':
      return { state: 'arriving' };
    case 'taken_back':
    case 'returned':
      return { state: 'came_back' };
    case 'posted': {
      const [taken, transfer] = await Promise.all([
        legOf(db, holdTransfer(row)),
        legOf(db, settlingTransfer(row)),
      ]);
      return { state: 'arrived', transfer, taken };
    }
  }
}

/** A send that could be undone has two movements; either may be passed. Any other movement has arrived when it was posted. */
export async function findArrival(db: Db, transfer: JournalTransfer): Promise<Arrival> {
  const row = (await selectHeldOfTransfers(db, [transfer])).get(transfer.transferId);
  return row === undefined ? { state: 'arrived', transfer } : arrivalOf(db, row);
}
