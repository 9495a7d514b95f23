/** The shape of the category tree, as pure functions. */
import { CATEGORY_DEPTH_MAX } from '@athos/contract/console/categories';

export interface TreeNode {
  readonly id: number;
  readonly parent_id: number | null;
  readonly position: number;
  readonly archived_at: Date | null;
}

/** The ids of a category and its ancestors, from itself to the top. */
export function lineageOf(nodes: ReadonlyMap<number, TreeNode>, id: number | null): number[] {
  const node = id === null ? undefined : nodes.get(id);
  return node === undefined ? [] : [node.id, ...lineageOf(nodes, node.parent_id)];
}

/** The number of levels of a category and its descendants. */
function heightOf(nodes: readonly TreeNode[], id: number): number {
  const below = nodes.filter(({ parent_id: parentId }) => parentId === id);
  return 1 + Math.max(0, ...below.map((child) => heightOf(nodes, child.id)));
}

/** The reason why a category cannot be below this parent; `undefined` if it can. */
export function placeFault(
  nodes: readonly TreeNode[],
  { id, parentId }: { readonly id: number | undefined; readonly parentId: number | null },
): string | undefined {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parent = parentId === null ? undefined : byId.get(parentId);
  if (parentId !== null && parent === undefined) return 'The parent does not exist.';
  const isArchived = id !== undefined && byId.get(id)?.archived_at !== null;
  if (parent !== undefined && parent.archived_at !== null && !isArchived) {
    return 'The parent is archived.';
  }
  const above = lineageOf(byId, parentId);
  if (id !== undefined && above.includes(id)) {
    return 'A category cannot be below itself.';
  }
  const depth = above.length + (id === undefined ? 1 : heightOf(nodes, id));
  return depth > CATEGORY_DEPTH_MAX
    ? `The tree has ${CATEGORY_DEPTH_MAX} levels at most.`
    : undefined;
}

/** The ids of the siblings in their new order, with `id` before `beforeId`, or last. */
export function reordered(
  nodes: readonly TreeNode[],
  { id, parentId, beforeId }: { id: number; parentId: number | null; beforeId: number | null },
): number[] {
  const others = nodes
    .filter((node) => node.parent_id === parentId && node.id !== id)
    .toSorted((one, other) => one.position - other.position || one.id - other.id)
    .map((node) => node.id);
  const at = beforeId === null ? -1 : others.indexOf(beforeId);
  return at === -1 ? [...others, id] : [...others.slice(0, at), id, ...others.slice(at)];
}
