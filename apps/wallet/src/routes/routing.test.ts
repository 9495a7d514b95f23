// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem } from '@athos/testing/fake-api';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { address, beginTest, endWholeTest, settle, startAt } from '../../test/whole-app.tsx';
import type { RouteObject } from 'react-router';
import { session } from '../state/session.ts';
import { routeTable } from './route-table.ts';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endWholeTest);

/** Starts the app with a token that the server accepts. */
async function startSignedIn(path: string) {
  localStorage.setItem('jwt', fakeToken());
  const user = await startAt(path);
  await settle(1200);
  return user;
}

function expectFooter(): void {
  const footer = within(screen.getByRole('contentinfo'));
  expect(footer.getByText(/^powered by$/i)).toBeDefined();
  expect(footer.getByRole('img', { name: 'Meridian Pay' })).toBeDefined();
}

const AUTH_PATHS = [
  '/auth',
  '/auth/get-started',
  '/auth/choose',
  '/auth/sign-up',
  '/auth/verify-account?code=x',
  '/auth/sign-in',
  '/auth/forgot-password',
  '/auth/reset-password?code=x',
  '/auth/unknown',
];

describe('a signed-in user', () => {
  it.each(['/', ...AUTH_PATHS])('[S2-003] [S2-004] [S6-001] on %s goes to /app', async (path) => {
    await startSignedIn(path);
    expect(address()).toBe('/app');
    expect(backend.calls('verify')).toHaveLength(0);
  });

  it('is offered a way out of an unknown address', async () => {
    const user = await startSignedIn('/app/nowhere');
    expect(screen.getByRole('heading', { name: 'This page does not exist' })).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'Go to start page' }));
    await settle();
    expect(address()).toBe('/app');
  });

  it('[S2-085] can open Update Password from the settings', async () => {
    await startSignedIn('/app/settings/update-password');
    expect(screen.getByRole('heading', { level: 1, name: 'Update Password' })).toBeDefined();
  });

  it('[S2-087] sees home, purchases, settings, wallet and cart in this order in the navigation', async () => {
    const user = await startSignedIn('/app');
    const navigation = within(screen.getByRole('navigation', { name: 'Main navigation' }));
    const targets = () => navigation.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(targets()).toEqual([
      '/app',
      '/app/my-purchases',
      '/app/settings',
      '/app/wallet',
      '/app/cart',
    ]);
    await user.click(navigation.getByRole('link', { name: 'Settings' }));
    await settle();
    expect(address()).toBe('/app/settings');
    expect(navigation.getByRole('link', { current: 'page' }).textContent).toBe('Settings');
  });
});

describe('the route tree', () => {
  const branches = (routes: readonly RouteObject[], above = ''): string[] =>
    routes.flatMap(({ path = '', children = [] }) => {
      const address = `${above}/${path}`.replace(/\/+/g, '/');
      return [address, ...branches(children, address)];
    });

  it('[S2-001] has two branches, /auth and /app, the legal texts and shared receipts', () => {
    const tops = branches(routeTable).map((address) => `/${address.split('/')[1]}`);
    expect([...new Set(tops)].toSorted()).toEqual([
      '/',
      '/*',
      '/app',
      '/auth',
      '/privacy',
      '/receipt',
      '/terms',
      '/user-data-deletion',
    ]);
  });

  it.each(AUTH_PATHS)(
    "[S2-001] [S1-027] shows a visitor %s with the 'powered by' footer",
    async (path) => {
      await startAt(path);
      expectFooter();
    },
  );

  it.each([
    '/app',
    '/app/marketplace/categories/7',
    '/app/marketplace/categories/7/offers/1',
    '/app/cart',
    '/app/my-purchases',
    '/app/my-purchases/5/redeem',
    '/app/tiers',
    '/app/wallet',
    '/app/buy',
    '/app/redeem?code=x',
    '/app/send',
    '/app/send/recipient',
    '/app/history',
    '/app/history/id=123',
    '/app/settings',
    '/app/settings/update-password',
    '/app/settings/delete-account',
  ])("[S2-001] [S1-027] shows a member %s with the 'powered by' footer", async (path) => {
    await startSignedIn(path);
    expect(address()).toBe(path);
    expect(screen.queryByText('This page does not exist')).toBeNull();
    expectFooter();
  });
});

