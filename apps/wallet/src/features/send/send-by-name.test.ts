// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { balanceOf, walletAnswers } from '@athos/testing/answers';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { FAKE_UUID } from '@athos/testing/session';
import {
  closeApp,
  currentAddress,
  endTest,
  openAt,
  passLoading,
} from '../../../test/signed-in.tsx';
import { sendDraftOf, type SendDraft } from '../../state/send-draft.ts';

const BEN = '0192bbbb-0000-7000-8000-000000000002';
const CODE = 'Ab-_567890123456789012';
const NOBODY = { exists: false, uuid: null } as const;

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const draft = () => sendDraftOf(FAKE_UUID).get();
const lookedUp = () => backend.calls('recipient').map(({ body }) => body.text);
const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Recipient' });
const pressNext = async (user: Awaited<ReturnType<typeof openAt>>): Promise<void> => {
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await pass();
};

describe('recipient step', () => {
  it('puts the address in the place of a handle, and goes on with the next tap', async () => {
    backend.answer('recipient', () => ({ exists: true, uuid: BEN, name: 'Ben' }));
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '1' });
    const user = await openAt('/app/send/recipient');
    await user.type(input(), '@ben');
    await pressNext(user);
    expect(lookedUp()).toEqual(['@ben']);
    expect([currentAddress(), input().value]).toEqual(['/app/send/recipient', '@ben']);
    expect(screen.getByText(BEN)).toBeDefined();
    expect(screen.getByText('Ben').parentElement?.textContent).toBe('Ben (chosen by this person)');
    expect(screen.getByText('B')).toBeDefined();
    await pressNext(user);
    expect(currentAddress()).toBe('/app/send/summary');
    expect(draft()).toMatchObject({ address: BEN, name: '@ben' });
  });

  it.each([
    ['the handle of nobody', '@ghost', () => NOBODY, /^Nobody can be found by this\./],
    [
      'too many look-ups',
      '@ben',
      () => problem('too_many_requests'),
      /^You have looked up as many/,
    ],
  ])('shows %s beside the field', async (_case, text, answer, fault) => {
    backend.answer('recipient', answer);
    const user = await openAt('/app/send/recipient');
    await user.type(input(), text);
    await pressNext(user);
    expect(screen.getAllByText(fault)).not.toEqual([]);
    expect(input().getAttribute('aria-invalid')).toBe('true');
    expect(currentAddress()).toBe('/app/send/recipient');
  });

  it('reads a pasted pay link, and fills in what it asks for', async () => {
    backend.answer('recipient', () => ({
      exists: true,
      uuid: BEN,
      pay: { amount: '12500000', asset: 'ATH2' as const, note: 'For May' },
    }));
    const user = await openAt('/app/send/recipient');
    await user.click(input());
    await user.paste(`https://wallet.example/app/pay?code=${CODE}`);
    await pressNext(user);
    expect(lookedUp()).toEqual([CODE]);
    expect(draft()).toMatchObject({
      address: BEN,
      paymentAmount: '12.5',
      asset: 'ATH2',
      asked: 'For May',
    });
  });

  it('keeps the amount that was entered before a pay link was pasted', async () => {
    backend.answer('recipient', () => ({
      exists: true,
      uuid: BEN,
      pay: { amount: '12500000', asset: 'ATH2' as const, note: '' },
    }));
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '3' });
    const user = await openAt('/app/send/recipient');
    await user.click(input());
    await user.paste(CODE);
    await pressNext(user);
    expect(draft()).toMatchObject({ address: BEN, paymentAmount: '3', asset: 'ATH' });
  });
});

