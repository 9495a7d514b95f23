// @vitest-environment jsdom
import { queryClient } from '@athos/app-core/query-client';
import { isNetworkLost } from '@athos/app-core/network';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networkFailure, problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { liveStream } from '@athos/testing/samples/purchases';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { currentAddress, endTest, openAt, passLoading } from '../../../test/signed-in.tsx';
import { deleteAccount } from '../../api/account-deletion.ts';
import { signOut } from '../../api/sign-out.ts';
import { contactBookOf } from '../../state/contacts.ts';
import { isReadingOffline } from '../../state/network.ts';
import { choosePageViews, pageViewChoice } from '../../state/page-views.ts';
import { session } from '../../state/session.ts';

const PASSWORD = 'Correct-Horse-7';
const QUESTION = 'Are you sure you want to delete your account? This action is irreversible.';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  backend = installFakeBackend(walletAnswers);
});
afterEach(() => {
  delete document.documentElement.dataset['theme'];
  vi.restoreAllMocks();
  endTest();
});

const open = () => openAt('/app/settings/delete-account', { live: true });
const field = () => screen.getByLabelText<HTMLInputElement>('Password');
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const modal = () => screen.queryByRole('dialog', { name: QUESTION });

async function ask(user: UserEvent, password = PASSWORD): Promise<void> {
  await user.type(field(), password);
  await user.click(button('Delete my account'));
  await passLoading();
}
async function answer(user: UserEvent, name: 'Yes' | 'No'): Promise<void> {
  await user.click(button(name));
  await pass(500);
}
async function confirm(user: UserEvent): Promise<void> {
  await ask(user);
  await answer(user, 'Yes');
}
/** Delays the response until the returned function is called. */
function holdBack(isDeleted = true): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  backend.answer('deleteAccount', async () => {
    await held;
    return isDeleted ? { success: true } : problem('incorrect_password');
  });
  return () => release();
}

