// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import { fakeToken } from '@athos/testing/session';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';
import { signOut } from '../../api/sign-out.ts';
import { rememberRoute } from '../../state/intended-route.ts';
import { closeRewardClaims } from '../../state/reward-claim.ts';

const LINK = '/app/redeem?code=7K4T-DS21-3SB5-5QDT';
const CODE = '7K4TDS213SB55QDT';
const FAILED = 'There was an error redeeming your code.';
const NO_CODE = 'No redemption code supplied';
const DONE = { amount: '25000000', claimed_at: '2026-11-21T12:00:00.000Z' };
/** How long after a lost connection the client retries the call. */
const ASK_AGAIN_MS = 1000;
/** The duration of the splash screen. */
const SPLASH_MS = 1200;

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  backend.answer('redeemReward', () => DONE);
});
afterEach(async () => {
  await endWholeTest();
  closeRewardClaims();
});

async function open(path = LINK) {
  localStorage.setItem('jwt', fakeToken());
  const user = await startAt(path);
  await settle(SPLASH_MS);
  return user;
}

const calls = () => backend.calls('redeemReward');
const keys = () => calls().map(({ headers }) => headers.get('idempotency-key'));
const text = () => screen.getByRole('main').textContent;
const button = (name: string) => screen.getByRole('button', { name });

describe('redeeming a code', () => {
  it("[S2-082] [S2-083] [S4-044] starts automatically with the code in the URL, once, under the title 'ATH Rewards'", async () => {
    await open();
    expect(screen.getByRole('heading', { name: 'ATH Rewards' })).toBeDefined();
    expect(calls().map(({ params }) => params['id'])).toEqual([CODE]);
    expect(calls()[0]?.body).toBeUndefined();
    await settle(60_000);
    expect(calls()).toHaveLength(1);
  });

  it("[S2-144] [S4-046] shows 'Redeeming code' until the response arrives", async () => {
    const answer = Promise.withResolvers<typeof DONE>();
    backend.answer('redeemReward', () => answer.promise);
    await open();
    expect(screen.getByRole('status', { name: '' }).textContent).toBe('Redeeming code');
    answer.resolve(DONE);
    await settle();
    expect(text()).not.toContain('Redeeming code');
    expect(text()).toContain('Redeemed!');
  });

  it("[S1-014] [S2-145] [S2-146] says 'Redeemed!' with the amount, and 'See my wallet' goes to /app", async () => {
    const user = await open();
    expect(screen.getByText('Redeemed!')).toBeDefined();
    expect(screen.getByText('Your account has been credited with 25.00 Ath')).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'See my wallet' }));
    await settle();
    expect(address()).toBe('/app');
  });

  it('[S7-035] fetches the balance again', async () => {
    const answer = Promise.withResolvers<typeof DONE>();
    backend.answer('redeemReward', () => answer.promise);
    await open();
    const before = backend.calls('balance').length;
    answer.resolve(DONE);
    await settle();
    expect(backend.calls('balance')).toHaveLength(before + 1);
  });

  it('[D-153] goes back to /app', async () => {
    const user = await open();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await settle();
    expect(address()).toBe('/app');
  });

  it('does not start again when the user goes back and forth', async () => {
    const user = await open();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await settle();
    history.back();
    await settle(100);
    await settle();
    expect(address()).toBe(LINK);
    expect(text()).toContain('Redeemed!');
    expect(calls()).toHaveLength(1);
  });

  it('retries with the same key after a reload, in any spelling', async () => {
    backend.answer('redeemReward', silence);
    await open();
    cleanup();
    closeRewardClaims();
    backend.answer('redeemReward', () => DONE);
    await open('/app/redeem?code=7k4t+ds21+3sb5+5qdt');
    expect(text()).toContain('Redeemed!');
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
    cleanup();
    await open('/app/redeem?code=V4KF-31SW-5EKH-ZCRP');
    expect(new Set(keys()).size).toBe(2);
  });
});

