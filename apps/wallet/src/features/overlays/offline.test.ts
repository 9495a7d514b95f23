// @vitest-environment jsdom
import { isNetworkLost } from '@athos/app-core/network';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import { wireItem } from '@athos/testing/samples/purchases';
import { closeApp } from '../../../test/signed-in.tsx';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import {
  address,
  beginTest,
  endWholeTest,
  leavePage,
  settle,
  startAt,
} from '../../../test/whole-app.tsx';
import { session } from '../../state/session.ts';

const OTHER_UUID = '0192bbbb-0000-7000-8000-000000000002';
const REASON = 'You are offline. This works again as soon as the connection is back.';
const SEEN_TODAY = /^As of Nov 21, 2026, /;

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  backend.answer('myPurchases', () => ({ purchases: [wireItem(1, 10), wireItem(2, 10)] }));
  backend.answer('allHistory', () => ({
    history: [
      {
        type: 'Receive',
        data: {
          id: 7,
          date: '2026-11-05T12:00:00.000Z',
          amount: '3000000',
          asset: 'ATH',
          counterparty: OTHER_UUID,
        },
      },
    ],
    next_cursor: null,
  }));
  localStorage.setItem('jwt', fakeToken());
});
afterEach(endWholeTest);

const modal = () => screen.queryByRole('alertdialog', { name: 'Trying to reconnect' });
const readButton = () => screen.queryByRole('button', { name: 'See what was last known' });
const bar = () => screen.queryByText('Trying to reconnect', { selector: '[role=status] strong' });
const copies = (): string[] =>
  Object.keys(localStorage).filter((key) => key.startsWith('offline:'));

/** Waits for the splash, lazily loaded parts, their responses and the offline copies. */
async function startOnline(path: string) {
  const user = await startAt(path);
  await settle(1200);
  await settle(3000);
  await settle(1000);
  return user;
}

async function loseConnection(): Promise<void> {
  backend.setOnline(false);
  await settle(20_000);
}

/** Fires the event that a page gets before the browser reloads it or a phone ends it. */
function hidePage(): void {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  state.mockRestore();
}

/** Starts the app again without a network. */
async function startOffline(path: string) {
  leavePage();
  closeApp();
  backend.setOnline(false);
  const user = await startAt(path);
  await settle(4000);
  return user;
}

describe('a connection lost in the app', () => {
  it('[S2-198] offers the last known balance with its time, and says why sending is disabled', async () => {
    const user = await startOnline('/app');
    await loseConnection();
    expect(modal()).not.toBeNull();
    expect(screen.queryByText(SEEN_TODAY)).toBeNull();

    await user.click(screen.getByRole('button', { name: 'See what was last known' }));
    await settle();
    expect(modal()).toBeNull();
    expect(bar()).not.toBeNull();
    expect(screen.getByText('1,234.57', { exact: false })).toBeDefined();
    expect(screen.getByText(SEEN_TODAY)).toBeDefined();

    await user.click(screen.getByRole('link', { name: 'Send' }));
    await settle();
    const next = screen.getByRole<HTMLButtonElement>('button', { name: 'Next' });
    expect(next.disabled).toBe(true);
    expect(screen.getByText(REASON)).toBeDefined();

    backend.setOnline(true);
    await settle(3000);
    expect(modal()).toBeNull();
    expect(bar()).toBeNull();
    expect(screen.queryByText(REASON)).toBeNull();
  });

  it('shows the modal again at the next loss', async () => {
    const user = await startOnline('/app/settings');
    await loseConnection();
    await user.click(screen.getByRole('button', { name: 'See what was last known' }));
    backend.setOnline(true);
    await settle(3000);
    await loseConnection();
    expect(modal()).not.toBeNull();
  });

  it('does not cover a code that can still be scanned', async () => {
    await startOnline('/app/my-purchases/10/redeem');
    await settle(2000);
    const code = () => screen.queryByRole('img', { name: /QR code/ });
    expect(code()).not.toBeNull();
    backend.setOnline(false);
    await settle(18_000);
    expect(code()).not.toBeNull();
    expect(modal()).toBeNull();
    expect(bar()).not.toBeNull();
    // After 30 s the code is invalid.
    await settle(15_000);
    expect(code()).toBeNull();
    expect(modal()).not.toBeNull();
  });
});

