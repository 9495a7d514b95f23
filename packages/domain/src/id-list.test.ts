import { describe, expect, it } from 'vitest';
import { decodeIds, encodeIds } from './id-list.ts';

describe('a list of ids', () => {
  it.each([[[]], [[1]], [[1, 2, 3, 1000, 2 ** 40]], [[Number.MAX_SAFE_INTEGER]]])(
    'of %j is read as it was written',
    (ids) => {
      expect(decodeIds(encodeIds(ids))).toEqual(ids);
    },
  );

  it.each([[[0]], [[2, 2]], [[2, 1]], [[1.5]]])('cannot hold %j', (ids) => {
    expect(() => encodeIds(ids)).toThrow(RangeError);
  });

  it.each([
    ['a step of 0', [1, 0]],
    ['a number that does not end', [0x80]],
    ['a number in a longer form', [0x81, 0x00]],
  ])('with %s is not read', (_, bytes) => {
    expect(decodeIds(Uint8Array.from(bytes))).toBeUndefined();
  });
});
