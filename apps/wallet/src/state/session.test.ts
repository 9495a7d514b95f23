// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeToken } from '@athos/testing/session';
import { keepTicketsWhenAway } from './own-choices.ts';
import { followOtherTabs, session } from './session.ts';

const reload = vi.fn();
let unfollow: () => void;

beforeEach(() => {
  localStorage.clear();
  session.begin({ token: fakeToken(), uuid: 'ada' });
  unfollow = followOtherTabs(reload);
});
afterEach(() => {
  unfollow();
  session.set({ status: 'starting' });
});

it('shows nothing of an ended session on a page restored by the back button', () => {
  localStorage.setItem('jwt', 'invalidated');
  expect(session.get()).toEqual({ status: 'signed_in', uuid: 'ada' });
  dispatchEvent(new Event('pageshow'));
  expect(session.get()).toEqual({ status: 'signed_out', end: 'signed_out', lastUuid: 'ada' });
});

it('keeps tickets over the sign-out for being away, until somebody else signs in', () => {
  const deleteDatabase = vi.fn();
  vi.stubGlobal('indexedDB', { deleteDatabase });
  session.set({ status: 'signed_out', end: 'away', lastUuid: 'ada' });
  session.begin({ token: fakeToken(), uuid: 'ada' });
  session.set({ status: 'signed_out', end: 'away', lastUuid: 'ada' });
  expect(deleteDatabase).not.toHaveBeenCalled();
  session.begin({ token: fakeToken(), uuid: 'ben' });
  expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith('tickets');
  vi.unstubAllGlobals();
});

it('removes tickets with the sign-out for being away where the user has chosen so', () => {
  const deleteDatabase = vi.fn();
  vi.stubGlobal('indexedDB', { deleteDatabase });
  keepTicketsWhenAway(false);
  session.set({ status: 'signed_out', end: 'away', lastUuid: 'ada' });
  expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith('tickets');
  vi.unstubAllGlobals();
});

it('keeps nothing of an account that another tab deleted', () => {
  sessionStorage.setItem('draft', 'of the account');
  localStorage.clear();
  dispatchEvent(new StorageEvent('storage', { key: null }));
  expect(session.get()).toMatchObject({ status: 'signed_out', end: 'signed_out' });
  expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([[], []]);
});
