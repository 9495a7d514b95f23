// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { closeApp, currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';
import { signOut } from '../../api/sign-out.ts';
import { contactsKey } from '../../state/contacts.ts';
import { session } from '../../state/session.ts';
import { EMPTY_DRAFT, sendDraftKey, sendDraftOf, type SendDraft } from '../../state/send-draft.ts';

const RECEIVER = '0192bbbb-0000-7000-8000-000000000002';
/** How long after a lost connection the client retries the call. */
const ASK_AGAIN_MS = 1000;

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const open = (fields: Partial<SendDraft> = {}) => {
  sendDraftOf(FAKE_UUID).change({ paymentAmount: '12.5', address: RECEIVER, ...fields });
  return openAt('/app/send/summary');
};

const draft = () => sendDraftOf(FAKE_UUID).get();
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
/** The value of a row in the details. */
const detail = (name: string) =>
  screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;
const keys = () =>
  backend.calls('transfer').map(({ headers }) => headers.get('idempotency-key') ?? '');

describe('summary', () => {
  it('[S2-169] [S2-153] shows the token with its balance and without dropdown', async () => {
    await open();
    const token = within(screen.getByRole('region', { name: 'Token' }));
    expect(token.getByText('ATH')).toBeDefined();
    expect(token.getByText('1,234.57')).toBeDefined();
    expect(token.queryByRole('combobox')).toBeNull();
    expect(token.queryByRole('button')).toBeNull();
  });

  it('[S2-170] [S2-171] [S2-172] shows From, To and Amount with its value in USD', async () => {
    await open();
    expect(detail('From')).toBe(FAKE_UUID);
    expect(detail('To')).toBe(RECEIVER);
    expect(detail('Amount')).toBe('12.50 ATH~$2.10');
  });

  it('[S2-171] shows the name of the recipient before the address', async () => {
    await open({ name: 'Bo', active: true });
    expect(detail('To')).toBe(`Bo${RECEIVER}`);
  });

  it('shows the name of a contact whose address was typed', async () => {
    const contacts = [{ alias: 'Bo', address: RECEIVER }];
    localStorage.setItem(contactsKey(FAKE_UUID), JSON.stringify(contacts));
    await open();
    expect(detail('To')).toBe(`Bo${RECEIVER}`);
  });

  it('shows the exact amount if the displayed amount is rounded up', async () => {
    await open({ paymentAmount: '0.001' });
    expect(detail('Amount')).toBe('0.01 ATH~$0.00Exactly 0.001 ATH');
  });

  it('shows no USD for a token without a rate', async () => {
    await open({ asset: 'ATH2', paymentAmount: '2' });
    expect(detail('Amount')).toBe('2.00 ATH2');
  });

  it('[S2-168] leads back to /app/send/recipient', async () => {
    const user = await open();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app/send/recipient');
  });

  it('survives a reload', async () => {
    await open();
    closeApp();
    await openAt('/app/send/summary');
    expect(detail('To')).toBe(RECEIVER);
    expect(detail('Amount')).toBe('12.50 ATH~$2.10');
  });
});

describe('incomplete summary', () => {
  it.each(['', '0', '0.0'])(
    '[S5-038] asks for the amount for 3 s and sends nothing: %j',
    async (paymentAmount) => {
      await open({ paymentAmount });
      expect(currentAddress()).toBe('/app/send');
      await pass(2999);
      expect(screen.getByText('Please enter the amount!')).toBeDefined();
      await pass(1);
      expect(screen.queryByText('Please enter the amount!')).toBeNull();
      expect(backend.calls('transfer')).toEqual([]);
    },
  );

  it('[S5-016] redirects to the recipient if only that is missing, and sends nothing', async () => {
    await open({ address: '' });
    expect(currentAddress()).toBe('/app/send/recipient');
    expect(screen.queryByText('Please enter the amount!')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    expect(backend.calls('transfer')).toEqual([]);
  });

  it('[S5-016] [S5-038] sends nothing if the amount is removed before the press', async () => {
    const user = await open();
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '0' });
    await user.click(button('Send'));
    await pass(2999);
    expect(screen.getByText('Please enter the amount!')).toBeDefined();
    await pass(1);
    expect(screen.queryByText('Please enter the amount!')).toBeNull();
    expect(backend.calls('transfer')).toEqual([]);
  });
});

