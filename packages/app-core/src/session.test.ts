// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSession, localTokenPlace, type SessionStore } from './session.ts';

/** An unsigned token: a browser does not verify its own. */
const tokenOf = (sub: string): string =>
  `e30.${btoa(JSON.stringify({ sub, iat: 1_800_000_000, exp: 1_800_086_400 }))}.c2ln`;

const reload = vi.fn<() => void>();
const stored = (): string | null => localStorage.getItem('jwt');

let session: SessionStore<'left'>;
let unfollow: () => void;
beforeEach(() => {
  session = createSession(localTokenPlace('jwt'), 'invalidated');
  unfollow = session.followOtherTabs({ endOf: () => 'left', reload });
});
afterEach(() => {
  unfollow();
  localStorage.clear();
});

/** Simulates a write by another tab. */
function storeElsewhere(text: string | null): void {
  if (text === null) localStorage.removeItem('jwt');
  else localStorage.setItem('jwt', text);
  dispatchEvent(new StorageEvent('storage', { key: 'jwt', newValue: text }));
}

describe('the token', () => {
  it.each([
    ['a token', 'token-1', 'token-1'],
    ['the marker', 'invalidated', undefined],
    ['nothing', null, undefined],
  ])('[S7-002] is sent as expected with %s stored', (_, text, sent) => {
    if (text !== null) localStorage.setItem('jwt', text);
    expect(session.token()).toBe(sent);
  });

  it('[S4-008] is removed by a 401, which ends the session', () => {
    session.begin({ token: 'token-1', uuid: 'ada' });
    session.dropToken('token-1');
    expect(stored()).toBeNull();
    expect(session.get()).toEqual({ status: 'signed_out', end: 'refused', lastUuid: 'ada' });
  });

  it('[S4-004] [S4-008] leaves the marker when its refresh is refused after another call', () => {
    session.begin({ token: 'token-1', uuid: 'ada' });
    session.dropToken('token-1');
    session.end('refused');
    expect(stored()).toBe('invalidated');
    expect(session.get()).toEqual({ status: 'signed_out', end: 'refused', lastUuid: 'ada' });
  });

  it('stays when it is newer than the refused one', () => {
    session.begin({ token: 'token-2', uuid: 'ada' });
    session.dropToken('token-1');
    expect(stored()).toBe('token-2');
    expect(session.get().status).toBe('signed_in');
  });

  it('[S3-002] is replaced by the marker when a session ends', () => {
    session.begin({ token: 'token-1', uuid: 'ada' });
    session.end('left');
    expect(stored()).toBe('invalidated');
  });

  it('is removed when a session ends in an app without a marker', () => {
    const plain = createSession<'left'>(localTokenPlace('jwt'));
    plain.begin({ token: 'token-1', uuid: 'ada' });
    plain.end('left');
    expect(stored()).toBeNull();
  });

  it('contains its user and its lifetime', () => {
    session.begin({ token: tokenOf('ada'), uuid: 'ada' });
    expect(session.claims()).toEqual({
      sub: 'ada',
      issuedAtMs: 1_800_000_000_000,
      expiresAtMs: 1_800_086_400_000,
    });
    storeElsewhere('no-jwt');
    expect(session.claims()).toBeUndefined();
  });
});

describe('a session', () => {
  it('is resumed from the stored token', () => {
    localStorage.setItem('jwt', tokenOf('ada'));
    session.resume();
    expect(session.get()).toEqual({ status: 'signed_in', uuid: 'ada' });
  });

  it('starts signed out without a token', () => {
    session.resume();
    expect(session.get()).toEqual({ status: 'signed_out', end: 'never_begun' });
  });

  it('does not notify subscribers when its token is refreshed', () => {
    session.begin({ token: 'token-1', uuid: 'ada' });
    const listener = vi.fn<() => void>();
    session.subscribe(listener);
    session.begin({ token: 'token-2', uuid: 'ada' });
    expect(listener).not.toHaveBeenCalled();
    expect(session.token()).toBe('token-2');
  });
});

describe('another tab', () => {
  it('signs out this tab by signing out', () => {
    session.begin({ token: tokenOf('ada'), uuid: 'ada' });
    storeElsewhere('invalidated');
    expect(session.get()).toEqual({ status: 'signed_out', end: 'left', lastUuid: 'ada' });
  });

  it('signs in this tab by signing in', () => {
    session.resume();
    storeElsewhere(tokenOf('ada'));
    expect(session.get()).toEqual({ status: 'signed_in', uuid: 'ada' });
  });

  it('reloads this tab by signing in another user', () => {
    session.begin({ token: tokenOf('ada'), uuid: 'ada' });
    storeElsewhere(tokenOf('bob'));
    expect(reload).toHaveBeenCalledOnce();
    expect(session.get()).toEqual({ status: 'signed_in', uuid: 'ada' });
  });

  it('is followed when the back button restores a page that missed the events', () => {
    session.begin({ token: tokenOf('ada'), uuid: 'ada' });
    localStorage.setItem('jwt', 'invalidated');
    dispatchEvent(new Event('pageshow'));
    expect(session.get().status).toBe('signed_out');
  });
});
