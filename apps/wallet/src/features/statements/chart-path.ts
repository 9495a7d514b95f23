import type { BalancePoint } from '../../api/statements.ts';

/** In units of the drawing, which is stretched to its container. */
export const WIDTH = 3_000;
export const HEIGHT = 900;

/** Draws steps, because a balance does not change between two movements. */
export function pathOf(points: readonly BalancePoint[], low: bigint, high: bigint): string {
  const range = high === low ? 1n : high - low;
  return points
    .map(({ units }, index) => {
      const x = Math.round((index * WIDTH) / (points.length - 1));
      const y = HEIGHT - Number(((units - low) * BigInt(HEIGHT)) / range);
      return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
    })
    .join('');
}
