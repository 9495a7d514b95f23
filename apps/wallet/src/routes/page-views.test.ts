// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeToken } from '@athos/testing/session';
import { beginTest, endWholeTest, settle, startAt } from '../../test/whole-app.tsx';
import { pageViewChoice } from '../state/page-views.ts';
import { parseSettings, type Settings } from '../state/settings.ts';

const VIEWS_URL = 'https://views.example/api/event';
const CONFIGURED = { analyticsUrl: VIEWS_URL, analyticsDomain: 'wallet.example' };

let current: Settings;
vi.mock(import('../state/settings.ts'), async (original) => ({
  ...(await original()),
  settings: () => current,
}));

/** The requests sent to the analytics service. */
let sent: { init: RequestInit; body: unknown }[];

beforeEach(() => {
  beginTest();
  current = { ...parseSettings(''), ...CONFIGURED };
  sent = [];
  const inner = globalThis.fetch;
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init: RequestInit = {}) => {
    if (input !== VIEWS_URL) return inner(input, init);
    sent.push({ init, body: JSON.parse(init.body as string) });
    return Promise.resolve(new Response(null, { status: 202 }));
  });
});
afterEach(async () => {
  await endWholeTest();
  pageViewChoice.set(undefined);
  vi.unstubAllGlobals();
});

const allow = (): void => pageViewChoice.set('allowed');
const view = (path: string) => ({
  name: 'pageview',
  url: `https://wallet.example${path}`,
  domain: 'wallet.example',
});
const views = () => sent.map(({ body }) => body);
const question = () =>
  screen.queryByRole('region', { name: 'May we count which pages are opened?' });

async function startSignedIn(path: string) {
  localStorage.setItem('jwt', fakeToken());
  const user = await startAt(path);
  await settle(1200);
  return user;
}

describe('page views', () => {
  it('[S2-011] are sent to the configured service at every navigation, without the query', async () => {
    allow();
    const user = await startAt('/auth/forgot-password?email=ada%40example.com');
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await settle();
    await user.click(screen.getByRole('link', { name: 'Sign Up' }));
    await settle();
    expect(views()).toEqual([
      view('/auth/forgot-password'),
      view('/auth/sign-in'),
      view('/auth/sign-up'),
    ]);
  });

  it.each([
    ['/app/history/id=123', '/app/history/:id'],
    [
      '/app/marketplace/categories/7/offers/9',
      '/app/marketplace/categories/:categoryId/offers/:id',
    ],
    ['/app/my-purchases/5/redeem?itemId=6', '/app/my-purchases/:id/redeem'],
    ['/app/no/such/page-4711', '/app/*'],
    ['/nowhere/4711', '/*'],
    ['/app', '/app'],
  ])('report only the pattern of %s', async (path, pattern) => {
    allow();
    await startSignedIn(path);
    expect(views()).toEqual([view(pattern)]);
  });

  it('carry no referrer and no cookie', async () => {
    allow();
    await startAt('/auth/get-started');
    expect(sent[0]?.init).toMatchObject({ referrerPolicy: 'no-referrer', credentials: 'omit' });
    expect(sent[0]?.init.body).not.toContain('referrer');
  });

  it('do not disturb the app when they are blocked', async () => {
    allow();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await startAt('/auth/get-started');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('link', { name: 'Get Started' })).toBeDefined();
  });

  it('are not sent without configuration, even after consent, and the user is not asked', async () => {
    current = parseSettings('{"analyticsUrl":null}');
    allow();
    await startSignedIn('/app');
    act(() => pageViewChoice.set(undefined));
    await settle();
    expect(sent).toEqual([]);
    expect(question()).toBeNull();
  });

  it('are off if the page has no readable settings', () => {
    const off = { analyticsUrl: null, analyticsDomain: null };
    expect(parseSettings('{}')).toMatchObject(off);
    expect(parseSettings('')).toMatchObject(off);
    expect(parseSettings(JSON.stringify(CONFIGURED))).toMatchObject(CONFIGURED);
  });
});

describe('consent', () => {
  it('is requested on home, with two equal buttons, and nothing is sent before that', async () => {
    await startSignedIn('/app/settings');
    expect(question()).toBeNull();
    screen.getByRole('link', { name: 'Home' }).click();
    await settle();
    const buttons = within(question() as HTMLElement).getAllByRole('button');
    expect(buttons.map(({ textContent }) => textContent)).toEqual(["Don't allow", 'Allow']);
    expect(new Set(buttons.map(({ className }) => className)).size).toBe(1);
    expect(sent).toEqual([]);
  });

  it('takes effect at once, and is remembered', async () => {
    const user = await startSignedIn('/app');
    await user.click(screen.getByRole('button', { name: 'Allow' }));
    await settle();
    expect(question()).toBeNull();
    expect(views()).toEqual([view('/app')]);
    expect(localStorage.getItem('page-views')).toBe('allowed');
  });

  it('is not requested again after a refusal', async () => {
    const user = await startSignedIn('/app');
    await user.click(screen.getByRole('button', { name: "Don't allow" }));
    await user.click(screen.getByRole('link', { name: 'Settings' }));
    await settle();
    await user.click(screen.getByRole('link', { name: 'Home' }));
    await settle();
    expect(question()).toBeNull();
    expect(sent).toEqual([]);
    expect(localStorage.getItem('page-views')).toBe('refused');
  });

  it('can be withdrawn and given in the settings, and applies to all tabs', async () => {
    allow();
    const user = await startSignedIn('/app/settings');
    expect(views()).toEqual([view('/app/settings')]);
    await user.click(screen.getByRole('radio', { name: "Don't allow" }));
    await user.click(screen.getByRole('link', { name: 'Wallet' }));
    await settle();
    expect(sent).toHaveLength(1);
    localStorage.setItem('page-views', 'allowed');
    act(() => void dispatchEvent(new StorageEvent('storage', { key: 'page-views' })));
    await settle();
    expect(views().slice(1)).toEqual([view('/app/wallet')]);
  });

  it.each([
    ['Global Privacy Control', { globalPrivacyControl: true }],
    ['Do Not Track', { doNotTrack: '1' }],
  ])('is refused by %s, and the user is not asked', async (_name, signal) => {
    vi.stubGlobal(
      'navigator',
      new Proxy(navigator, {
        get: (target, name) => {
          if (name in signal) return (signal as Record<PropertyKey, unknown>)[name];
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
    );
    const user = await startSignedIn('/app');
    expect(question()).toBeNull();
    allow();
    await user.click(screen.getByRole('link', { name: 'Settings' }));
    await settle();
    expect(screen.queryByRole('radio', { name: 'Allow' })).toBeNull();
    expect(
      screen.getByText('Your browser asks websites not to track you, so nothing is counted.'),
    ).toBeDefined();
    expect(sent).toEqual([]);
  });
});
