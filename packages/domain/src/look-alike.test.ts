import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareGroups, looksLike } from './look-alike.ts';

const KNOWN = '3f9c1d7a-5e21-4c0b-9a44-71d2e8b0c6f5';

it.each([
  ['3f9c1d00-0000-4000-8000-000000000000', true],
  ['3F9C1D00-0000-4000-8000-000000000000', true],
  ['00000000-0000-4000-8000-000000b0c6f5', true],
  ['3f9c1e7a-5e21-4c0b-9a44-71d2e8b0c6f4', false],
  ['003f9c1d-5e21-4c0b-9a44-71d2e8b0c600', false],
  [KNOWN, false],
  [KNOWN.toUpperCase(), false],
])(
  '[W-075] [W-076] compares the first and the last six digits with a known address: %s',
  (address, isAlike) => {
    expect(looksLike(address, KNOWN)).toBe(isAlike);
    expect(looksLike(KNOWN, address)).toBe(isAlike);
  },
);

it('[W-075] finds every address whose beginning or end was made equal', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.boolean(), (known, other, isBeginning) => {
      const forged = isBeginning
        ? known.slice(0, 6) + other.slice(6)
        : other.slice(0, -6) + known.slice(-6);
      expect(looksLike(forged, known)).toBe(forged !== known);
    }),
  );
});

it('marks the groups that differ', () => {
  const groups = compareGroups('3f9c1d7a-5e21-4c0b-9a44-71d2e8b0c6f6', KNOWN);
  expect(groups.map(({ isDifferent }) => isDifferent)).toEqual([false, false, false, false, true]);
  expect(groups.map(({ text }) => text).join('-')).toBe('3f9c1d7a-5e21-4c0b-9a44-71d2e8b0c6f6');
});
