import { describe, expect, it } from 'vitest';
import { compressPoint, decompressPoint } from '@athos/domain/p256';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

describe('decompressPoint', () => {
  it('finds the point of every compressed key', async () => {
    for (let count = 0; count < 20; count += 1) {
      const { publicKey } = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
      const point = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
      expect(decompressPoint(compressPoint(point))).toEqual(point);
    }
  });

  it.each([
    ['a coordinate that is on no point', [2, ...new Uint8Array(31), 1]],
    ['a coordinate above the field', [2, ...new Uint8Array(32).fill(0xff)]],
    ['an unknown sign', [4, ...new Uint8Array(32).fill(1)]],
    ['too few bytes', [2, 1, 2]],
  ])('refuses %s', (_, bytes) => {
    expect(decompressPoint(Uint8Array.from(bytes))).toBeUndefined();
  });
});
