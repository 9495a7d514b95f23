import { describe, expect, it } from 'vitest';
import { contrast, isReadableGround, wantsDarkInk } from './colour.ts';

const INKS = { ink: '#1d0d14', paper: '#fff8ee' };

describe('contrast', () => {
  it('is 21 between black and white, and 1 between equals', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#bd7d47', '#bd7d47')).toBe(1);
  });
});

describe('a ground for text', () => {
  it('takes dark ink if it is light, and is refused where neither ink can be read', () => {
    expect([wantsDarkInk('#ffffff'), wantsDarkInk('#2b2433')]).toEqual([true, false]);
    expect(isReadableGround('#d9a935', INKS)).toBe(true);
    expect(isReadableGround('#2b2433', INKS)).toBe(true);
    expect(isReadableGround('#767676', INKS)).toBe(false);
  });
});
