/**
 * Merkle trees as in RFC 6962: nodes are paired from the left, and one without a partner goes up as it is. Whoever keeps the hashes over
 * each 64 leaves can prove a leaf from its 64 alone.
 */
import { hash } from 'node:crypto';
import { NODE_PREFIX } from '@athos/domain/receipt';

export const HASH_BYTES = 32;
export const CHUNK_LEAVES = 64;

export interface Step {
  readonly side: 'left' | 'right';
  readonly hash: Buffer;
}

const PREFIX = Buffer.of(NODE_PREFIX);

export const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');

function above(nodes: readonly Buffer[]): Buffer[] {
  const parents: Buffer[] = [];
  for (let at = 0; at < nodes.length; at += 2) {
    const [left, right] = nodes.slice(at, at + 2);
    if (left === undefined) break;
    parents.push(right === undefined ? left : sha256(Buffer.concat([PREFIX, left, right])));
  }
  return parents;
}

/** The root of no leaves is the hash of nothing. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  let nodes = leaves;
  while (nodes.length > 1) nodes = above(nodes);
  return nodes[0] ?? sha256(Buffer.alloc(0));
}

/** The hash over each 64 leaves. The last may have fewer below it. */
export const nodesOf = (leaves: readonly Buffer[]): Buffer[] =>
  Array.from({ length: Math.ceil(leaves.length / CHUNK_LEAVES) }, (_, index) =>
    rootOf(leaves.slice(index * CHUNK_LEAVES, (index + 1) * CHUNK_LEAVES)),
  );

export const splitNodes = (nodes: Buffer): Buffer[] =>
  Array.from({ length: nodes.length / HASH_BYTES }, (_, index) =>
    nodes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );

/** What leads from a leaf to the root of these. */
function pathAmong(leaves: readonly Buffer[], index: number): Step[] {
  const path: Step[] = [];
  for (let nodes = leaves, at = index; nodes.length > 1; nodes = above(nodes), at >>= 1) {
    const isRight = at % 2 === 1;
    const beside = nodes[isRight ? at - 1 : at + 1];
    if (beside !== undefined) path.push({ side: isRight ? 'left' : 'right', hash: beside });
  }
  return path;
}

/**
 * What leads from a leaf to the root, from the 64 leaves of its chunk and the hashes over all chunks. `undefined` if the leaves are not
 * those over which the hashes were made.
 */
export function pathTo(
  index: number,
  chunk: readonly Buffer[],
  nodes: readonly Buffer[],
): Step[] | undefined {
  const chunkIndex = Math.floor(index / CHUNK_LEAVES);
  if (nodes[chunkIndex]?.equals(rootOf(chunk)) !== true) return undefined;
  return [...pathAmong(chunk, index % CHUNK_LEAVES), ...pathAmong(nodes, chunkIndex)];
}
