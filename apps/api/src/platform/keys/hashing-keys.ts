/**
 * Keyed hashes of values that must not be stored in readable form: reward codes, devices, network places. The first key of `HASHING_KEYS`
 * hashes, and all of them find values that an earlier key hashed, so that keys can be rotated (decision 0049).
 */
import { createHmac } from 'node:crypto';
import { invariant } from '../errors.ts';

/** The hashes of a text under every key, the first key's first. */
export const hashesOf = (hashingKeys: readonly string[], what: string | Buffer): Buffer[] =>
  hashingKeys.map((key) => createHmac('sha256', key).update(what).digest());

/** The hash to store. */
export function hashOf(hashingKeys: readonly string[], what: string | Buffer): Buffer {
  const [hash] = hashesOf(hashingKeys.slice(0, 1), what);
  invariant(hash !== undefined, 'at least one hashing key is needed');
  return hash;
}

/** Whether one of the hashes is the stored one. */
export const isHashOf = (hashes: readonly Buffer[], stored: Buffer): boolean =>
  hashes.some((hash) => hash.equals(stored));
