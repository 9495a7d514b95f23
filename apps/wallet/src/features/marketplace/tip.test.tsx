// @vitest-environment jsdom
import type { ConfirmedIntent } from '@athos/app-core/intents/intent';
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import type { Outcome } from '@athos/client/outcome';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerOffers, wireOffer, type WireOffer } from '@athos/testing/samples/catalogue';
import { networkFailure, problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { closeApp, endTest, openAt, passLoading } from '../../../test/signed-in.tsx';
import { client } from '../../api/http.ts';
import { EMPTY_TIP, tipDraftOf, type TipDraft } from '../../state/tip-draft.ts';

const OFFER = '/app/marketplace/categories/7/offers/1';
/** Within this time, a click on the backdrop is treated as the second half of a double tap. */
const DOUBLE_TAP_MS = 500;
const DIALOG_ENDS_MS = 1000;
/** How long after a lost connection the client retries the call. */
const ASK_AGAIN_MS = 1000;

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  backend.answer('tip', () => ({ id: 9, balance: '0' }));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(endTest);

const open = (fields: Partial<WireOffer> = {}) => {
  answerOffers(backend, wireOffer(1, { kind: 3, title: 'Tip the crew', ...fields }));
  return openAt(OFFER);
};
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const amountInput = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Tip' });
const dialog = () => screen.getByRole('dialog', { name: 'Tip Details' });
const inDialog = (name: string) =>
  within(dialog()).getByRole<HTMLInputElement>('textbox', { name });
const keys = () => backend.calls('tip').map(({ headers }) => headers.get('idempotency-key') ?? '');
const draft = () => tipDraftOf(FAKE_UUID, 1).get();

async function openDetails(user: UserEvent, amount = '2.5'): Promise<void> {
  if (amountInput().value !== amount) {
    await user.clear(amountInput());
    await user.type(amountInput(), amount);
  }
  await user.click(button('Tip now'));
  await passLoading();
}

async function send(user: UserEvent, amount = '2.5'): Promise<void> {
  await openDetails(user, amount);
  await user.click(button('Send Tip'));
  await pass(DIALOG_ENDS_MS);
}

describe('tip offer', () => {
  it('[S2-093] hides the ATH amount, the quantity and the cart', async () => {
    await open();
    expect(screen.getByRole('main').textContent).not.toContain('12.50');
    expect(screen.queryByRole('group')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Add to cart' })).toBeNull();
  });

  it("[S2-094] shows an amount input with unit ATH and placeholder '?'", async () => {
    await open();
    expect(amountInput().placeholder).toBe('?');
    expect(amountInput().parentElement?.textContent).toBe('ATH');
  });

  it('accepts no tip while it is inactive', async () => {
    await open({ active: false });
    expect(button('Tip now').disabled).toBe(true);
    expect(screen.getByText('This offer is not available.')).toBeDefined();
  });

  it.each(['', '0', '0.00', '.'])(
    "[S5-024] with the amount '%s' says 'Please enter a tip amount' for 3 s and opens nothing",
    async (amount) => {
      const user = await open();
      if (amount !== '') await user.type(amountInput(), amount);
      await user.click(button('Tip now'));
      await pass(2999);
      const toast = screen.getByText('Please enter a tip amount');
      expect(toast.parentElement?.textContent).toBe('Note: Please enter a tip amount');
      await pass(1);
      expect(screen.queryByText('Please enter a tip amount')).toBeNull();
      expect(screen.queryByRole('dialog')).toBeNull();
    },
  );
});

describe('details', () => {
  it("[S2-096] [S2-097] [S2-098] open as 'Tip Details' with their fields and buttons", async () => {
    const user = await open();
    await openDetails(user);
    expect(inDialog('Amount').value).toBe('2.5');
    expect(inDialog('From').placeholder).toBe('Anonymous');
    expect(inDialog('Note').value).toBe('');
    const names = within(dialog())
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
    expect(names).toEqual(['Cancel', 'Send Tip']);
  });

  it.each([
    ["'Cancel'", () => button('Cancel')],
    ['a click on the backdrop', () => document.querySelector('[data-part=backdrop]')],
  ])('[S2-099] end with nothing sent on %s', async (_name, control) => {
    const user = await open();
    await openDetails(user);
    await pass(DOUBLE_TAP_MS);
    await user.click(control() as Element);
    await pass(DIALOG_ENDS_MS);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(button('Tip now').disabled).toBe(false);
    expect(backend.calls('tip')).toEqual([]);
  });

  it('[S5-024] require an amount if it is removed there', async () => {
    const user = await open();
    await openDetails(user);
    await user.clear(inDialog('Amount'));
    await user.click(button('Send Tip'));
    await pass();
    expect(screen.getByText('Please enter a tip amount')).toBeDefined();
    expect(backend.calls('tip')).toEqual([]);
  });

  it('[S5-026] refuse more than the raw balance, with the reason, and accept all of it', async () => {
    const user = await open();
    await openDetails(user, '1234.57');
    expect(button('Send Tip').disabled).toBe(true);
    expect(
      screen.getByText('Your balance of 1,234.56789 ATH does not cover this tip.'),
    ).toBeDefined();
    await user.clear(inDialog('Amount'));
    await user.type(inDialog('Amount'), '1234.56');
    expect(button('Send Tip').disabled).toBe(false);
  });

  it('[D-179] refuse more than two decimals, with the reason', async () => {
    const user = await open();
    await openDetails(user, '1.005');
    expect(button('Send Tip').disabled).toBe(true);
    expect(screen.getByText('A tip has at most two decimals.')).toBeDefined();
  });
});

describe('sending', () => {
  it("[S4-037] [S5-025] [S2-095] disables 'Send Tip' and says 'Tipping', then is idle", async () => {
    let answer = (): void => undefined;
    backend.answer('tip', async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { id: 9, balance: '0' };
    });
    const user = await open();
    expect(button('Tip now')).toBeDefined();
    await openDetails(user);
    await user.click(button('Send Tip'));
    expect(button('Send Tip').disabled).toBe(true);
    expect(screen.getByText('Tipping')).toBeDefined();
    await pass(DOUBLE_TAP_MS);
    await user.click(document.querySelector('[data-part=backdrop]') as Element);
    await pass();
    expect(dialog()).toBeDefined();
    answer();
    await pass(DIALOG_ENDS_MS);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByText('Tipping')).toBeNull();
    expect(button('Tip now').disabled).toBe(false);
    expect(backend.calls('tip')).toHaveLength(1);
  });

  it('[S5-027] [S1-017] sends the amount as a string of micro-units, with from and note', async () => {
    const user = await open();
    await openDetails(user);
    await user.type(inDialog('From'), ' Ada ');
    await user.type(inDialog('Note'), 'Great night');
    await user.click(button('Send Tip'));
    await pass(DIALOG_ENDS_MS);
    expect(backend.calls('tip').map(({ body }) => body)).toEqual([
      { offer_id: 1, amount: '2500000', tip_from: 'Ada', note: 'Great night' },
    ]);
  });

  it("[S8-011] says 'Tip successfully sent!' for 4 s", async () => {
    const user = await open();
    await openDetails(user);
    await user.click(button('Send Tip'));
    await pass(3999);
    expect(screen.getByText('Tip successfully sent!')).toBeDefined();
    await pass(1);
    expect(screen.queryByText('Tip successfully sent!')).toBeNull();
  });

  it('[S4-038] clears amount, from and note on success', async () => {
    const user = await open();
    await openDetails(user);
    await user.type(inDialog('From'), 'Ada');
    await user.type(inDialog('Note'), 'Great night');
    await user.click(button('Send Tip'));
    await pass(DIALOG_ENDS_MS);
    expect(amountInput().value).toBe('');
    expect(draft()).toEqual(EMPTY_TIP);
  });

  it('[S4-039] fetches the balance again on success', async () => {
    const user = await open();
    const before = backend.calls('balance').length;
    await send(user);
    expect(backend.calls('balance')).toHaveLength(before + 1);
  });
});

