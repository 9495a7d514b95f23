/** Prices that apply for a limited time instead of an offer's own. At most one window is active at any moment. */
import { divideRoundUp } from './money.ts';

export interface PriceWindow<Price extends number | bigint = number | bigint> {
  readonly price: Price;
  /** Inclusive. */
  readonly startsAtMs: number;
  /** Exclusive. */
  readonly endsAtMs: number;
}

interface Prices {
  readonly price: bigint;
  readonly windows: readonly PriceWindow<bigint>[];
}

/** The index of a window that begins before another one has ended, or that ends before it begins; `undefined` if all are valid. */
export function faultyWindow(windows: readonly PriceWindow[]): number | undefined {
  const index = windows.findIndex(({ startsAtMs, endsAtMs }, own) => {
    const isOverlapping = windows
      .slice(0, own)
      .some((other) => startsAtMs < other.endsAtMs && other.startsAtMs < endsAtMs);
    return endsAtMs <= startsAtMs || isOverlapping;
  });
  return index === -1 ? undefined : index;
}

export const priceAt = ({ price, windows }: Prices, atMs: number): bigint =>
  windows.find(({ startsAtMs, endsAtMs }) => startsAtMs <= atMs && atMs < endsAtMs)?.price ?? price;

/**
 * The largest change of the price at any moment from `nowMs` on, in hundredths of a per cent of the price before it, rounded up. Prices
 * change only where a window begins or ends, so only these moments are compared.
 */
export function largestPriceChange(before: Prices, after: Prices, nowMs: number): bigint {
  const edges = [...before.windows, ...after.windows].flatMap((one) => [
    one.startsAtMs,
    one.endsAtMs,
  ]);
  let largest = 0n;
  for (const atMs of [nowMs, ...edges.filter((edge) => edge > nowMs)]) {
    const [old, present] = [priceAt(before, atMs), priceAt(after, atMs)];
    if (old === 0n) continue;
    const difference = present > old ? present - old : old - present;
    const change = divideRoundUp(difference * 10_000n, old);
    if (change > largest) largest = change;
  }
  return largest;
}