describe('a signed-out user', () => {
  const paths = ['/', '/auth', '/app', '/app/wallet', '/app/history/id=5', '/APP/wallet', '/app/x'];

  it.each(paths)(
    '[S2-006] [S6-001] on %s goes to /auth/get-started at the first visit',
    async (path) => {
      await startAt(path);
      expect(address()).toBe('/auth/get-started');
    },
  );

  it.each(paths)('[S2-005] on %s goes to /auth/sign-in after a session', async (path) => {
    localStorage.setItem('had-previous-session', 'true');
    await startAt(path);
    expect(address()).toBe('/auth/sign-in');
  });

  it('[S2-007] has the intended path and its query remembered', async () => {
    await startAt('/app/history?type=Send&x=%20y');
    expect(localStorage.getItem('intended-route')).toBe('/app/history?type=Send&x=%20y');
  });

  it('has nothing remembered for an address outside /app', async () => {
    await startAt('/');
    expect(localStorage.getItem('intended-route')).toBeNull();
  });

  it('[S6-002] loads no startup data', async () => {
    await startAt('/auth/get-started');
    await settle(20_000);
    const names = ['balance', 'exchangeRate', 'categories', 'tiers'] as const;
    expect(names.map((name) => backend.calls(name).length)).toEqual([0, 0, 0, 0]);
  });

  it('can read terms and privacy without an account', async () => {
    await startAt('/privacy');
    expect(screen.getByRole('heading', { name: 'Privacy Policy' })).toBeDefined();
  });

  it('is offered a way out of an unknown address', async () => {
    await startAt('/nowhere');
    expect(screen.getByRole('heading', { name: 'This page does not exist' })).toBeDefined();
  });
});

describe('the remembered route', () => {
  it('belongs to the account whose session ended there', async () => {
    await startSignedIn('/app/wallet');
    backend.answer('balance', () => problem('session_ended'));
    await settle(15_000);
    expect(address()).toBe('/auth/sign-in');
    expect(screen.getByText('Your session has ended. Please sign in again.')).toBeDefined();
    expect(localStorage.getItem('intended-route')).toBe('/app/wallet');
    expect(localStorage.getItem('intended-route-owner')).toBe(FAKE_UUID);
  });
});

describe('navigation', () => {
  it('[S2-002] waits for the session before it resolves a route', async () => {
    localStorage.setItem('jwt', fakeToken());
    let release: () => void = () => undefined;
    backend.answer('refreshJwt', async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { token: fakeToken(), uuid: FAKE_UUID };
    });
    await startAt('/auth/sign-in');
    expect(session.get().status).toBe('starting');
    expect(address()).toBe('/auth/sign-in');
    expect(screen.queryByRole('heading')).toBeNull();
    expect(screen.getByRole('status', { name: 'Athos is starting' })).toBeDefined();
    release();
    await settle(1200);
    expect(address()).toBe('/app');
  });

  it('moves the focus to the new screen and gives it its title', async () => {
    const user = await startAt('/auth/get-started');
    expect(document.title).toBe('Welcome to Athos Rewards · Athos');
    await user.click(screen.getByRole('link', { name: 'Get Started' }));
    await settle();
    expect(document.activeElement).toBe(screen.getByRole('main'));
    expect(document.title).toBe('Your Athos Rewards wallet · Athos');
  });

  it("keeps the screen when the session changes, so that 'Signed In!' can be read", async () => {
    await startAt('/auth/sign-in');
    act(() => session.set({ status: 'signed_in', uuid: FAKE_UUID }));
    await settle();
    expect(address()).toBe('/auth/sign-in');
  });
});

it('fetches the category of a link while the splash screen is shown', async () => {
  localStorage.setItem('jwt', fakeToken());
  await startAt('/app/marketplace/categories/7');
  await settle(600);
  expect(screen.getByRole('status', { name: 'Athos is starting' })).toBeDefined();
  expect(backend.calls('category').map(({ params }) => params['id'])).toEqual(['7']);
});