describe('a start without a network', () => {
  it('[D-111] shows the last known purchases and history, with their time', async () => {
    await startOnline('/app');
    const user = await startOffline('/app/my-purchases');
    expect(session.get().status).toBe('starting');
    await user.click(screen.getByRole('button', { name: 'See what was last known' }));
    await settle(1200);
    await settle(1000);
    expect(modal()).toBeNull();
    expect(screen.getByText('Drink 1, Drink 2')).toBeDefined();
    expect(screen.getByText(SEEN_TODAY)).toBeDefined();
    const redeem = screen.getByRole<HTMLButtonElement>('button', {
      name: 'Redeem purchase as a group',
    });
    expect(redeem.disabled).toBe(true);
    expect(screen.getByText(REASON)).toBeDefined();

    await user.click(screen.getByRole('link', { name: 'Settings' }));
    await settle();
    await user.click(screen.getByRole('link', { name: 'History' }));
    await settle(5000);
    expect(screen.getByText(SEEN_TODAY)).toBeDefined();
    expect(screen.getByText('+3.00', { exact: false })).toBeDefined();
    // The start-up calls were not made, so none failed.
    expect(screen.queryByText('No answer from the server')).toBeNull();
  });

  it('shows purchases that arrived just before the page was left', async () => {
    const user = await startOnline('/app');
    backend.answer('myPurchases', () => ({
      purchases: [wireItem(1, 10), wireItem(2, 10), wireItem(3, 11)],
    }));
    await user.click(screen.getByRole('link', { name: 'Purchases' }));
    await settle(100);
    expect(screen.getByText('Drink 3')).toBeDefined();
    hidePage();
    const offline = await startOffline('/app/my-purchases');
    await offline.click(screen.getByRole('button', { name: 'See what was last known' }));
    await settle(1200);
    expect(screen.getByText('Drink 3')).toBeDefined();
  });

  it('continues with a fresh token as soon as the network is back', async () => {
    await startOnline('/app');
    const user = await startOffline('/app');
    await user.click(screen.getByRole('button', { name: 'See what was last known' }));
    await settle(20_000);
    const asked = backend.calls('refreshJwt').length;
    backend.setOnline(true);
    await settle(3000);
    expect(backend.calls('refreshJwt').length).toBe(asked + 1);
    expect(session.get()).toEqual({ status: 'signed_in', uuid: FAKE_UUID });
    expect(screen.queryByText(SEEN_TODAY)).toBeNull();
    expect(bar()).toBeNull();
  });

  it('asks for the newest page of the history without a cursor when the network is back', async () => {
    await startOnline('/app');
    const user = await startOffline('/app/history');
    await user.click(screen.getByRole('button', { name: 'See what was last known' }));
    await settle(5000);
    const before = backend.calls('allHistory').length;
    backend.setOnline(true);
    await settle(5000);
    const asked = backend.calls('allHistory').slice(before);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.map(({ query }) => query.get('cursor'))).toEqual(asked.map(() => null));
  });

  it('ends the session if the server refuses it, and deletes the copies', async () => {
    await startOnline('/app');
    const user = await startOffline('/app');
    await user.click(screen.getByRole('button', { name: 'See what was last known' }));
    await settle(2000);
    backend.answer('refreshJwt', () => new Response('{}', { status: 401 }));
    backend.setOnline(true);
    await settle(5000);
    expect(address()).toBe('/auth/sign-in');
    expect(copies()).toEqual([]);
  });

  it('does not offer an ended session at a later loss', async () => {
    await startOnline('/app');
    await startOffline('/app');
    expect(readButton()).not.toBeNull();
    backend.answer('refreshJwt', () => new Response('{}', { status: 401 }));
    backend.setOnline(true);
    await settle(5000);
    expect(address()).toBe('/auth/sign-in');
    isNetworkLost.set(true);
    backend.setOnline(false);
    await settle();
    expect(modal()).not.toBeNull();
    expect(readButton()).toBeNull();
  });

  it.each([
    ['of another user', () => localStorage.setItem('jwt', fakeToken(OTHER_UUID))],
    ['past the end of the token', () => localStorage.setItem('jwt', fakeToken(FAKE_UUID, -1))],
    [
      'of another build',
      () => {
        for (const key of copies()) {
          const copy = JSON.parse(localStorage.getItem(key) ?? '') as object;
          localStorage.setItem(key, JSON.stringify({ ...copy, build: 'another' }));
        }
      },
    ],
  ])('offers nothing %s', async (_, change) => {
    await startOnline('/app');
    expect(copies()).toHaveLength(6);
    change();
    await startOffline('/app');
    expect(modal()).not.toBeNull();
    expect(readButton()).toBeNull();
  });
});

it('shows the modal again to a visitor who signed out while reading offline', async () => {
  const user = await startOnline('/app/settings');
  await loseConnection();
  await user.click(screen.getByRole('button', { name: 'See what was last known' }));
  await settle();
  await user.click(screen.getByRole('button', { name: 'Sign Out' }));
  await settle(1000);
  expect(address()).toBe('/auth/sign-in');
  expect(modal()).not.toBeNull();
  expect(readButton()).toBeNull();
});

it('keeps nothing after signing out', async () => {
  const user = await startOnline('/app/settings');
  expect(copies()).toContain(`offline:${FAKE_UUID}:balance`);
  await user.click(screen.getByRole('button', { name: 'Sign Out' }));
  await settle(20_000);
  expect(copies()).toEqual([]);
});
