/** Groups equal items into one row: twenty drinks of one kind are counted, not listed twenty times. */
import type { Item } from '../../api/codes.ts';

export interface ItemGroup<Listed> {
  readonly key: string;
  readonly first: Listed;
  readonly items: readonly Listed[];
}

/** Groups items that look the same and are in the same state, in the order of their first ones. */
export function groupEqual<Listed extends Item & { readonly id: number }>(
  items: readonly Listed[],
  stateOf: (item: Listed) => string,
): readonly ItemGroup<Listed>[] {
  const groups = Map.groupBy(items, (item) =>
    JSON.stringify([
      item.title,
      item.picture.src,
      stateOf(item),
      item.redeemedAt,
      item.redeemedVenue,
    ]),
  );
  return [...groups].flatMap(([key, [first, ...others]]) =>
    first === undefined ? [] : [{ key, first, items: [first, ...others] }],
  );
}
