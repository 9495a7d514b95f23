/** The balance of an account at evenly spaced times. */
import type { Ledger, LedgerAccountId } from '../../ledger/index.ts';
import { afterOf, readMovements } from './read-movements.ts';

const POINT_COUNT = 60;
const MOVEMENT_COUNT_MAX = 10_000;

export interface BalancePoint {
  readonly atMs: number;
  readonly units: bigint;
}

/** Reads the points from one time to another, both included. Throws `too_many_movements`. */
export async function readBalancePoints(
  ledger: Ledger,
  accountId: LedgerAccountId,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly BalancePoint[]> {
  const range = { from, to: new Date(to.getTime() + 1), countMax: MOVEMENT_COUNT_MAX };
  const { transfers, openingUnits } = await readMovements(ledger, accountId, range);
  const stepMs = (to.getTime() - from.getTime()) / (POINT_COUNT - 1);
  let next = 0;
  let units = openingUnits;
  return Array.from({ length: POINT_COUNT }, (_, index) => {
    const atMs = Math.round(from.getTime() + index * stepMs);
    for (let transfer = transfers[next]; transfer !== undefined; transfer = transfers[next]) {
      if (transfer.at.getTime() > atMs) break;
      units = afterOf(transfer, accountId);
      next += 1;
    }
    return { atMs, units };
  });
}
