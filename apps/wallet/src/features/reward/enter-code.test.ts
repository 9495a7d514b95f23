// @vitest-environment jsdom
import { BACK, installFakeCameras } from '@athos/ui/test/fake-cameras';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeToken } from '@athos/testing/session';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';
import { closeRewardClaims } from '../../state/reward-claim.ts';

vi.mock(
  'barcode-detector/ponyfill',
  async () => (await import('@athos/ui/test/fake-cameras')).fakeDetector,
);

const CODE = '7K4TDS213SB55QDT';
const LINK = '/app/redeem?code=7K4TDS213SB55QDT';
/** The duration of the splash screen. */
const SPLASH_MS = 1200;

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  backend.answer('redeemReward', () => ({
    amount: '25000000',
    claimed_at: '2026-11-21T12:00:00.000Z',
  }));
});
afterEach(async () => {
  await endWholeTest();
  closeRewardClaims();
});

async function open() {
  localStorage.setItem('jwt', fakeToken());
  const user = await startAt('/app/settings/reward-code');
  await settle(SPLASH_MS);
  return user;
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Reward code' });
const redeem = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Redeem' });

describe('entering a reward code', () => {
  it.each([
    ['typed', '7k4t ds21 3sb5 5qdt'],
    ['pasted with its dashes', ' 7K4T-DS21-3SB5-5QDT '],
    ['pasted as a link', 'https://wallet.example/app/redeem?code=7K4T-DS21-3SB5-5QDT'],
  ])(
    'leads a code that was %s to the screen that redeems it',
    { tags: 'long' },
    async (_name, text) => {
      const user = await open();
      await user.click(field());
      await user.paste(text);
      await user.keyboard('{Enter}');
      await settle();
      expect(address()).toBe(LINK);
      expect(screen.getByText('Redeemed!')).toBeDefined();
      expect(backend.calls('redeemReward').map(({ params }) => params['id'])).toEqual([CODE]);
    },
  );

  it('says why nothing can be redeemed yet', async () => {
    await open();
    expect(redeem().disabled).toBe(true);
    expect(screen.getByText('Enter the code to continue.')).toBeDefined();
  });

  it('finds a typing error without asking the server, and forgets it with the next letter', async () => {
    const user = await open();
    await user.type(field(), '7K4T-DS21-3SB5-5QDV');
    await user.click(redeem());
    expect(screen.getByRole('alert').textContent).toMatch(/^This is not a reward code\./);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field());
    expect(backend.calls('redeemReward')).toHaveLength(0);
    await user.type(field(), '{Backspace}T');
    expect(screen.queryByText(/^This is not a reward code\./)).toBeNull();
  });

  it('is offered again after a refusal', async () => {
    backend.answer('redeemReward', () => problem('reward_used_up'));
    const user = await open();
    await user.type(field(), CODE);
    await user.click(redeem());
    await settle();
    await user.click(screen.getByRole('link', { name: 'Enter another code' }));
    await settle();
    expect(address()).toBe('/app/settings/reward-code');
    expect(field().value).toBe('');
  });

  it('goes back to the settings', async () => {
    await open();
    expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/app/settings');
  });
});

describe('scanning a reward code', () => {
  const dialog = () => screen.queryByRole('dialog', { name: 'Scan a reward code' });

  async function openScanner(permission: 'granted' | 'denied') {
    const cameras = installFakeCameras([BACK], permission);
    const user = await open();
    await user.click(screen.getByRole('button', { name: 'Scan a reward code' }));
    for (let depth = 0; depth < 3; depth += 1) await settle(100);
    return cameras;
  }

  it('redeems the code of a link, and passes over other codes', async () => {
    const cameras = await openScanner('granted');
    cameras.show('https://wallet.example/');
    await settle(1000);
    expect(screen.getByText('There is no reward code in this QR code.')).toBeDefined();
    cameras.show(`https://wallet.example/app/redeem?code=${CODE}`);
    await settle(1000);
    await settle();
    expect(address()).toBe(LINK);
    expect(screen.getByText('Redeemed!')).toBeDefined();
    expect(cameras.running()).toBeUndefined();
  });

  it('explains a refused permission, and leaves the field', async () => {
    await openScanner('denied');
    expect(screen.getByText('The camera permission is missing')).toBeDefined();
    expect(screen.getByText(/^Allow the camera for this site in your browser/)).toBeDefined();
    expect(dialog()).not.toBeNull();
  });
});

describe('the link of a reward, opened signed out', () => {
  const waiting = () => screen.queryByRole('heading', { name: 'A reward is waiting for you' });

  it('says on every screen up to the sign-up that a reward is waiting', async () => {
    const user = await startAt(LINK);
    await settle();
    expect(address()).toBe('/auth/get-started');
    expect(waiting()).not.toBeNull();
    await user.click(screen.getByRole('link', { name: 'Get Started' }));
    await settle();
    expect(waiting()).not.toBeNull();
    await user.click(screen.getByRole('link', { name: 'Sign Up' }));
    await settle();
    expect(waiting()).not.toBeNull();
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'Correct-horse-7');
    await user.click(screen.getByRole('button', { name: 'Create Account' }));
    await settle();
    expect(
      screen.getByText('It is credited once you follow the link in this browser.'),
    ).toBeDefined();
  });

  it('says so at the sign-in, which redeems it', async () => {
    localStorage.setItem('had-previous-session', 'true');
    const user = await startAt(LINK);
    await settle();
    expect(address()).toBe('/auth/sign-in');
    expect(waiting()).not.toBeNull();
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'Correct-horse-7');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await settle();
    await settle(1000);
    await settle(SPLASH_MS);
    expect(address()).toBe(LINK);
    expect(screen.getByText('Redeemed!')).toBeDefined();
  });

  it.each(['/app', '/app/redeem', '/app/cart?code=1'])('is not claimed of %s', async (path) => {
    await startAt(path);
    await settle();
    expect(address()).toBe('/auth/get-started');
    expect(waiting()).toBeNull();
  });
});