describe('sending', () => {
  it('[S2-173] [S4-056] says Send, Sending... and Sent!', async () => {
    let answer = (): void => undefined;
    backend.answer('transfer', async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { id: 7, balance: '0' };
    });
    const user = await open();
    await user.click(button('Send'));
    expect(button('Sending...').disabled).toBe(true);
    await user.click(button('Sending...'));
    await pass();
    answer();
    await pass();
    expect(screen.getByText('Sent!').closest('button')?.disabled).toBe(true);
    expect(backend.calls('transfer')).toHaveLength(1);
  });

  it('[S9-001] sends micro-units as a string, to the uuid, of the asset', async () => {
    const user = await open({ asset: 'ATH2', paymentAmount: '0.001' });
    await user.click(button('Send'));
    await pass();
    const [call] = backend.calls('transfer');
    expect(call?.body).toEqual({
      amount: '1000',
      to_uuid: RECEIVER,
      asset: 'ATH2',
      undo: { warned: false },
    });
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f-]{14}7[0-9a-f-]{21}$/)]);
  });

  it('[S1-009] [D-131] sends the raw balance after All, to a typed uuid', async () => {
    const user = await openAt('/app/send');
    await user.click(button('All'));
    await user.click(button('Next'));
    await user.type(screen.getByRole('textbox', { name: 'Recipient' }), RECEIVER);
    await user.click(button('Next'));
    await pass();
    await user.click(button('Send'));
    await pass();
    expect(backend.calls('transfer').map(({ body }) => body)).toEqual([
      { amount: '1234567890', to_uuid: RECEIVER, asset: 'ATH', undo: { warned: false } },
    ]);
  });

  it('[S1-010] sends to a saved contact', async () => {
    const contacts = [{ alias: 'Bo', address: RECEIVER }];
    localStorage.setItem(contactsKey(FAKE_UUID), JSON.stringify(contacts));
    const user = await openAt('/app/send');
    await user.type(screen.getByRole('textbox', { name: 'Amount to send' }), '3');
    await user.click(button('Next'));
    await user.click(screen.getByRole('button', { name: /^Bo/ }));
    await user.click(button('Next'));
    await pass();
    expect(detail('To')).toBe(`Bo${RECEIVER}`);
    await user.click(button('Send'));
    await pass();
    expect(backend.calls('transfer').map(({ body }) => body)).toEqual([
      { amount: '3000000', to_uuid: RECEIVER, asset: 'ATH', undo: { warned: false } },
    ]);
  });

  it('[S7-034] fetches the balance again after success', async () => {
    const user = await open();
    const before = backend.calls('balance').length;
    await user.click(button('Send'));
    await pass();
    expect(backend.calls('balance')).toHaveLength(before + 1);
  });

  it('never shows a lower balance before the server reports it', async () => {
    const user = await open();
    backend.answer('balance', silence);
    await user.click(button('Send'));
    await pass();
    expect(screen.getByText('1,234.57')).toBeDefined();
  });

  it('leads home if another tab sends it meanwhile, and sends nothing', async () => {
    backend.answer('transfer', networkFailure);
    const user = await open();
    await user.click(button('Send'));
    await pass(ASK_AGAIN_MS);
    const callCount = keys().length;
    localStorage.setItem(`${sendDraftKey(FAKE_UUID)}:done`, keys()[0] ?? '');
    localStorage.removeItem(sendDraftKey(FAKE_UUID));
    dispatchEvent(new StorageEvent('storage', { key: sendDraftKey(FAKE_UUID) }));
    await pass();
    expect(currentAddress()).toBe('/app');
    expect(screen.queryByText('Please enter the amount!')).toBeNull();
    expect(keys()).toHaveLength(callCount);
  });

  it('clears the draft even after the screen was left', async () => {
    let answer = (): void => undefined;
    backend.answer('transfer', async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { id: 7, balance: '0' };
    });
    const user = await open();
    await user.click(button('Send'));
    await pass();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    answer();
    await pass();
    expect(draft()).toEqual(EMPTY_DRAFT);
  });
});

