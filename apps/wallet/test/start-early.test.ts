// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '../src/state/session.ts';
import { startEarly } from '../src/start-early.ts';
import { balanceOf } from '@athos/testing/answers';
import { problem, silence } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { answerOffers, wireCategory, wireOffer } from '@athos/testing/samples/catalogue';
import { FAKE_UUID, fakeToken, STAFF_UUID } from '@athos/testing/session';
import { CATEGORY_SIZES, OFFER_SIZES } from '@athos/ui/layout/card-sizes';
import { beginTest, endWholeTest, settle, startAt } from './whole-app.tsx';

const FILES = {
  app: '/assets/app.js',
  category: '/assets/price.js /assets/category.js',
  offer: '/assets/price.js /assets/offer.js',
};
const CATEGORY_PATH = '/app/marketplace/categories/7';
const OFFER_PATH = `${CATEGORY_PATH}/offers/1`;
const PICTURE = {
  id: 'a'.repeat(64),
  width: 1280,
  height: 960,
  widths: [320, 640],
  formats: ['webp' as const, 'avif' as const],
  alternative_text: '',
  crop_x: 50,
  crop_y: 50,
};

let backend: FakeBackend;
/** Reports a paint, because jsdom paints nothing. */
function tellPaint(...paints: { startTime: number }[]): void {
  Object.assign(performance, { getEntriesByName: () => paints });
}

beforeEach(() => {
  backend = beginTest();
  tellPaint();
});
afterEach(async () => {
  await endWholeTest();
  globalThis.earlyAnswers = undefined;
  delete document.documentElement.dataset['splash'];
  document.head.replaceChildren();
});

const splash = () => screen.queryByRole('status', { name: 'Athos is starting' });
const counts = () =>
  (['refreshJwt', 'categories', 'exchangeRate', 'tiers', 'category'] as const).map(
    (name) => backend.calls(name).length,
  );
/** `sizes` of the pictures that the page preloads. */
const pictures = () =>
  [...document.head.querySelectorAll<HTMLLinkElement>('link[rel="preload"]')].map(
    ({ imageSizes, imageSrcset, type }) => {
      expect(type).toBe('image/avif');
      expect(imageSrcset).toBe(
        `/media/${PICTURE.id}/320.avif 320w, /media/${PICTURE.id}/640.avif 640w`,
      );
      return imageSizes;
    },
  );
const preloads = () =>
  [...document.head.querySelectorAll('link[rel="modulepreload"]')].map((link) =>
    link.getAttribute('href'),
  );

/** Runs the page's head script with a stored token. */
async function runEarly(path: string): Promise<void> {
  localStorage.setItem('jwt', fakeToken());
  history.replaceState(null, '', path);
  startEarly(FILES);
  await vi.advanceTimersByTimeAsync(0);
}

