import { expect, it } from 'vitest';
import { idOfAddress } from './movement-id.ts';

it('[S2-183] [S2-084] reads the numeric id after "=", or a bare one', () => {
  expect(idOfAddress('id=123', null)).toBe(123);
  expect(idOfAddress('123', null)).toBe(123);
});

it('falls back to the id in the navigation state', () => {
  expect(idOfAddress('details', { id: 77 })).toBe(77);
  expect(idOfAddress(undefined, { id: 77 })).toBe(77);
  for (const state of [null, {}, { id: '77' }, { id: 1.5 }, 'id=1'])
    expect(idOfAddress('x', state)).toBeUndefined();
});