describe('a look-up without an answer', () => {
  const FAILED = 'It could not be looked up. Try again.';

  it.each([
    ['a lost connection', networkFailure],
    ['a refusal for now', () => problem('overloaded')],
  ])('is not told as nobody after %s, and is repeated on request', async (_case, answer) => {
    backend.answer('recipient', answer);
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '1' });
    const user = await openAt('/app/send/recipient');
    await user.type(input(), '@ben');
    await pressNext(user);
    await pass(60_000);
    expect(screen.getByText(FAILED)).toBeDefined();
    expect(screen.queryByText(/^Nobody can be found/)).toBeNull();
    backend.answer('recipient', () => ({ exists: true, uuid: BEN }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(screen.queryByText(FAILED)).toBeNull();
    expect(screen.getByText(BEN)).toBeDefined();
    await pressNext(user);
    expect(currentAddress()).toBe('/app/send/summary');
  });

  it('is told again if it fails again, and no longer once another name is typed', async () => {
    backend.answer('recipient', () => problem('overloaded'));
    const user = await openAt('/app/send/recipient');
    await user.type(input(), '@ben');
    await pressNext(user);
    await pass(60_000);
    backend.answer('recipient', silence);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.queryByText(FAILED)).toBeNull();
    await pass(60_000);
    expect(screen.getByText(FAILED)).toBeDefined();
    await user.type(input(), '2');
    expect(screen.queryByText(FAILED)).toBeNull();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDefined();
  });
});

describe('a pay link for 12.50 ATH2', () => {
  const ASKED = 'This link asks for 12.50 ATH2.';
  const USED = 'The amount is now 12.50 ATH2.';
  const useIt = () => screen.queryByRole('button', { name: 'Use it' });
  beforeEach(() => {
    backend.answer('balance', () => balanceOf('40000000', '40000000'));
    backend.answer('recipient', () => ({
      exists: true,
      uuid: BEN,
      pay: { amount: '12500000', asset: 'ATH2' as const, note: 'For May' },
    }));
  });

  /** Enters an amount, and then pastes the link. */
  async function pasteOver(typed: Partial<SendDraft>) {
    sendDraftOf(FAKE_UUID).change(typed);
    const user = await openAt('/app/send/recipient');
    await user.click(input());
    await user.paste(CODE);
    await pressNext(user);
    return user;
  }

  it('says what it asks for where another amount was typed, and takes it over on request', async () => {
    const user = await pasteOver({ paymentAmount: '3', usd: '50' });
    expect(screen.getByText(ASKED).closest('[role="status"]')).not.toBeNull();
    expect(draft()).toMatchObject({ paymentAmount: '3', asset: 'ATH' });
    await user.click(screen.getByRole('button', { name: 'Use it' }));
    expect(draft()).toMatchObject({ paymentAmount: '12.5', asset: 'ATH2', usd: '', address: BEN });
    expect(screen.queryByText(ASKED)).toBeNull();
    expect(screen.getByText(USED)).toBeDefined();
    expect(document.activeElement?.id).toBe('content');
    await pressNext(user);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await pass();
    expect(backend.calls('transfer').map(({ body }) => body)).toMatchObject([
      { amount: '12500000', asset: 'ATH2', to_uuid: BEN },
    ]);
  });

  it('says so on the summary too, also after a reload', async () => {
    await pressNext(await pasteOver({ paymentAmount: '3' }));
    closeApp();
    const user = await openAt('/app/send/summary');
    expect(screen.getByText('3.00 ATH')).toBeDefined();
    expect(screen.getByText(ASKED)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Use it' }));
    expect(screen.getByText('12.50 ATH2')).toBeDefined();
    expect(useIt()).toBeNull();
  });

  it('is not offered while a send of another amount may have happened', async () => {
    const user = await pasteOver({ paymentAmount: '3' });
    await pressNext(user);
    backend.answer('transfer', () => problem('try_again'));
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await pass(60_000);
    expect(screen.getByText(/^We could not confirm the sending\./)).toBeDefined();
    expect(useIt()).toBeNull();
  });

  it('leads to the amount step if the balance does not suffice', async () => {
    backend.answer('balance', () => balanceOf('40000000', '4000000'));
    const user = await pasteOver({ paymentAmount: '3' });
    await user.click(screen.getByRole('button', { name: 'Use it' }));
    await pass();
    expect(currentAddress()).toBe('/app/send');
    expect(screen.getAllByText('This is more than your balance of 4.00 ATH2.')).not.toEqual([]);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true);
    expect(screen.queryByText(USED)).toBeNull();
  });

  it.each([
    ['no amount was typed', { paymentAmount: '' }],
    ['its amount was typed', { paymentAmount: '12.50', asset: 'ATH2' as const }],
  ])('says nothing where %s', async (_case, typed) => {
    await pasteOver(typed);
    expect(draft().address).toBe(BEN);
    expect(screen.queryByText(ASKED)).toBeNull();
  });

  it('is forgotten with its recipient, but not where the recipient is saved as a contact', async () => {
    const user = await pasteOver({ paymentAmount: '3' });
    await user.click(screen.getByRole('button', { name: 'ADD CONTACT' }));
    await passLoading();
    await user.type(screen.getByRole('textbox', { name: 'Alias' }), 'Ben');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await pass(1000);
    expect(input().value).toBe('Ben');
    expect(screen.getByText(ASKED)).toBeDefined();
    expect(draft().asked).toBe('For May');
    await user.clear(input());
    expect(screen.queryByText(ASKED)).toBeNull();
    expect(draft().asked).toBeUndefined();
  });

  it('says what it asks for where its amount was changed after /app/pay', async () => {
    const user = await openAt(`/app/pay?code=${CODE}`);
    expect(screen.queryByText(ASKED)).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    const amount = screen.getByRole('textbox', { name: 'Amount to send' });
    await user.clear(amount);
    await user.type(amount, '3');
    await pressNext(user);
    expect(screen.getByText(ASKED)).toBeDefined();
  });
});