describe('Remove Account', () => {
  it("[S2-086] shows the title 'Remove Account' and goes back to the settings", async () => {
    const user = await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Remove Account' })).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app/settings');
  });

  it('[S2-194] explains what is removed, irreversibly removed, erased, and what may remain', async () => {
    await open();
    const texts = within(screen.getByRole('main'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(texts).toEqual([
      'Your personal data is removed.',
      'Your account and your login credentials are removed and cannot be brought back.',
      'Your settings are erased.',
      'Purchases that you have not redeemed are lost.',
      'Data held by third parties, such as the card provider, may remain with them.',
    ]);
  });

  it('[S2-195] links to a user data deletion policy', async () => {
    const user = await open();
    await user.click(screen.getByRole('link', { name: 'User data deletion policy' }));
    expect(currentAddress()).toBe('/user-data-deletion');
  });

  it("[S2-196] [D-155] shows a password field, 'Delete my account' and 'Nevermind', which goes to /app/settings", async () => {
    const user = await open();
    expect(field()).toMatchObject({ value: '', type: 'password' });
    expect(button('Delete my account').disabled).toBe(false);
    await user.click(button('Nevermind'));
    expect(currentAddress()).toBe('/app/settings');
    expect(backend.calls('deleteAccount')).toHaveLength(0);
  });

  it('[S2-043] shows and hides the typed password', async () => {
    const user = await open();
    await user.type(field(), PASSWORD);
    await user.click(button('Show password'));
    expect(field()).toMatchObject({ value: PASSWORD, type: 'text' });
    await user.click(button('Hide password'));
    expect(field()).toMatchObject({ value: PASSWORD, type: 'password' });
  });

  it('lists what is forfeited, to the micro-unit, and what is not', async () => {
    backend.answer('balance', () => ({
      balance: '1234567890',
      balances: { ATH: '1234567890', ATH2: '5000000', ATH3: '0' },
    }));
    const user = await open();
    const main = screen.getByRole('main');
    expect(main.textContent).toContain('1,234.56789 ATH');
    expect(main.textContent).toContain('5.00 ATH2');
    expect(main.textContent).not.toContain('ATH3');
    await ask(user);
    expect(modal()?.textContent).toContain('You give up 1,234.56789 ATH and 5.00 ATH2.');
  });

  it('says when nothing is forfeited', async () => {
    backend.answer('balance', () => ({
      balance: '0',
      balances: { ATH: '0', ATH2: '0', ATH3: '0' },
    }));
    const user = await open();
    expect(screen.getByText('Your account holds nothing that would be lost.')).toBeDefined();
    await ask(user);
    expect(modal()?.textContent).not.toContain('give up');
  });
});

describe('deleting', () => {
  it('[S5-012] [S5-018] requires a password of 8 characters before it asks for confirmation', async () => {
    const user = await open();
    expect(field()).toMatchObject({ required: true, minLength: 8 });
    const form = field().form ?? document.createElement('form');
    fireEvent.submit(form);
    await pass();
    for (const short of ['1234567', '       x']) {
      await user.clear(field());
      await user.type(field(), short);
      fireEvent.submit(form);
      await passLoading();
      expect(modal()).toBeNull();
      expect(field().getAttribute('aria-invalid')).toBe('true');
    }
    expect(await deleteAccount({ password: '  ', key: 'k' })).toBe('ignored');
    expect(backend.calls('deleteAccount')).toHaveLength(0);
  });

  it("[S4-067] [S2-197] asks 'Are you sure …' with 'Yes' and 'No' when the form is submitted", async () => {
    const user = await open();
    await ask(user);
    const dialog = within(screen.getByRole('dialog', { name: QUESTION }));
    expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'No',
      'Yes',
    ]);
    expect(backend.calls('deleteAccount')).toHaveLength(0);
  });

  it("[S4-071] is idle again after 'No' and after Esc, and keeps the password", async () => {
    const user = await open();
    await ask(user);
    await answer(user, 'No');
    expect(modal()).toBeNull();
    await user.click(button('Delete my account'));
    await pass();
    await user.keyboard('{Escape}');
    await pass(500);
    expect(modal()).toBeNull();
    expect(field().value).toBe(PASSWORD);
    expect(button('Delete my account').disabled).toBe(false);
    expect(backend.calls('deleteAccount')).toHaveLength(0);
  });

  it("[S4-068] [S4-069] [S1-022] submits on 'Yes', then goes to /auth/get-started", async () => {
    const release = holdBack();
    const user = await open();
    await ask(user, `  ${PASSWORD} `);
    await answer(user, 'Yes');
    expect(modal()).toBeNull();
    expect(button('Deleting...').disabled).toBe(true);
    expect(button('Nevermind').disabled).toBe(true);
    expect(field().readOnly).toBe(true);
    const [call] = backend.calls('deleteAccount');
    expect(call?.body).toEqual({ password: PASSWORD });
    expect(call?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    release();
    await pass();
    expect(currentAddress()).toBe('/auth/get-started');
    expect(session.get()).toMatchObject({ status: 'signed_out', end: 'signed_out' });
    expect(screen.getByText('Your account was deleted.')).toBeDefined();
    expect(backend.calls('deleteAccount')).toHaveLength(1);
    expect(backend.calls('logout')).toHaveLength(0);
  });

  it('[S7-014] clears local storage, session storage and memory', async () => {
    localStorage.setItem('theme', 'dark');
    localStorage.setItem('had-previous-session', 'true');
    sessionStorage.setItem('anything', 'else');
    choosePageViews('allowed');
    document.documentElement.dataset['theme'] = 'dark';
    const user = await open();
    await ask(user);
    // A change that is still within the contacts' debounce.
    contactBookOf(FAKE_UUID).add({ alias: 'Ada', address: 'a' });
    await answer(user, 'Yes');
    await pass(60_000);
    expect(currentAddress()).toBe('/auth/get-started');
    expect(Object.keys(localStorage)).toEqual([]);
    expect(Object.keys(sessionStorage)).toEqual([]);
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
    expect(document.documentElement.dataset['theme']).toBeUndefined();
    expect(pageViewChoice.get()).toBeUndefined();
  });

  it('completes even if the user has opened another screen', async () => {
    const release = holdBack();
    const user = await open();
    await confirm(user);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    release();
    await pass(60_000);
    expect(session.get()).toMatchObject({ status: 'signed_out' });
    expect(Object.keys(localStorage)).toEqual([]);
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
  });

  it.each([
    ['succeeds', true],
    ['fails', false],
  ])('clears the memory of a user who signed out before it %s', async (_name, isDeleted) => {
    const release = holdBack(isDeleted);
    const user = await open();
    await confirm(user);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await pass();
    cleanup();
    act(signOut);
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
    release();
    await pass(60_000);
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
    expect(session.get().status).toBe('signed_out');
  });

  it('ignores the end of its own session while the response is pending', async () => {
    const release = holdBack();
    const stream = liveStream();
    backend.answer('events', stream.answer);
    const user = await open();
    await confirm(user);
    backend.answer('refreshJwt', () => problem('session_ended'));
    expect(() => stream.tell({ type: 'session_ended' })).toThrow(/closed/);
    await pass(5_000);
    expect(backend.calls('refreshJwt')).toHaveLength(0);
    expect(session.get().status).toBe('signed_in');
    release();
    await pass();
    expect(currentAddress()).toBe('/auth/get-started');
  });
});

