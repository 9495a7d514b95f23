/** The difference between two texts, paragraph by paragraph. */

export interface DifferencePart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** For each pair of positions, the number of common paragraphs in both texts from there on. */
function commonFrom(before: readonly string[], after: readonly string[]): readonly number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    Array.from({ length: after.length + 1 }, () => 0),
  );
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const line = lengths[row];
      if (line === undefined) continue;
      line[column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  return lengths;
}

/** Keeps the longest common subsequence of paragraphs; everything else was removed or added. */
export function textDifference(before: string, after: string): readonly DifferencePart[] {
  const [old, present] = [paragraphsOf(before), paragraphsOf(after)];
  const common = commonFrom(old, present);
  const parts: DifferencePart[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < present.length) {
    const [was, is] = [old[row], present[column]];
    const isRemoval =
      is === undefined || (common[row + 1]?.[column] ?? 0) >= (common[row]?.[column + 1] ?? 0);
    if (was !== undefined && was === is) {
      parts.push({ kind: 'same', text: was });
      row += 1;
      column += 1;
    } else if (was !== undefined && isRemoval) {
      parts.push({ kind: 'removed', text: was });
      row += 1;
    } else {
      parts.push({ kind: 'added', text: is ?? '' });
      column += 1;
    }
  }
  return parts;
}
