import { addMicroAth, microAth, parseAth, parseUnits, subtractMicroAth } from '@athos/domain/money';

export type Direction = 'credit' | 'debit';

interface Adjustment {
  /** In micro-units, as on the wire. */
  readonly amount: string;
  readonly balanceAfter: string;
}

/** The effect of a typed amount on a balance; `undefined` unless it is above zero. */
export function adjustmentOf(
  typed: string,
  direction: Direction,
  balance: string,
): Adjustment | undefined {
  const amount = parseAth(typed);
  if (amount === undefined || amount === 0n) return undefined;
  const before = microAth(parseUnits(balance));
  const after =
    direction === 'credit' ? addMicroAth(before, amount) : subtractMicroAth(before, amount);
  return { amount: amount.toString(), balanceAfter: after.toString() };
}
