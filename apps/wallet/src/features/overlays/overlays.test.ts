// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';
import { timerMs } from '../../state/activity.ts';
import { holdActivity, whileVisible } from '../../state/idle.ts';
import { session } from '../../state/session.ts';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endWholeTest);

const reconnecting = () => screen.queryByRole('alertdialog', { name: 'Trying to reconnect' });
const stillThere = () => screen.queryByRole('alertdialog', { name: 'Still there?' });
const AWAY_TEXT = 'You were away too long and have been automatically logged out.';

/** Opens a screen as a signed-in user whose last input is now. */
async function startSignedIn() {
  localStorage.setItem('jwt', fakeToken());
  const user = await startAt('/app/settings');
  await settle(1200);
  await act(async () => {
    fireEvent.keyDown(document.body, { key: 'Tab' });
  });
  return user;
}

/** Fires the storage event of a change in another tab. */
async function inAnotherTab(key: string, newValue: string) {
  localStorage.setItem(key, newValue);
  await act(async () => {
    dispatchEvent(new StorageEvent('storage', { key, newValue }));
  });
  await settle();
}

describe('a lost connection', () => {
  it("[S2-198] [S4-035] shows 'Trying to reconnect' as soon as a fetch fails", async () => {
    await startSignedIn();
    expect(reconnecting()).toBeNull();
    backend.setOnline(false);
    await settle(6000);
    expect(reconnecting()).not.toBeNull();
  });

  it('[S4-036] polls /healthz every 3 s and continues with the first success', async () => {
    await startSignedIn();
    backend.setOnline(false);
    await settle(6000);
    const asked = backend.healthCount();
    await settle(9000);
    expect(backend.healthCount() - asked).toBe(3);
    backend.setOnline(true);
    await settle(3000);
    expect(reconnecting()).toBeNull();
    const askedAtLast = backend.healthCount();
    await settle(9000);
    expect(backend.healthCount()).toBe(askedAtLast);
  });

  it('shows the modal to visitors too, and their form returns to idle', async () => {
    const user = await startAt('/auth/forgot-password?email=ada%40example.com');
    backend.setOnline(false);
    await user.click(screen.getByRole('button', { name: 'Initiate Password Reset' }));
    await settle();
    expect(reconnecting()).not.toBeNull();
    backend.setOnline(true);
    await settle(3000);
    expect(reconnecting()).toBeNull();
    expect(screen.getByRole('button', { name: 'Initiate Password Reset' })).toBeDefined();
  });
});

describe('away too long', () => {
  it('[S3-031] means 300000 ms unless another time is stored', () => {
    expect(timerMs()).toBe(300_000);
    localStorage.setItem('timer', '120000');
    expect(timerMs()).toBe(120_000);
    localStorage.setItem('timer', 'soon');
    expect(timerMs()).toBe(300_000);
  });

  it('[D-180] offers to stay 60 s before the end, with a countdown', async () => {
    await startSignedIn();
    await settle(239_999);
    expect(stillThere()).toBeNull();
    await settle(1);
    expect(stillThere()?.textContent).toContain('you will be signed out in 60 seconds');
    await settle(10_000);
    expect(stillThere()?.textContent).toContain('you will be signed out in 50 seconds');
    expect(screen.getByRole('button', { name: 'Stay signed in' })).toBeDefined();
  });

  it("[D-180] restarts the timer after 'Stay signed in'", async () => {
    const user = await startSignedIn();
    await settle(290_000);
    await user.click(screen.getByRole('button', { name: 'Stay signed in' }));
    await settle();
    expect(stillThere()).toBeNull();
    await settle(239_000);
    expect(stillThere()).toBeNull();
    expect(session.get().status).toBe('signed_in');
    await settle(1100);
    expect(stillThere()).not.toBeNull();
  });

  it('[D-064] [D-065] [S2-199] [S2-200] [D-062] ends the session after 300 s with the modal and one button', async () => {
    const user = await startSignedIn();
    const token = localStorage.getItem('jwt');
    await settle(299_999);
    expect(session.get().status).toBe('signed_in');
    await settle(1);
    expect(session.get()).toMatchObject({ status: 'signed_out', end: 'away' });
    expect(localStorage.getItem('jwt')).toBe('invalidated');
    const [revoked] = backend.calls('logout');
    expect(revoked?.headers.get('authorization')).toBe(`Bearer ${token}`);
    const modal = within(screen.getByRole('alertdialog'));
    expect(modal.getByText(AWAY_TEXT)).toBeDefined();
    const buttons = modal.getAllByRole('button');
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['OK']);
    // No data of the session stays visible below the modal.
    expect(screen.queryByRole('main')).toBeNull();
    await user.click(modal.getByRole('button', { name: 'OK' }));
    await settle();
    expect(address()).toBe('/auth/sign-in');
    expect(screen.queryByText(AWAY_TEXT)).toBeNull();
  });

  it.each([
    ['pointer', () => fireEvent.pointerMove(document.body)],
    ['key', () => fireEvent.keyDown(document.body, { key: 'a' })],
    ['touch', () => fireEvent.touchStart(document.body)],
  ])('[D-064] restarts the timer on %s input', async (_, input) => {
    await startSignedIn();
    await settle(200_000);
    await act(async () => {
      input();
    });
    await settle(239_000);
    expect(stillThere()).toBeNull();
    expect(session.get().status).toBe('signed_in');
  });

  it('does not treat a mouse movement as a response to the warning', async () => {
    await startSignedIn();
    await settle(250_000);
    fireEvent.pointerMove(document.body);
    await settle(50_000);
    expect(session.get()).toMatchObject({ end: 'away' });
  });

  it('[D-064] compares with the clock after the machine slept', async () => {
    await startSignedIn();
    // Time passes, but no timer runs.
    vi.setSystemTime(Date.now() + 3_600_000);
    await act(async () => {
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await settle();
    expect(screen.getByText(AWAY_TEXT)).toBeDefined();
  });

  it('[D-181] shares activity with all tabs', async () => {
    await startSignedIn();
    await settle(250_000);
    expect(stillThere()).not.toBeNull();
    await inAnotherTab('last-activity', String(Date.now()));
    expect(stillThere()).toBeNull();
    await settle(239_000);
    expect(session.get().status).toBe('signed_in');
  });

  it('[D-181] counts the card form, a running payment and a displayed QR as activity', async () => {
    await startSignedIn();
    const releasePayment = holdActivity();
    await settle(600_000);
    expect(session.get().status).toBe('signed_in');
    expect(stillThere()).toBeNull();
    releasePayment();
    const releaseQr = holdActivity(whileVisible);
    await settle(600_000);
    expect(session.get().status).toBe('signed_in');
    releaseQr();
    await settle(300_000);
    expect(session.get()).toMatchObject({ end: 'away' });
  });

  it('does not apply to visitors', async () => {
    await startAt('/auth/sign-in');
    await settle(900_000);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});

describe('other tabs', () => {
  it('sign out this tab when they sign out', async () => {
    await startSignedIn();
    await inAnotherTab('jwt', 'invalidated');
    expect(address()).toBe('/auth/sign-in');
    expect(localStorage.getItem('intended-route')).toBeNull();
  });

  it('sign in this tab at its next navigation when they sign in', async () => {
    const user = await startAt('/auth/choose');
    await inAnotherTab('jwt', fakeToken());
    expect(session.get()).toEqual({ status: 'signed_in', uuid: FAKE_UUID });
    expect(address()).toBe('/auth/choose');
    await user.click(screen.getByRole('link', { name: 'Sign In' }));
    await settle();
    expect(address()).toBe('/app');
  });
});
