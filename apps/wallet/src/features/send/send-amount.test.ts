// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { closeApp, currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';
import { sendDraftOf } from '../../state/send-draft.ts';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const amount = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount to send' });
const next = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Next' });
const all = () => screen.getByRole('button', { name: 'All' });
/** The reason why the button is disabled. */
const reason = () =>
  document.getElementById(next().getAttribute('aria-describedby') ?? '')?.textContent;
const draft = () => sendDraftOf(FAKE_UUID).get();

async function chooseToken(user: UserEvent, name: RegExp): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: 'Token' }));
  await pass(500);
  await user.click(screen.getByRole('option', { name }));
  await pass();
}

describe('amount step', () => {
  it('[S2-147] [S2-149] [S2-150] shows the balance, All and an amount input', async () => {
    await openAt('/app/send');
    expect(screen.getByText('Balance: 1,234.57 ATH')).toBeDefined();
    expect(all()).toBeDefined();
    expect(document.activeElement).toBe(amount());
  });

  it('[S2-148] leads back to /app', async () => {
    const user = await openAt('/app/send');
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app');
  });

  it.each([
    ['a click on Next', (user: UserEvent) => user.click(next())],
    ['Enter', () => act(() => amount().form?.requestSubmit())],
  ])('[S2-151] goes to /app/send/recipient by %s', async (_name, go) => {
    const user = await openAt('/app/send');
    await user.type(amount(), '12.5');
    await go(user);
    expect(currentAddress()).toBe('/app/send/recipient');
  });

  it('[S5-028] takes numeric text only and reverts anything else', async () => {
    const user = await openAt('/app/send');
    await user.type(amount(), '1x2.-5e.0');
    expect(amount().value).toBe('12.50');
    await user.clear(amount());
    await user.paste('1,000');
    expect(amount().value).toBe('');
  });

  it('shows the USD value of the amount', async () => {
    const user = await openAt('/app/send');
    await user.type(amount(), '12.5');
    expect(screen.getByText('~$2.10')).toBeDefined();
    expect(draft().usd).toBe('210');
  });

  it('keeps the amount over a reload', async () => {
    const user = await openAt('/app/send');
    await user.type(amount(), '12.5');
    closeApp();
    await openAt('/app/send');
    expect(amount().value).toBe('12.5');
  });
});

describe('Next', () => {
  it.each([
    ['nothing', ''],
    ['0', '0'],
    ['0.00', '0.00'],
    ['a point', '.'],
  ])('[S5-036] [D-157] is disabled for %s, with the reason', async (_name, text) => {
    const user = await openAt('/app/send');
    if (text !== '') await user.type(amount(), text);
    expect(next().disabled).toBe(true);
    expect(reason()).toBe('Enter an amount to continue.');
    act(() => amount().form?.requestSubmit());
    expect(currentAddress()).toBe('/app/send');
  });

  it('[S5-037] [D-132] is disabled above the raw balance even if the rounded balance covers the amount', async () => {
    const user = await openAt('/app/send');
    await user.type(amount(), '1234.57');
    expect(next().disabled).toBe(true);
    expect(reason()).toBe('This is more than your balance of 1,234.56789 ATH.');
    // Shown at the field too, where a phone's keyboard does not cover it.
    expect(screen.getByRole('alert').textContent).toBe(reason());
    expect(amount().getAttribute('aria-invalid')).toBe('true');
    await user.clear(amount());
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('[S5-037] accepts the raw balance to the last micro-unit', async () => {
    const user = await openAt('/app/send');
    await user.type(amount(), '1234.56789');
    expect(next().disabled).toBe(false);
    await user.type(amount(), '1');
    expect(next().disabled).toBe(true);
  });

  it('is disabled until the balance is known', async () => {
    backend.answer('balance', silence);
    const user = await openAt('/app/send');
    await user.type(amount(), '1');
    expect(reason()).toBe('Your balance is being loaded.');
    expect(screen.queryByRole('button', { name: 'All' })).toBeNull();
  });

  it('is disabled again when the balance falls below the amount', async () => {
    const user = await openAt('/app/send', { live: true });
    await user.type(amount(), '100');
    expect(next().disabled).toBe(false);
    const ATH = '99999999';
    backend.answer('balance', () => ({ balance: ATH, balances: { ATH, ATH2: '0', ATH3: '0' } }));
    await pass(15_000);
    expect(reason()).toBe('This is more than your balance of 99.999999 ATH.');
  });
});

describe('All', () => {
  it('[S4-054] [D-131] takes the full raw balance and its USD', async () => {
    const user = await openAt('/app/send');
    await user.click(all());
    expect(amount().value).toBe('1234.56789');
    expect(all().getAttribute('aria-pressed')).toBe('true');
    expect(draft()).toMatchObject({ paymentAmount: '1234.56789', sendAll: true, usd: '20778' });
    expect(screen.getByText('~$207.78')).toBeDefined();
    expect(next().disabled).toBe(false);
  });

  it('[S4-055] is cleared when the amount is edited', async () => {
    const user = await openAt('/app/send');
    await user.click(all());
    await user.type(amount(), '{Backspace}');
    expect(draft()).toMatchObject({ paymentAmount: '1234.5678', sendAll: false });
    expect(all().getAttribute('aria-pressed')).toBe('false');
  });
});

describe('token selector', () => {
  it('[S2-152] shows ATH, ATH2 and ATH3, each with balance and icon', async () => {
    const user = await openAt('/app/send');
    await user.click(screen.getByRole('combobox', { name: 'Token' }));
    await pass(500);
    const options = screen.getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual([
      expect.stringMatching(/^ATH[^23].*1,234\.57$/),
      expect.stringMatching(/^ATH2.*5\.00$/),
      expect.stringMatching(/^ATH3.*0\.00$/),
    ]);
    for (const option of options) expect(option.querySelector('svg path')).not.toBeNull();
  });

  it('compares the amount with the balance of the chosen token', async () => {
    const user = await openAt('/app/send');
    await user.type(amount(), '6');
    expect(next().disabled).toBe(false);
    await chooseToken(user, /^ATH2/);
    expect(amount().value).toBe('6');
    expect(screen.getByText('Balance: 5.00 ATH2')).toBeDefined();
    expect(reason()).toBe('This is more than your balance of 5.00 ATH2.');
  });

  it('shows no USD for a token without a rate', async () => {
    const user = await openAt('/app/send');
    await user.type(amount(), '2');
    await chooseToken(user, /^ATH2/);
    expect(screen.queryByText(/^~\$/)).toBeNull();
    expect(draft().usd).toBe('');
  });

  it('clears the amount of All when another token is chosen', async () => {
    const user = await openAt('/app/send');
    await user.click(all());
    await chooseToken(user, /^ATH3/);
    expect(amount().value).toBe('');
    expect(draft()).toMatchObject({ asset: 'ATH3', sendAll: false });
  });
});
