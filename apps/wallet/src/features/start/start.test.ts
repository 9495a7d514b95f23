// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem, silence } from '@athos/testing/fake-api';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';
import { forgotPassword, resetPassword, signIn, signUp, verifyAccount } from '../../api/session.ts';
import { signOut } from '../../api/sign-out.ts';
import { session } from '../../state/session.ts';

const MARKER = 'invalidated';
const splash = () => screen.queryByRole('status', { name: 'Athos is starting' });
const reconnecting = () => screen.queryByRole('alertdialog', { name: 'Trying to reconnect' });

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endWholeTest);

/** How often each start-up call was made. */
const startUpCounts = () =>
  (['balance', 'exchangeRate', 'categories', 'tiers'] as const).map(
    (name) => backend.calls(name).length,
  );

describe('session start', () => {
  it('[S4-001] [S7-006] [S4-002] [S3-001] refreshes a stored token and stores the new one', async () => {
    const old = fakeToken(FAKE_UUID, 1000);
    localStorage.setItem('jwt', old);
    backend.answer('refreshJwt', () => ({ token: 'a.new.token', uuid: FAKE_UUID }));
    await startAt('/app');
    expect(backend.calls('refreshJwt').map(({ query }) => query.get('token'))).toEqual([old]);
    expect(localStorage.getItem('jwt')).toBe('a.new.token');
    expect(session.get()).toEqual({ status: 'signed_in', uuid: FAKE_UUID });
  });

  it('[S4-003] [S7-033] [S7-036] fetches balance and rate and polls them every 15 s and 6 s', async () => {
    localStorage.setItem('jwt', fakeToken());
    await startAt('/app');
    await settle(1200);
    expect(
      startUpCounts()
        .slice(0, 2)
        .every((count) => count > 0),
    ).toBe(true);
    // Each poll comes exactly one interval after the previous one.
    const askedAt: Record<'balance' | 'exchangeRate', number[]> = { balance: [], exchangeRate: [] };
    backend.answer('balance', () => {
      askedAt.balance.push(Date.now());
      return { balance: '1', balances: { ATH: '1', ATH2: '0', ATH3: '0' } };
    });
    backend.answer('exchangeRate', () => {
      askedAt.exchangeRate.push(Date.now());
      return { exchange_rate: 0.2 };
    });
    await settle(46_000);
    const pauses = (times: number[]) => times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(pauses(askedAt.balance)).toEqual([15_000, 15_000]);
    expect(pauses(askedAt.exchangeRate)).toEqual(Array(6).fill(6000));
  });

  it('[S4-001] [S3-002] [S4-005] starts signed out with the marker, without a call', async () => {
    localStorage.setItem('jwt', MARKER);
    localStorage.setItem('had-previous-session', 'true');
    await startAt('/');
    expect(backend.calls('refreshJwt')).toHaveLength(0);
    expect(session.get().status).toBe('signed_out');
    expect(address()).toBe('/auth/sign-in');
  });

  it('[S4-005] [S3-003] [D-138] starts signed out without a token; only the flag records an earlier session', async () => {
    localStorage.setItem('had-previous-session', 'true');
    await startAt('/');
    expect(session.get().status).toBe('signed_out');
    expect(address()).toBe('/auth/sign-in');
  });

  it('continues with the token that another tab has stored meanwhile', async () => {
    localStorage.setItem('jwt', fakeToken(FAKE_UUID, 1000));
    backend.answer('refreshJwt', () => {
      localStorage.setItem('jwt', fakeToken(FAKE_UUID, 2000));
      return { token: 'a.new.token', uuid: FAKE_UUID };
    });
    await startAt('/app');
    expect(session.get()).toEqual({ status: 'signed_in', uuid: FAKE_UUID });
    expect(localStorage.getItem('jwt')).toBe(fakeToken(FAKE_UUID, 2000));
  });

  it('starts signed out if another tab has signed out meanwhile', async () => {
    localStorage.setItem('jwt', fakeToken());
    backend.answer('refreshJwt', () => {
      localStorage.setItem('jwt', MARKER);
      return { token: 'a.new.token', uuid: FAKE_UUID };
    });
    await startAt('/app');
    expect(session.get().status).toBe('signed_out');
    expect(localStorage.getItem('jwt')).toBe(MARKER);
  });

  // 400, 401 and 403.
  it.each(['invalid_request', 'session_ended', 'forbidden'] as const)(
    '[S4-004] [S4-008] [D-139] marks the token when the server refuses it with %s',
    async (code) => {
      localStorage.setItem('jwt', fakeToken());
      backend.answer('refreshJwt', () => problem(code));
      await startAt('/app/wallet');
      expect(localStorage.getItem('jwt')).toBe(MARKER);
      expect(localStorage.getItem('had-previous-session')).toBe('true');
      expect(session.get().status).toBe('signed_out');
      expect(address()).toBe('/auth/sign-in');
      expect(backend.calls('refreshJwt')).toHaveLength(1);
    },
  );

  it.each([
    ['a 500', () => problem('internal_error')],
    ['a 503', () => problem('overloaded')],
    ['a 429', () => problem('too_many_requests')],
    ['no answer', silence],
  ])(
    "[S4-004] after %s keeps token and shell, shows 'Trying to reconnect' and tries again",
    async (_, answer) => {
      const token = fakeToken();
      localStorage.setItem('jwt', token);
      backend.answer('refreshJwt', answer);
      await startAt('/app');
      await settle(10_500);
      expect(localStorage.getItem('jwt')).toBe(token);
      expect(session.get().status).toBe('starting');
      expect(splash()).not.toBeNull();
      expect(reconnecting()).not.toBeNull();
      backend.answer('refreshJwt', () => ({ token: fakeToken(), uuid: FAKE_UUID }));
      await settle(60_000);
      expect(session.get().status).toBe('signed_in');
      await settle(1200);
      expect(reconnecting()).toBeNull();
      expect(splash()).toBeNull();
    },
  );

  it('[D-066] refreshes a valid token however long the app was closed', async () => {
    localStorage.setItem('jwt', fakeToken());
    localStorage.setItem('last-activity', String(Date.now() - 3_600_000));
    await startAt('/app');
    await settle(1200);
    expect(session.get().status).toBe('signed_in');
    expect(screen.queryByText(/You were away too long/)).toBeNull();
  });

  it('[D-061] refreshes again halfway through the token’s lifetime', async () => {
    localStorage.setItem('jwt', fakeToken(FAKE_UUID, 1000));
    localStorage.setItem('timer', '10000000');
    backend.answer('refreshJwt', () => ({ token: fakeToken(FAKE_UUID, 1000), uuid: FAKE_UUID }));
    await startAt('/app');
    expect(backend.calls('refreshJwt')).toHaveLength(1);
    // The splash, and parts that load after the first screen.
    await settle(1200);
    await settle(1000);
    await settle(495_800);
    expect(backend.calls('refreshJwt')).toHaveLength(1);
    await settle(4000);
    expect(backend.calls('refreshJwt')).toHaveLength(2);
    await settle(502_000);
    expect(backend.calls('refreshJwt')).toHaveLength(3);
  });
});