describe('failure', () => {
  it("[S8-010] [S4-040] says 'Failed to process tip' for 3 s, is idle again and keeps the draft", async () => {
    backend.answer('tip', () => problem('account_restricted'));
    const user = await open();
    await openDetails(user);
    await user.click(button('Send Tip'));
    await pass(2999);
    const toast = screen.getByText('Failed to process tip');
    expect(toast.parentElement?.textContent).toBe('Problem: Failed to process tip');
    await pass(1);
    expect(screen.queryByText('Failed to process tip')).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(button('Tip now').disabled).toBe(false);
    expect(amountInput().value).toBe('2.5');
  });

  it('[S8-032] is logged without its text or amount, and rethrown by the call', async () => {
    backend.answer('tip', () => problem('account_restricted'));
    const user = await open();
    await send(user);
    expect(console.warn).toHaveBeenCalledWith(
      'call_failed',
      expect.objectContaining({ name: 'tip', code: 'account_restricted' }),
    );
    const body = { offer_id: 1, amount: '2500000', tip_from: '', note: '' };
    const again = client.call('tip', { body, key: newIdempotencyKey() });
    await expect(again).rejects.toMatchObject({ code: 'account_restricted' });
  });

  it.each([
    ['insufficient_balance', 'Your balance is too low. Nothing was sent.'],
    ['offer_unavailable', 'This offer takes no tips at the moment. Nothing was sent.'],
    [
      'account_restricted',
      'This account cannot spend at the moment. Nothing was sent. Please write to support@athos.example.',
    ],
    [
      'stopped',
      'Tips are stopped for everybody at the moment: The programme has stopped this for the moment. Nothing was sent.',
    ],
    ['internal_error', 'We could not confirm the tip. Try again: it is never sent twice.'],
  ] as const)('says what is known after %s', async (code, text) => {
    backend.answer('tip', () => problem(code));
    const user = await open();
    await send(user);
    expect(screen.getByText(text)).toBeDefined();
  });
});

