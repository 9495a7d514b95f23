// @vitest-environment jsdom
import { confirmIntent } from '@athos/app-core/intents/intent';
import { afterEach, expect, it, vi } from 'vitest';
import { redeemPlaceOf, type Redeeming } from './redeem-intent.ts';

const ADA = '0192aaaa-0000-7000-8000-000000000001';
const BO = '0192bbbb-0000-7000-8000-000000000002';
const KEY = '0192cccc-0000-7000-8000-000000000003';
const HOUR_MS = 3_600_000;
/** The key under which release 412b930 stored one intent for the whole device. */
const DEVICE_KEY = 'scanner-redeem-intent';

const redeeming = (): Redeeming => ({
  payload: 'a code',
  venueId: 3,
  venueName: 'Harbour Bar',
  itemIds: [1, 2],
  confirmedAtMs: Date.now(),
});

afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

it('resumes an unknown outcome of an earlier release, under the same key', () => {
  const content = redeeming();
  const left = { key: KEY, ...content, userUuid: ADA };
  localStorage.setItem(DEVICE_KEY, JSON.stringify(left));
  expect(redeemPlaceOf(BO).read()).toBeUndefined();
  const repeat = confirmIntent(redeemPlaceOf(ADA), { ...content, itemIds: [9] });
  expect(repeat).toEqual({ key: KEY, content, isRepeat: true });
  redeemPlaceOf(ADA).write(undefined);
  expect(Object.keys(localStorage)).toEqual([]);
});

it('keeps the unknown outcome of each member of staff', () => {
  const { key } = confirmIntent(redeemPlaceOf(ADA), redeeming());
  const other = confirmIntent(redeemPlaceOf(BO), redeeming());
  expect(other.isRepeat).toBe(false);
  expect(redeemPlaceOf(ADA).read()?.key).toBe(key);
});

it('keeps nothing once the outcome is known, or after half a day', () => {
  const place = redeemPlaceOf(ADA);
  vi.useFakeTimers();
  confirmIntent(place, redeeming());
  vi.setSystemTime(Date.now() + 12 * HOUR_MS);
  expect(place.read()).toBeUndefined();
  const { key, content } = confirmIntent(place, redeeming());
  place.write({ key, content, isAsked: false });
  expect(place.read()).toBeUndefined();
});

it.each(['', '{', 'null', '3', '[]', `{"userUuid":"${ADA}","key":"k","itemIds":["1"]}`])(
  'finds nothing in a spoilt storage: %s',
  (text) => {
    localStorage.setItem(`${DEVICE_KEY}:${ADA}`, text);
    expect(redeemPlaceOf(ADA).read()).toBeUndefined();
  },
);
