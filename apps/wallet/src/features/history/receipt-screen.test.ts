// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { history } from '@athos/testing/samples/holder';
import { heads, receipt } from '@athos/testing/samples/receipts';
import { closeApp, endTest, openAt } from '../../../test/signed-in.tsx';
import { paths } from '../../routes/paths.ts';

const { sent } = history;

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  backend.answer('historyItem', () => sent);
  backend.answer('receipt', () => ({ receipt }));
  backend.answer('ledgerHeads', () => heads);
});
afterEach(endTest);

const STEPS = { name: 'Steps of the check' };
/** The browser computes hashes outside of fake time, one after the other, each in a turn of its own. */
const TURNS_MAX = 200;

async function check(): Promise<void> {
  const user = await openAt(paths.receipt(sent.data.id));
  await user.click(screen.getByRole('button', { name: 'Check it' }));
  for (let turn = 0; turn < TURNS_MAX && screen.queryByRole('list', STEPS) === null; turn += 1) {
    await pass();
  }
}

const marks = (): (string | null)[] =>
  within(screen.getByRole('list', STEPS))
    .getAllByRole('listitem')
    .map((item) => item.lastElementChild?.textContent ?? null);

describe('the receipt', () => {
  it('[W-133] is accepted on this device, and the server is asked only for what it has published', async () => {
    await check();
    expect(screen.getByText(/^This receipt is right, up to the published head/)).toBeDefined();
    expect(marks()).toEqual(Array(8).fill('Right'));
    expect(screen.getByText('R-15M-M')).toBeDefined();
    expect(backend.calls('receipt')).toHaveLength(1);
    expect(backend.calls('ledgerHeads')).toHaveLength(1);
  });

  it.each([
    [
      'the amount',
      {
        parts: [
          { ...receipt.parts[0], text: '1|1204|ATH|12500001|1|0' },
          ...receipt.parts.slice(1),
        ],
      },
      /wrong at the step: The receipt says what this app shows/,
    ],
    [
      'the path',
      { path: receipt.path.slice(1) },
      /wrong at the step: The movement lies under the seal/,
    ],
    [
      'the signature',
      { seal: { ...receipt.seal, signature: '0'.repeat(128) } },
      /wrong at the step: The seal is signed/,
    ],
    [
      'the day',
      { day: { ...receipt.day, root: receipt.seal.root } },
      /wrong at the step: The head of the day is whole/,
    ],
  ])('[W-134] is refused with %s changed, and the step is named', async (_what, change, text) => {
    backend.answer('receipt', () => ({ receipt: { ...receipt, ...change } as typeof receipt }));
    await check();
    expect(screen.getByRole('alert').textContent).toMatch(text);
    expect(marks().at(-1)).toBe('Wrong');
  });

  it('is refused if it is the receipt of another movement', async () => {
    backend.answer('historyItem', () => ({ ...sent, data: { ...sent.data, amount: '1' } }));
    await check();
    expect(screen.getByRole('alert').textContent).toContain('what this app shows');
  });

  it('is refused if another head was published for its day', async () => {
    const [head] = heads.heads;
    backend.answer('ledgerHeads', () => ({
      ...heads,
      heads: head === undefined ? [] : [{ ...head, hash: '0'.repeat(64) }],
    }));
    await check();
    expect(screen.getByRole('alert').textContent).toContain('the one that was published');
  });

  it('is right up to its seal while its day goes on', async () => {
    backend.answer('receipt', () => ({ receipt: { ...receipt, day: null, day_path: null } }));
    await check();
    expect(screen.getByText(/^This receipt is right, up to its signed seal/)).toBeDefined();
    expect(marks()).toEqual([...Array(4).fill('Right'), ...Array(4).fill('Tomorrow')]);
  });

  it('says when the movement is not sealed yet, and when there is none', async () => {
    backend.answer('receipt', () => ({ receipt: null }));
    await openAt(paths.receipt(sent.data.id));
    expect(screen.getByText('It is being sealed.')).toBeDefined();
    closeApp();
    backend.answer('receipt', () => problem('not_found'));
    await openAt(paths.receipt(sent.data.id + 1));
    expect(screen.getByText('This movement was not found.')).toBeDefined();
  });

  it('says where the movement lies under its seal, and what became of it', async () => {
    await openAt(paths.receipt(sent.data.id));
    expect(screen.getByText('Position 7 of 13, seal 4711')).toBeDefined();
    expect(screen.getByText('COMPLETED')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Make a link' })).toBeDefined();
  });

  it.each([
    ['arriving', 'Arriving'],
    ['taken_back', 'Taken back'],
    ['returned', 'Returned'],
  ] as const)('of a send that is %s says so, and is not shown to others', async (state, word) => {
    backend.answer('historyItem', () => ({ ...sent, data: { ...sent.data, state } }));
    await openAt(paths.receipt(sent.data.id));
    expect(screen.getByText(word)).toBeDefined();
    expect(screen.getByText('Only a send that has arrived can be shown to others.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Make a link' })).toBeNull();
  });

  it('learns when it is shown to others that the send has come back meanwhile', async () => {
    let state: 'sent' | 'taken_back' = 'sent';
    backend.answer('historyItem', () => ({ ...sent, data: { ...sent.data, state } }));
    backend.answer('shareReceipt', () => problem('send_not_arrived'));
    const user = await openAt(paths.receipt(sent.data.id));
    state = 'taken_back';
    await user.click(screen.getByRole('button', { name: 'Make a link' }));
    await pass();
    expect(
      screen.getAllByText('Only a send that has arrived can be shown to others.').length,
    ).toBeGreaterThan(0);
    expect(screen.getByText('Taken back')).toBeDefined();
  });

  it('says when the books no longer say what was sealed, and what to tell support', async () => {
    backend.answer('receipt', () => problem('movement_changed'));
    await openAt(paths.receipt(sent.data.id));
    // The client retries twice.
    await pass(300);
    await pass(600);
    expect(screen.getByRole('alert').textContent).toContain('no longer say what was sealed');
    expect(screen.getByRole('alert').textContent).toContain('R-15M-M');
  });

  it('is not offered for a payment that failed', async () => {
    backend.answer('historyItem', () => history.paymentFailed);
    await openAt(paths.historyItem(history.paymentFailed.data.id));
    expect(screen.getByText('FAILED')).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Receipt' })).toBeNull();
    closeApp();
    backend.answer('historyItem', () => sent);
    await openAt(paths.historyItem(sent.data.id));
    expect(screen.getByRole('link', { name: 'Receipt' })).toBeDefined();
  });
});