describe('a failure', () => {
  it("[S8-013] [S4-047] says 'There was an error redeeming your code.' for 4 s, and offers 'Try again' with the same key", async () => {
    backend.answer('redeemReward', () => problem('invalid_reward_code'));
    const user = await open();
    await settle(10_000);
    await user.click(button('Try again'));
    await settle();
    await settle(3999);
    expect(screen.getByText(FAILED)).toBeDefined();
    await settle(1);
    expect(screen.queryByText(FAILED)).toBeNull();
    expect(text()).toContain('This is not a reward code.');
    backend.answer('redeemReward', () => DONE);
    await user.click(button('Try again'));
    await settle();
    expect(text()).toContain('Redeemed!');
    expect(keys()).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
  });

  it.each([
    ['reward_not_running', 'This reward has not begun yet, or it is over.'],
    ['reward_not_for_account', 'This reward is for other accounts.'],
    ['reward_used_up', 'This code has been used up.'],
    ['reward_claimed', 'You have redeemed this code already.'],
    ['reward_limit_reached', 'You have redeemed as many codes of this reward as one account may.'],
    ['too_many_attempts', 'Too many codes that were not valid were tried.'],
    ['account_restricted', 'Nothing was credited.'],
    ['not_found', 'This is not a reward code.'],
    ['stopped', 'Rewards are stopped for everybody at the moment: The programme has stopped this'],
  ] as const)('by %s says why', async (code, sentence) => {
    backend.answer('redeemReward', () => problem(code));
    await open();
    expect(text()).toContain(sentence);
    expect(button('Try again')).toBeDefined();
  });

  it('without a response says that the outcome is unknown, and retries with the same key', async () => {
    backend.answer('redeemReward', networkFailure);
    const user = await open();
    await settle(ASK_AGAIN_MS);
    expect(text()).toContain('We do not know yet whether your code was redeemed.');
    backend.answer('redeemReward', () => DONE);
    await user.click(button('Try again'));
    await settle(ASK_AGAIN_MS);
    expect(text()).toContain('Redeemed!');
    expect(new Set(keys()).size).toBe(1);
  });

  it.each(['too_many_requests', 'too_many_attempts'] as const)(
    'keeps the outcome unknown when the repeat is turned away by %s',
    async (code) => {
      backend.answer('redeemReward', networkFailure);
      const user = await open();
      await settle(ASK_AGAIN_MS);
      backend.answer('redeemReward', () => problem(code));
      await user.click(button('Try again'));
      await settle();
      expect(text()).toContain('We do not know yet whether your code was redeemed.');
      backend.answer('redeemReward', () => problem('invalid_reward_code'));
      await user.click(button('Try again'));
      await settle();
      expect(text()).toContain('This is not a reward code.');
    },
  );

  it('[S4-045] starts nothing while an attempt runs', async () => {
    backend.answer('redeemReward', () => problem('reward_used_up'));
    await open();
    backend.answer('redeemReward', silence);
    const again = button('Try again');
    // Pressed twice before the button disappears.
    act(() => {
      again.click();
      again.click();
    });
    await settle();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(calls()).toHaveLength(2);
  });
});

describe('without a code', () => {
  it.each(['/app/redeem', '/app/redeem?code=', '/app/redeem?code=+', '/app/redeem?Code=7K4T'])(
    "[S5-017] [S5-039] %s says 'No redemption code supplied' for 4 s and goes to /app, with no call",
    async (path) => {
      localStorage.setItem('jwt', fakeToken());
      await startAt(path);
      expect(address()).toBe('/app');
      await settle(3999);
      expect(screen.getByText(NO_CODE)).toBeDefined();
      await settle(1);
      expect(screen.queryByText(NO_CODE)).toBeNull();
      expect(calls()).toHaveLength(0);
    },
  );
});

describe('signed out', () => {
  it('says that a reward is waiting when its link was opened in the packaged app after signing out', async () => {
    await open('/app/settings');
    signOut();
    await settle();
    expect(address()).toBe('/auth/sign-in');
    expect(screen.queryByText('A reward is waiting for you')).toBeNull();
    // The packaged app does this with a link (`routes/start-shell.ts`).
    rememberRoute(LINK);
    act(() => {
      history.pushState(null, '', LINK);
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
    });
    await settle();
    expect(address()).toBe('/auth/sign-in');
    expect(screen.getByText('A reward is waiting for you')).toBeDefined();
  });

  it('remembers a link, and redeems it after sign-in', async () => {
    localStorage.setItem('had-previous-session', 'true');
    const user = await startAt(LINK);
    expect(calls()).toHaveLength(0);
    expect(localStorage.getItem('intended-route')).toBe(LINK);
    expect(address()).toBe('/auth/sign-in');
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'Correct-Horse-7');
    await user.click(button('Sign In'));
    await settle();
    await settle(1000);
    expect(address()).toBe(LINK);
    await settle(SPLASH_MS);
    await settle();
    expect(text()).toContain('Redeemed!');
    expect(calls()).toHaveLength(1);
  });
});