describe('key', () => {
  it('[D-038] is the same over retries and a reload, until the tip is sent', async () => {
    backend.answer('tip', networkFailure);
    const user = await open();
    await openDetails(user);
    await user.click(button('Send Tip'));
    await pass(ASK_AGAIN_MS);
    closeApp();
    sessionStorage.clear();
    backend.answer('tip', () => ({ id: 9, balance: '0' }));
    const again = await open();
    expect(amountInput().value).toBe('2.5');
    await send(again);
    expect(keys()).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
    await send(again);
    expect(new Set(keys()).size).toBe(2);
  });

  it('[D-038] stays the same, with the tip, while the outcome is unknown, whatever changes', async () => {
    backend.answer('tip', networkFailure);
    const user = await open();
    await openDetails(user);
    await user.type(inDialog('Note'), 'Great night');
    await user.click(button('Send Tip'));
    await pass(ASK_AGAIN_MS);
    closeApp();
    sessionStorage.clear();
    backend.answer('balance', () => ({
      balance: '0',
      balances: { ATH: '0', ATH2: '0', ATH3: '0' },
    }));
    backend.answer('tip', () => problem('too_many_requests'));
    const again = await open({ active: false });
    const text = 'We could not confirm the tip. Try again: it is never sent twice.';
    expect(screen.getByText(text)).toBeDefined();
    expect(amountInput().disabled).toBe(true);
    await openDetails(again);
    expect(inDialog('Note').readOnly).toBe(true);
    await again.click(button('Send Tip'));
    await pass(DIALOG_ENDS_MS);
    expect(screen.getByText(text)).toBeDefined();
    backend.answer('tip', () => ({ id: 9, balance: '0' }));
    await send(again);
    expect(backend.calls('tip')).toHaveLength(4);
    expect(new Set(keys()).size).toBe(1);
    expect(new Set(backend.calls('tip').map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(draft()).toEqual(EMPTY_TIP);
  });

  it('of another tab’s tip with an unknown outcome is sent before any other', async () => {
    backend.answer('tip', networkFailure);
    const user = await open();
    await send(user);
    await pass(ASK_AGAIN_MS);
    const left = Object.entries(localStorage).find(([name]) => name.startsWith('tip-draft:'));
    closeApp();
    sessionStorage.clear();
    localStorage.clear();
    await open();
    expect(amountInput().disabled).toBe(false);
    const [key, value] = left as [string, string];
    localStorage.setItem(key, value);
    dispatchEvent(new StorageEvent('storage', { key }));
    await pass();
    expect(amountInput().value).toBe('2.5');
    expect(amountInput().disabled).toBe(true);
    expect(tipDraftOf(FAKE_UUID, 1).intent.get().status).toBe('unknown');
    const asked = vi.fn<(intent: ConfirmedIntent<TipDraft>) => Promise<Outcome<unknown>>>();
    asked.mockResolvedValue({ status: 'offline' });
    await tipDraftOf(FAKE_UUID, 1).submit(asked);
    const repeat = expect.objectContaining({ key: keys()[0], isRepeat: true });
    expect(asked).toHaveBeenCalledExactlyOnceWith(repeat);
  });

  it('is removed with the tip when another tab deletes the account', async () => {
    backend.answer('tip', networkFailure);
    const user = await open();
    await send(user);
    await pass(ASK_AGAIN_MS);
    localStorage.clear();
    sessionStorage.clear();
    dispatchEvent(new StorageEvent('storage', { key: null }));
    expect(tipDraftOf(FAKE_UUID, 1).get()).toEqual(EMPTY_TIP);
    const left = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    expect(left.filter((key) => key.startsWith('tip-draft:'))).toEqual([]);
  });

  it.each([
    ['amount', async (user: UserEvent) => user.type(inDialog('Amount'), '5')],
    ['note', async (user: UserEvent) => user.type(inDialog('Note'), 'Hi')],
  ] as const)('[D-038] is another one for another %s', async (_name, change) => {
    backend.answer('tip', () => problem('insufficient_balance'));
    const user = await open();
    await send(user);
    await openDetails(user);
    await change(user);
    await user.click(button('Send Tip'));
    await pass(DIALOG_ENDS_MS);
    expect(new Set(keys()).size).toBe(2);
  });
});
