/** Whether an amount is far above a user's usual sends. */
import { NO_UNITS, usdCents, type TokenUnits, type UsdCents } from './money.ts';

/** Below this, even a large mistake is a small one. */
const UNUSUAL_USD_MIN = usdCents(5_000n);
const TIMES_LARGEST = 3n;

/** Whether an amount is too small to be unusual, regardless of earlier sends. An amount without a known value in USD counts as small. */
export const isSmallSend = (usd: UsdCents | undefined): boolean =>
  usd === undefined || usd <= UNUSUAL_USD_MIN;

/** `earlier`: the last sends in the same token. Without any, there is nothing to compare with. */
export function isUnusualSend(
  { amount, usd }: { readonly amount: TokenUnits; readonly usd: UsdCents | undefined },
  earlier: readonly TokenUnits[],
): boolean {
  if (earlier.length === 0 || isSmallSend(usd)) return false;
  const largest = earlier.reduce((most, one) => (one > most ? one : most), NO_UNITS);
  return amount > largest * TIMES_LARGEST;
}
