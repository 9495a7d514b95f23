/**
 * Merkle trees as in RFC 6962: nodes are paired from the left, and one without a partner moves up unchanged. With the stored hashes over
 * each 64 leaves, a leaf can be proved from its own 64 leaves.
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

/** The root of an empty list is the hash of no bytes. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  let nodes = leaves;
  while (nodes.length > 1) nodes = above(nodes);
  return nodes[0] ?? sha256(Buffer.alloc(0));
}

/** The hashes over each 64 leaves. The last one may cover fewer. */
export const nodesOf = (leaves: readonly Buffer[]): Buffer[] =>
  Array.from({ length: Math.ceil(leaves.length / CHUNK_LEAVES) }, (_, index) =>
    rootOf(leaves.slice(index * CHUNK_LEAVES, (index + 1) * CHUNK_LEAVES)),
  );

export const splitNodes = (nodes: Buffer): Buffer[] =>
  Array.from({ length: nodes.length / HASH_BYTES }, (_, index) =>
    nodes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );

/** The path from a leaf to the root of these leaves. */
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
 * The path from a leaf to the root, from the 64 leaves of its chunk and the hashes over all chunks. `undefined` if the leaves do not
 * match the hash of their chunk.
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