describe('a signed-in start, before the app’s code has loaded,', () => {
  it('requests the refresh and public data, which the app does not request again', async () => {
    await runEarly('/app');
    expect(counts()).toEqual([1, 1, 1, 1, 0]);
    await startAt('/app');
    await settle(1200);
    expect(session.get().status).toBe('signed_in');
    expect(counts()).toEqual([1, 1, 1, 1, 0]);
    expect(screen.getByRole('heading', { name: 'Marketplace' })).toBeDefined();
  });

  it('requests the category that is opened', async () => {
    backend.answer('category', () => problem('not_found'));
    await runEarly(CATEGORY_PATH);
    expect(counts()).toEqual([1, 1, 1, 1, 1]);
    expect(backend.calls('category')[0]?.params).toEqual({ id: '7' });
  });

  it('requests the balance with the fresh token, once', async () => {
    const fresh = fakeToken(FAKE_UUID, 60);
    backend.answer('refreshJwt', () => ({ token: fresh, uuid: FAKE_UUID }));
    // An opened stream makes the app fetch the balance again.
    backend.answer('events', silence);
    await runEarly('/app');
    const sent = () => backend.calls('balance').map(({ headers }) => headers.get('authorization'));
    expect(sent()).toEqual([`Bearer ${fresh}`]);
    await startAt('/app');
    await settle(1200);
    expect(screen.getByText('1,234.57')).toBeDefined();
    expect(sent()).toHaveLength(1);
  });

  it('never shows a balance to another user than its own', async () => {
    backend.answer('events', silence);
    await runEarly('/app');
    const other = fakeToken(STAFF_UUID);
    localStorage.setItem('jwt', other);
    backend.answer('refreshJwt', () => ({ token: other, uuid: STAFF_UUID }));
    backend.answer('balance', () => balanceOf('7000000'));
    await startAt('/app');
    await settle(1200);
    expect(session.get()).toEqual({ status: 'signed_in', uuid: STAFF_UUID });
    expect(screen.getByText('7.00')).toBeDefined();
    expect(backend.calls('balance')).toHaveLength(2);
  });

  it('requests the offer that is opened with its picture, and not its whole category', async () => {
    answerOffers(backend, wireOffer(1, { picture: PICTURE }));
    await runEarly(OFFER_PATH);
    expect(pictures()).toEqual([OFFER_SIZES]);
    expect(preloads()).toEqual(['/assets/app.js', '/assets/price.js', '/assets/offer.js']);
    await startAt(OFFER_PATH);
    await settle(1200);
    expect(screen.getByRole('heading', { level: 1, name: 'Offer 1' })).toBeDefined();
    expect(backend.calls('offers')).toHaveLength(1);
    expect(counts()).toEqual([1, 1, 1, 1, 0]);
  });

  it('fetches the first pictures of home, in the sizes of their cards', async () => {
    const types = ['featured', 'row', 'grid'] as const;
    backend.answer('categories', () => ({
      categories: types.map((display_type, id) =>
        wireCategory(id, { display_type, picture: PICTURE }),
      ),
    }));
    await runEarly('/app');
    expect(pictures()).toEqual([CATEGORY_SIZES.featured, CATEGORY_SIZES.row]);
    document.head.replaceChildren();
    await runEarly('/app/cart');
    expect(pictures()).toEqual([]);
  });

  it('fetches the files of its first screen', async () => {
    await runEarly('/app');
    expect(preloads()).toEqual(['/assets/app.js']);
    document.head.replaceChildren();
    await runEarly(CATEGORY_PATH);
    expect(preloads()).toEqual(['/assets/app.js', '/assets/price.js', '/assets/category.js']);
  });

  it('shows the page’s splash', async () => {
    await runEarly('/app');
    expect(document.documentElement.dataset['splash']).toBe('app');
  });

  it('leaves everything to the app after a failure', async () => {
    backend.answer('refreshJwt', () => problem('internal_error'));
    await runEarly('/app');
    backend.answer('refreshJwt', () => ({ token: fakeToken(), uuid: 'u' }));
    await startAt('/app');
    expect(session.get()).toEqual({ status: 'signed_in', uuid: 'u' });
    expect(backend.calls('refreshJwt')).toHaveLength(2);
  });

  it('ignores responses older than 10 s', async () => {
    await runEarly('/app');
    await vi.advanceTimersByTimeAsync(10_000);
    await startAt('/app');
    expect(counts()).toEqual([2, 2, 2, 2, 0]);
  });
});

it.each([null, '', 'invalidated'])('does nothing with %o in the token’s place', (token) => {
  if (token === null) localStorage.removeItem('jwt');
  else localStorage.setItem('jwt', token);
  startEarly(FILES);
  expect(counts()).toEqual([0, 0, 0, 0, 0]);
  expect(preloads()).toEqual([]);
  expect(document.documentElement.dataset['splash']).toBeUndefined();
});

describe('the 1200 ms of the splash', () => {
  const paintedMsAgo = (ms: number): void => tellPaint({ startTime: performance.now() - ms });

  it('[S2-201] [D-145] begin when the page first shows it', async () => {
    await runEarly('/app');
    paintedMsAgo(500);
    await startAt('/app');
    await settle(699);
    expect(splash()).not.toBeNull();
    await settle(1);
    expect(splash()).toBeNull();
  });

  it('[S2-201] start over after a sign-in', async () => {
    await runEarly('/app');
    paintedMsAgo(500);
    backend.answer('refreshJwt', () => problem('session_ended'));
    globalThis.earlyAnswers = undefined;
    await startAt('/app');
    expect(session.get().status).toBe('signed_out');
    expect(document.documentElement.dataset['splash']).toBeUndefined();
  });
});