describe('a receipt that is shown to others', () => {
  const link = `/receipt#${'k'.repeat(22)}`;
  const hidden = (receiptPart: { name: string }, shown: string) =>
    receiptPart.name === 'movement' || receiptPart.name === shown;
  /** The sample receipt with only its movement and the side `shown` disclosed. It has a payer but no payee, so `payee` discloses nobody. */
  const partly = (shown: string) => ({
    ...receipt,
    parts: receipt.parts.map((receiptPart) =>
      'hash' in receiptPart || hidden(receiptPart, shown)
        ? receiptPart
        : { name: receiptPart.name, hash: hashes[receiptPart.name] ?? '' },
    ),
  });
  const hashes: Record<string, string> = {};
  beforeEach(async () => {
    for (const shown of receipt.parts) {
      if ('hash' in shown) continue;
      const salt = Buffer.from(shown.salt, 'hex');
      const bytes = new Uint8Array([...salt, ...Buffer.from(shown.text)]);
      hashes[shown.name] = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString(
        'hex',
      );
    }
  });
  const answer = (taken: typeof receipt) => () => ({
    receipt: partly('payee'),
    taken,
    expires_at: '2026-12-24T12:00:00.000Z',
  });

  async function checkShared(): Promise<void> {
    const user = await openAt(link);
    await user.click(screen.getByRole('button', { name: 'Check it' }));
    for (let turn = 0; turn < TURNS_MAX && screen.queryByRole('list', STEPS) === null; turn += 1) {
      await pass();
    }
  }

  it('names the sender of a send that could be undone from the movement that the sender made', async () => {
    backend.answer('sharedReceipt', answer(partly('payer')));
    await checkShared();
    expect(screen.getByText('0192f3a1-7c1e-7d55-8a31-0b7c2d4f6e11')).toBeDefined();
    expect(marks()).toEqual(Array(8).fill('Right'));
  });

  it.each([
    [
      'another amount',
      { parts: [{ ...receipt.parts[0], text: '1|1204|ATH|1|1|0' }] },
      'what this app shows',
    ],
    ['a changed path', { path: receipt.path.slice(1) }, 'lies under the seal'],
  ])('is refused if that movement has %s', async (_what, change, step) => {
    const taken = { ...partly('payer'), ...change } as typeof receipt;
    backend.answer('sharedReceipt', answer(taken));
    await checkShared();
    expect(screen.getByRole('alert').textContent).toContain(step);
    expect(marks().at(-1)).toBe('Wrong');
  });
});