describe('without a network', () => {
  const REASON = 'You are offline. This works again as soon as the connection is back.';
  const setReading = (isReading: boolean) =>
    act(() => {
      isNetworkLost.set(isReading);
      isReadingOffline.set(isReading);
    });
  afterEach(() => setReading(false));

  it('is disabled, says why, and can still go back to the settings', async () => {
    const user = await open();
    setReading(true);
    expect(button('Delete my account').disabled).toBe(true);
    expect(screen.getByText(REASON)).toBeDefined();
    await user.type(field(), `${PASSWORD}{Enter}`);
    await passLoading();
    expect(modal()).toBeNull();
    setReading(false);
    expect(button('Delete my account').disabled).toBe(false);
    expect(screen.queryByText(REASON)).toBeNull();
    setReading(true);
    await user.click(button('Nevermind'));
    expect(currentAddress()).toBe('/app/settings');
  });

  it('closes its question and asks again once the network is back', async () => {
    const user = await open();
    await ask(user);
    setReading(true);
    await pass(500);
    expect(modal()).toBeNull();
    expect(screen.getByText(REASON)).toBeDefined();
    setReading(false);
    await pass(500);
    expect(modal()).not.toBeNull();
    expect(backend.calls('deleteAccount')).toHaveLength(0);
  });
});

describe('a failure', () => {
  it("[S8-021] [S4-070] shows 'Incorrect password' for 4 s, returns to idle and keeps the session", async () => {
    backend.answer('deleteAccount', () => problem('incorrect_password'));
    localStorage.setItem('theme', 'dark');
    const user = await open();
    await confirm(user);
    expect(button('Delete my account').disabled).toBe(false);
    expect(field().value).toBe(PASSWORD);
    expect(session.get().status).toBe('signed_in');
    expect(localStorage.getItem('theme')).toBe('dark');
    expect(currentAddress()).toBe('/app/settings/delete-account');
    await pass(3_499);
    expect(screen.queryByText('Incorrect password')).not.toBeNull();
    await pass(1);
    expect(screen.queryByText('Incorrect password')).toBeNull();
    // The balance is still polled, so the user is signed in.
    const polledCount = backend.calls('balance').length;
    await pass(15_000);
    expect(backend.calls('balance').length).toBeGreaterThan(polledCount);
  });

  it.each([
    ['payments_open', /A card payment is not finished yet\./],
    ['sends_open', /A send of yours has not arrived yet\./],
    ['balance_negative', /Your balance is below zero\./],
    ['account_restricted', /Your account is restricted\./],
  ] as const)('explains %s until the next attempt', async (code, text) => {
    backend.answer('deleteAccount', () => problem(code));
    const user = await open();
    await confirm(user);
    const notice = screen.getByText('Your account was not deleted').closest('[role=alert]');
    expect(notice?.textContent).toMatch(text);
    expect(notice?.textContent).toContain('support@athos.example');
    expect(screen.queryByText('Incorrect password')).toBeNull();
    await user.click(button('Delete my account'));
    await pass();
    expect(screen.queryByText('Your account was not deleted')).toBeNull();
    expect(modal()).not.toBeNull();
  });

  it('says how long to wait after too many attempts', async () => {
    backend.answer('deleteAccount', () => problem('too_many_attempts', { retry_after_seconds: 8 }));
    const user = await open();
    await confirm(user);
    expect(screen.getByText('Too many attempts. Wait 8 seconds and try again.')).toBeDefined();
  });

  it('keeps the key over a lost response, and uses a new one for another password', async () => {
    backend.answer('deleteAccount', networkFailure);
    const user = await open();
    await confirm(user);
    await pass(10_000);
    backend.answer('deleteAccount', () => problem('incorrect_password'));
    await user.click(button('Delete my account'));
    await answer(user, 'Yes');
    await ask(user, '!');
    await answer(user, 'Yes');
    const keys = backend
      .calls('deleteAccount')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });
});

it('[S4-010] is ignored when signed out', async () => {
  await open();
  act(() => session.end('signed_out'));
  expect(await deleteAccount({ password: PASSWORD, key: 'k' })).toBe('ignored');
  expect(backend.calls('deleteAccount')).toHaveLength(0);
  expect(screen.queryByText('Incorrect password')).toBeNull();
});
