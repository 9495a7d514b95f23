// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '../src/state/session.ts';
import { startEarly } from '../src/start-early.ts';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { fakeToken } from '@athos/testing/session';
import { beginTest, endWholeTest, settle, startAt } from './whole-app.tsx';

const FILES = { app: '/assets/app.js', category: '/assets/price.js /assets/category.js' };
const CATEGORY_PATH = '/app/marketplace/categories/7';

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