describe('success', () => {
  it('[S2-174] shows amount, Successfully sent and the address', async () => {
    const user = await open();
    await user.click(button('Send'));
    await pass();
    const dialog = screen.getByRole('dialog', { name: 'Successfully sent' });
    expect(within(dialog).getByText('12.50 ATH')).toBeDefined();
    expect(within(dialog).getByText('Successfully sent', { selector: 'p' })).toBeDefined();
    expect(within(dialog).getByText(`to ${RECEIVER}`)).toBeDefined();
  });

  it.each([
    ['[S2-175] the backdrop', () => document.querySelector('[data-part=backdrop]')],
    ['the button', () => screen.getByRole('button', { name: 'Done' })],
  ])('%s closes it, goes to /app and leaves an empty draft', async (_name, control) => {
    const user = await open();
    await user.click(button('Send'));
    // Within this time, a click on the backdrop is treated as the second half of a double tap.
    await pass(500);
    await user.click(control() as Element);
    await pass(1000);
    expect(currentAddress()).toBe('/app');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByText('Please enter the amount!')).toBeNull();
    expect(draft()).toEqual(EMPTY_DRAFT);
    expect(localStorage.getItem(`send-draft:${FAKE_UUID}`)).toBeNull();
  });
});

describe('after success', () => {
  it('[S4-058] is idle for the next send, which gets a new key', async () => {
    const user = await open();
    await user.click(button('Send'));
    await pass();
    await user.click(button('Done'));
    await pass(1000);
    await user.click(screen.getByRole('link', { name: 'Send' }));
    await user.type(screen.getByRole('textbox', { name: 'Amount to send' }), '12.5');
    await user.click(button('Next'));
    await user.type(screen.getByRole('textbox', { name: 'Recipient' }), RECEIVER);
    await user.click(button('Next'));
    await pass();
    await user.click(button('Send'));
    await pass();
    expect(new Set(keys()).size).toBe(2);
  });
});

describe('failure', () => {
  it('[S8-019] [S4-057] says so for 5 s and can be tried again', async () => {
    backend.answer('transfer', () => problem('account_restricted'));
    const user = await open();
    await user.click(button('Send'));
    await pass();
    expect(button('Send').disabled).toBe(false);
    await pass(4999);
    expect(screen.getByText('Something went wrong while sending.')).toBeDefined();
    await pass(1);
    expect(screen.queryByText('Something went wrong while sending.')).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['recipient_not_found', 'There is no account with this ID. Nothing was sent.'],
    ['insufficient_balance', 'Your balance is too low. Nothing was sent.'],
    ['amount_below_minimum', 'This amount is too small to be sent. Nothing was sent.'],
    [
      'send_limit_reached',
      'You have sent as often as you can within 24 hours. Nothing was sent. Try again tomorrow.',
    ],
    [
      'recovery_limit_reached',
      'The second step of this account was removed lately. Until three days after that it sends at most 50 USD a day. Nothing was sent.',
    ],
    [
      'holds_full',
      'Too many of your sends are still on their way. Nothing was sent. Try again when one of them has arrived.',
    ],
    [
      'account_restricted',
      'This account cannot send at the moment. Nothing was sent. Please write to support@athos.example.',
    ],
    [
      'stopped',
      'Sending is stopped for everybody at the moment: The programme has stopped this for the moment. Nothing was sent.',
    ],
    ['recipient_restricted', 'This recipient cannot receive at the moment. Nothing was sent.'],
    ['internal_error', 'We could not confirm the sending. Try again: it is never sent twice.'],
  ] as const)('says what is known after %s', async (code, text) => {
    backend.answer('transfer', () => problem(code));
    const user = await open();
    await user.click(button('Send'));
    // After an unknown outcome the call is retried a second later.
    await pass(1000);
    expect(screen.getByText(text)).toBeDefined();
  });

  it('[D-038] retries with the same key, even after a reload, until it is sent', async () => {
    backend.answer('transfer', () => problem('insufficient_balance'));
    const user = await open();
    await user.click(button('Send'));
    await pass();
    await user.click(button('Send'));
    await pass();
    closeApp();
    const again = await openAt('/app/send/summary');
    backend.answer('transfer', () => ({ id: 7, balance: '0' }));
    await again.click(button('Send'));
    await pass();
    expect(keys()).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
  });

  it('[D-038] uses a new key for another amount', async () => {
    backend.answer('transfer', () => problem('insufficient_balance'));
    const user = await open();
    await user.click(button('Send'));
    await pass();
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '12' });
    await user.click(button('Send'));
    await pass();
    expect(new Set(keys()).size).toBe(2);
  });
});

