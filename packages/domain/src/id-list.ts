/** A compact list of ids: each is stored as its distance from the previous one. 100,000 ids of a busy week take about 100 kB. */
import { ByteReader, varint } from './varint.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** @param ids positive and ascending @throws RangeError otherwise */
export function encodeIds(ids: readonly number[]): Bytes {
  let last = 0;
  const bytes: number[] = [];
  for (const id of ids) {
    if (!Number.isSafeInteger(id) || id <= last) throw new RangeError(`${id} does not rise`);
    bytes.push(...varint(id - last));
    last = id;
  }
  return Uint8Array.from(bytes);
}

/** `undefined` unless the bytes are exactly those of `encodeIds`. */
export function decodeIds(bytes: Bytes): number[] | undefined {
  const reader = new ByteReader(bytes, 0);
  const ids: number[] = [];
  let last = 0;
  while (reader.at < bytes.length) {
    const step = reader.varint();
    if (step === undefined || step === 0 || !Number.isSafeInteger(last + step)) return undefined;
    last += step;
    ids.push(last);
  }
  return ids;
}