describe('sign-out', () => {
  it('[S4-006] [S4-007] [D-062] marks the token, revokes it and stops polling', async () => {
    const token = fakeToken();
    localStorage.setItem('jwt', token);
    await startAt('/app');
    await settle(1200);
    const sent = localStorage.getItem('jwt');
    signOut();
    expect(localStorage.getItem('jwt')).toBe(MARKER);
    expect(session.get().status).toBe('signed_out');
    await settle();
    expect(backend.calls('logout').map(({ headers }) => headers.get('authorization'))).toEqual([
      `Bearer ${sent}`,
    ]);
    const counts = startUpCounts();
    await settle(60_000);
    expect(startUpCounts()).toEqual(counts);
    expect(address()).toBe('/auth/sign-in');
    expect(localStorage.getItem('intended-route')).toBeNull();
  });
});

describe('actions of visitors', () => {
  it('[S4-009] are ignored when already signed in', async () => {
    localStorage.setItem('jwt', fakeToken());
    await startAt('/app');
    await settle(1200);
    const credentials = { email: 'ada@example.com', password: 'Passw0rd!' };
    expect(await signUp({ ...credentials, termsVersion: '1' })).toBe(false);
    expect(await signIn(credentials)).toBe(false);
    expect(await verifyAccount('code')).toBe(false);
    expect(await forgotPassword('ada@example.com')).toBe(false);
    expect(await resetPassword({ code: 'code', password: 'Passw0rd!' })).toBe(false);
    const names = ['register', 'login', 'verify', 'forgotPassword', 'resetPassword'] as const;
    expect(names.flatMap((name) => backend.calls(name))).toEqual([]);
  });

  it('[S8-031] resolve to false on any failure', async () => {
    await startAt('/auth/sign-in');
    for (const name of [
      'register',
      'login',
      'verify',
      'forgotPassword',
      'resetPassword',
    ] as const) {
      backend.answer(name, () => problem('internal_error'));
    }
    const credentials = { email: 'ada@example.com', password: 'Passw0rd!' };
    expect(await signUp({ ...credentials, termsVersion: '1' })).toBe(false);
    expect(await signIn(credentials)).toBe(false);
    expect(await verifyAccount('code')).toBe(false);
    expect(await forgotPassword('ada@example.com')).toBe(false);
    expect(await resetPassword({ code: 'code', password: 'Passw0rd!' })).toBe(false);
  });
});