describe('lost connection', () => {
  it('[D-182] retries once with the same key, and says Sent! when that succeeds', async () => {
    let attempt = 0;
    backend.answer('transfer', () => {
      attempt += 1;
      return attempt === 1 ? networkFailure() : { id: 7, balance: '0' };
    });
    const user = await open();
    await user.click(button('Send'));
    await pass(ASK_AGAIN_MS - 1);
    expect(button('Sending...')).toBeDefined();
    await pass(1);
    expect(screen.getByText('Sent!')).toBeDefined();
    expect(screen.queryByText('Something went wrong while sending.')).toBeNull();
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  it('[D-182] says that sending failed only after the second response is lost too', async () => {
    backend.answer('transfer', silence);
    const user = await open();
    await user.click(button('Send'));
    await pass(10_000);
    expect(screen.queryByText('Something went wrong while sending.')).toBeNull();
    await pass(ASK_AGAIN_MS + 10_000);
    expect(screen.getByText('Something went wrong while sending.')).toBeDefined();
    expect(
      screen.getByText('We could not confirm the sending. Try again: it is never sent twice.'),
    ).toBeDefined();
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  it('is never sent for the next user who signs in on this device', async () => {
    backend.answer('transfer', silence);
    const user = await open();
    await user.click(button('Send'));
    await pass();
    signOut();
    session.begin({ token: fakeToken(RECEIVER), uuid: RECEIVER });
    await pass(ASK_AGAIN_MS + 10_000);
    expect(keys()).toHaveLength(1);
    expect(sendDraftOf(FAKE_UUID).intent.get().status).toBe('unknown');
  });

  it('[D-038] restores draft and key after the app was closed', async () => {
    backend.answer('transfer', networkFailure);
    const user = await open();
    await user.click(button('Send'));
    await pass(ASK_AGAIN_MS);
    closeApp();
    sessionStorage.clear();
    backend.answer('transfer', () => ({ id: 7, balance: '0' }));
    const again = await openAt('/app/send/summary');
    await again.click(button('Send'));
    await pass();
    expect(screen.getByText('Sent!')).toBeDefined();
    expect(new Set(keys()).size).toBe(1);
  });

  it('[D-038] retries a send with an unknown outcome before anything else can be entered', async () => {
    backend.answer('transfer', networkFailure);
    const user = await open();
    await user.click(button('Send'));
    await pass(ASK_AGAIN_MS);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(screen.queryByRole('textbox')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app/send');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(detail('Amount')).toBe('12.50 ATH~$2.10');
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '13' });
    await user.click(screen.getByRole('link', { name: 'To the summary' }));
    backend.answer('transfer', () => ({ id: 7, balance: '0' }));
    await user.click(button('Send'));
    await pass();
    expect(new Set(keys()).size).toBe(1);
    expect(new Set(backend.calls('transfer').map(({ body }) => JSON.stringify(body))).size).toBe(1);
    await user.click(button('Done'));
    await pass(1000);
    await user.click(screen.getByRole('link', { name: 'Send' }));
    expect(screen.getByRole('textbox', { name: 'Amount to send' })).toBeDefined();
  });

  it('keeps the outcome unknown if the retry is turned away', async () => {
    backend.answer('transfer', networkFailure);
    const user = await open();
    await user.click(button('Send'));
    await pass(ASK_AGAIN_MS);
    backend.answer('transfer', () => problem('too_many_requests'));
    await user.click(button('Send'));
    await pass();
    expect(
      screen.getByText('We could not confirm the sending. Try again: it is never sent twice.'),
    ).toBeDefined();
    expect(sendDraftOf(FAKE_UUID).intent.get().status).toBe('unknown');
  });
});
