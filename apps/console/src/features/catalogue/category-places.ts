/** The places to which a category can be moved, as the keys and the menu name them. */

export interface TreeItem {
  readonly id: number;
  readonly parentId: number | null;
}

export interface Place {
  readonly parentId: number | null;
  /** The next sibling; null for the last place. */
  readonly beforeId: number | null;
}

export type Step = 'up' | 'down' | 'in' | 'out';

export const childrenOf = <Item extends TreeItem>(
  items: readonly Item[],
  parentId: number | null,
): readonly Item[] => items.filter((item) => item.parentId === parentId);

const followerOf = (items: readonly TreeItem[], item: TreeItem): number | null => {
  const siblings = childrenOf(items, item.parentId);
  return siblings[siblings.indexOf(item) + 1]?.id ?? null;
};

/** The place one step away; `undefined` if there is none. */
export function placeAfter(items: readonly TreeItem[], id: number, step: Step): Place | undefined {
  const item = items.find((one) => one.id === id);
  if (item === undefined) return undefined;
  const { parentId } = item;
  const siblings = childrenOf(items, parentId);
  const index = siblings.indexOf(item);
  const previous = siblings[index - 1];
  const parent = items.find((one) => one.id === parentId);
  switch (step) {
    case 'up':
      return previous && { parentId, beforeId: previous.id };
    case 'down':
      return index === siblings.length - 1
        ? undefined
        : { parentId, beforeId: siblings[index + 2]?.id ?? null };
    case 'in':
      return previous && { parentId: previous.id, beforeId: null };
    case 'out':
      return parent && { parentId: parent.parentId, beforeId: followerOf(items, parent) };
  }
}

export type Drop = 'before' | 'inside' | 'after';

/** Whether `id` is the category `ancestor` or below it. */
export function isWithin(items: readonly TreeItem[], id: number | null, ancestor: number): boolean {
  if (id === null) return false;
  const item = items.find((one) => one.id === id);
  return id === ancestor || isWithin(items, item?.parentId ?? null, ancestor);
}

/** The place that results from a drop on `target`. */
export function placeOfDrop(items: readonly TreeItem[], target: TreeItem, drop: Drop): Place {
  if (drop === 'inside') return { parentId: target.id, beforeId: null };
  const { parentId } = target;
  return { parentId, beforeId: drop === 'before' ? target.id : followerOf(items, target) };
}