describe('startup', () => {
  it('[S4-033] [S4-034] [S2-201] [D-145] loads its data behind the splash, for at least 1200 ms', async () => {
    localStorage.setItem('jwt', fakeToken());
    await startAt('/app');
    expect(startUpCounts().every((count) => count > 0)).toBe(true);
    expect(splash()).not.toBeNull();
    await settle(1199);
    expect(splash()).not.toBeNull();
    await settle(1);
    expect(splash()).toBeNull();
    expect(screen.getByRole('navigation', { name: 'Main navigation' })).toBeDefined();
  });

  it('[S2-201] keeps the splash until slow data has arrived', async () => {
    localStorage.setItem('jwt', fakeToken());
    let release: () => void = () => undefined;
    backend.answer('tiers', async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { tiers: [] };
    });
    await startAt('/app');
    await settle(5000);
    expect(splash()).not.toBeNull();
    release();
    await settle();
    expect(splash()).toBeNull();
  });

  it('[S8-006] shows an unreadable response as an internal error for 5 s', async () => {
    localStorage.setItem('jwt', fakeToken());
    backend.answer('tiers', () => new Response('<html>', { status: 200 }));
    await startAt('/app');
    expect(screen.getByText('Internal server error.')).toBeDefined();
    await settle(4999);
    expect(screen.queryByText('Internal server error.')).not.toBeNull();
    await settle(1);
    expect(screen.queryByText('Internal server error.')).toBeNull();
  });

  it('[S8-007] [S8-033] [D-147] shows any other error for 5 s, logs it, and continues', async () => {
    localStorage.setItem('jwt', fakeToken());
    const failure = () => new Response('', { status: 418, statusText: 'Out of tea' });
    backend.answer('categories', failure);
    await startAt('/app');
    expect(screen.getByText('Out of tea')).toBeDefined();
    expect(console.warn).toHaveBeenCalledWith('start_up_failed', {
      name: 'categories',
      error: 'Out of tea',
    });
    await settle(4999);
    expect(screen.queryByText('Out of tea')).not.toBeNull();
    await settle(1);
    expect(screen.queryByText('Out of tea')).toBeNull();
    expect(splash()).toBeNull();
  });
});
