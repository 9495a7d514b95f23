import { expect, it } from 'vitest';
import { positionOf, type PathStep } from './receipt.ts';

/**
 * The sides on the path from a leaf, as in building the tree: nodes are paired from the left, and one without a partner moves up unchanged.
 */
function sidesOf(index: number, leafCount: number): Pick<PathStep, 'side'>[] {
  const sides: Pick<PathStep, 'side'>[] = [];
  for (let [at, count] = [index, leafCount]; count > 1; count = Math.ceil(count / 2)) {
    if (at % 2 === 1) sides.push({ side: 'left' });
    else if (at + 1 < count) sides.push({ side: 'right' });
    at = Math.floor(at / 2);
  }
  return sides;
}

it('finds the place of a movement under its seal from the sides of its path', () => {
  for (const count of [1, 2, 3, 13, 64, 65, 127, 129, 4_096]) {
    const places = Array.from({ length: count }, (_, index) =>
      positionOf({ path: sidesOf(index, count), seal: { count } }),
    );
    expect(places).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  }
});
