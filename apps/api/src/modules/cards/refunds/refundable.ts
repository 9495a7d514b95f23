/** How much of an order can be refunded to its card (docs/cards.md, "Refunds"). */
import { microAth, type MicroAth } from '@athos/domain/money';
import { userAccountId, userIdOfAccount, type Ledger } from '../../../ledger/index.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { OrderRow } from '../orders/orders.sql.ts';
import { selectHeldOfTransfers } from '../../transfers/index.ts';
import { lowWaterOf } from './low-water.ts';

/** This many movements are read in 0.2 s. For an account with more movements since an order, staff must decide by hand. */
const MOVEMENT_COUNT_MAX = 20_000;

export interface Refundable {
  /** The smaller of the two values below, and 0 for an order that cannot be judged. */
  readonly amountMicroAth: MicroAth;
  readonly notReturnedMicroAth: MicroAth;
  /** The low water since the credit; `undefined` if there are too many movements to read. */
  readonly lowWaterMicroAth: MicroAth | undefined;
}

/**
 * Reads the refundable amount of a credited order. For a decision, the caller must hold the ledger's lock (`lockInTx`), so that no value
 * moves between the answer and the refund.
 */
export async function readRefundable(
  { ledger }: { readonly ledger: Ledger },
  tx: Tx | Db,
  order: OrderRow,
): Promise<Refundable> {
  const notReturned = microAth(order.amount_micro_ath - order.returned_micro_ath);
  const accountId = userAccountId(order.user_id, 'ATH');
  const movements = await ledger.movementsSince(tx, accountId, {
    sinceId: order.history_id ?? 0n,
    rowCountMax: MOVEMENT_COUNT_MAX,
  });
  if (movements === undefined) {
    return {
      amountMicroAth: microAth(0n),
      notReturnedMicroAth: notReturned,
      lowWaterMicroAth: undefined,
    };
  }
  const sends = await selectHeldOfTransfers(tx, movements);
  const lowWater = lowWaterOf(
    movements.map((movement) => {
      const isPaid = movement.debitAccountId === accountId;
      const other = isPaid ? movement.creditAccountId : movement.debitAccountId;
      return {
        kind: movement.kind,
        // A send that came back is given the key of the original send.
        key: sends.get(movement.transferId)?.key ?? movement.key,
        isPaid,
        isWithProgramme: userIdOfAccount(other) === undefined,
        amountUnits: movement.amountUnits,
        balanceAfterUnits: isPaid ? movement.debitAfterUnits : movement.creditAfterUnits,
      };
    }),
  );
  const least = lowWater < notReturned ? lowWater : notReturned;
  return {
    amountMicroAth: microAth(least < 0n ? 0n : least),
    notReturnedMicroAth: notReturned,
    lowWaterMicroAth: microAth(lowWater),
  };
}
