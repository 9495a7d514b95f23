import { describe, expect, it } from 'vitest';
import { isUuid, uuidv7 } from './uuid.ts';

const ones = (bytes: Uint8Array): Uint8Array => bytes.fill(0xff);

describe('uuid', () => {
  it('[D-038] builds version 7: the time in the first 48 bits, then version and variant', () => {
    // The example of RFC 9562, appendix A.6, has this time.
    const key = uuidv7(0x017f22e279b0, ones);
    expect(key).toBe('017f22e2-79b0-7fff-bfff-ffffffffffff');
    expect(isUuid(key)).toBe(true);
  });

  it('orders keys by time', () => {
    const times = [1, 2 ** 31, 2 ** 32, 1_790_000_000_000];
    const keys = times.map((time) => uuidv7(time, ones));
    expect(keys.toSorted()).toEqual(keys);
  });

  it('refuses anything but a UUID', () => {
    for (const text of [
      '',
      'x',
      '017f22e279b07fffbfffffffffffffff',
      '017f22e2-79b0-7fff-bfff-fffffffffffg',
    ]) {
      expect(isUuid(text)).toBe(false);
    }
  });
});
