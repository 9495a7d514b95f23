import { parseAth, type TokenUnits } from '@athos/domain/money';

export type AmountFault = 'empty' | 'balance_unknown' | 'above_balance';

/** More than 12 digits before the decimal point, which `parseAth` rejects. */
const isTooLong = (text: string): boolean => parseAth(text) === undefined && /[1-9]/.test(text);

/** Why a typed amount cannot be sent. Compares micro-units with the raw balance (spec 5, D-130). */
export function amountFault(
  text: string,
  balance: TokenUnits | undefined,
): AmountFault | undefined {
  const amount = parseAth(text);
  if (isTooLong(text)) return 'above_balance';
  if (amount === undefined || amount === 0n) return 'empty';
  if (balance === undefined) return 'balance_unknown';
  return amount > balance ? 'above_balance' : undefined;
}