describe('summary', () => {
  const open = () => {
    sendDraftOf(FAKE_UUID).change({ address: BEN, paymentAmount: '1', asked: 'For May' });
    return openAt('/app/send/summary');
  };

  it('[W-077] shows the name that the recipient chose, marked as such', async () => {
    backend.answer('recipient', () => ({ exists: true, uuid: BEN, name: 'Benjamin' }));
    await open();
    expect(screen.getByText('Benjamin').parentElement?.textContent).toBe(
      'Benjamin (chosen by this person)',
    );
    expect(screen.getByText('B')).toBeDefined();
    expect(screen.getByText('For May')).toBeDefined();
  });

  it('[W-077] shows no name of a recipient who does not let it be seen', async () => {
    await open();
    expect(screen.queryByText('(chosen by this person)', { exact: false })).toBeNull();
  });
});

describe('/app/pay', () => {
  const open = () => openAt(`/app/pay?code=${CODE}`);

  it('[W-082] opens the amount step, with the receiver entered', async () => {
    backend.answer('recipient', () => ({
      exists: true,
      uuid: BEN,
      pay: { amount: null, asset: 'ATH' as const, note: '' },
    }));
    sendDraftOf(FAKE_UUID).change({ address: 'typed before', paymentAmount: '5', met: 'code' });
    await open();
    expect(lookedUp()).toEqual([CODE]);
    expect(currentAddress()).toBe('/app/send');
    expect(draft()).toMatchObject({ address: BEN, paymentAmount: '', met: undefined });
  });

  it('[W-082] opens the recipient step where the amount is given', async () => {
    backend.answer('recipient', () => ({
      exists: true,
      uuid: BEN,
      pay: { amount: '12500000', asset: 'ATH' as const, note: 'For May' },
    }));
    await open();
    expect([currentAddress(), input().value]).toEqual(['/app/send/recipient', BEN]);
    expect(draft()).toMatchObject({ paymentAmount: '12.5', asked: 'For May' });
  });

  it('[W-083] says that a link was ended', async () => {
    backend.answer('recipient', () => NOBODY);
    await open();
    expect(screen.getByText(/^This link does not work, or was ended\./)).toBeDefined();
    expect(draft().address).toBe('');
  });

  it('looks nothing up without a code', async () => {
    await openAt('/app/pay?code=7');
    expect(screen.getByText(/^This link does not work, or was ended\./)).toBeDefined();
    expect(lookedUp()).toEqual([]);
  });

  it('tells owners that the link is their own', async () => {
    backend.answer('recipient', () => ({ exists: true, uuid: FAKE_UUID }));
    await open();
    expect(screen.getByText(/^This is your own link\./)).toBeDefined();
  });

  it('asks again on request where there was no answer', async () => {
    backend.answer('recipient', () => problem('internal_error'));
    const user = await open();
    backend.answer('recipient', () => NOBODY);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(screen.getByText(/^This link does not work, or was ended\./)).toBeDefined();
  });
});
