// @vitest-environment jsdom
import { confirmIntent, settleIntent } from '@athos/app-core/intents/intent';
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

it.each([DEVICE_KEY, `${DEVICE_KEY}:${ADA}`])(
  'resumes an unknown outcome that an earlier release stored as %s, under the same key',
  (storageKey) => {
    const content = redeeming();
    localStorage.setItem(storageKey, JSON.stringify({ key: KEY, ...content, userUuid: ADA }));
    expect(redeemPlaceOf(BO).resume()).toBeUndefined();
    const place = redeemPlaceOf(ADA);
    expect(place.resume()).toEqual({ key: KEY, content, isAsked: true });
    expect(confirmIntent(place, content)).toEqual({ key: KEY, content, isRepeat: true });
    place.write(undefined);
    expect(Object.keys(localStorage)).toEqual([]);
  },
);

it('keeps the unknown outcome of each window until that window knows it', () => {
  const [bar, hall] = [redeemPlaceOf(ADA), redeemPlaceOf(ADA)];
  const first = confirmIntent(bar, redeeming());
  const second = confirmIntent(hall, redeeming());
  expect(second).toMatchObject({ isRepeat: false });
  expect(second.key).not.toBe(first.key);
  settleIntent(hall, second.key, 'done');
  expect(bar.read()?.key).toBe(first.key);
  expect(redeemPlaceOf(ADA).resume()?.key).toBe(first.key);
  settleIntent(bar, first.key, 'refused');
  expect(Object.keys(localStorage)).toEqual([]);
});

it('keeps the unknown outcome of each member of staff', () => {
  const { key } = confirmIntent(redeemPlaceOf(ADA), redeeming());
  const other = confirmIntent(redeemPlaceOf(BO), redeeming());
  expect(other.isRepeat).toBe(false);
  expect(redeemPlaceOf(ADA).resume()?.key).toBe(key);
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

it.each(['', '{', 'null', '3', '[]', '[null]', `{"userUuid":"${ADA}","key":"k","itemIds":["1"]}`])(
  'finds nothing in a spoilt storage: %s',
  (text) => {
    localStorage.setItem(`${DEVICE_KEY}:${ADA}`, text);
    expect(redeemPlaceOf(ADA).resume()).toBeUndefined();
  },
);
