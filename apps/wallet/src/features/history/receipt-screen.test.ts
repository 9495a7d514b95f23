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
import { signOut } from '../../api/sign-out.ts';
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

  describe('after its books were rewritten and signed again', () => {
    const [head] = heads.heads;
    if (head === undefined) throw new Error('no head');
    const otherHash = 'c'.repeat(64);
    const KEPT = 'seen-heads';

    /** The head that the server published before; now it has another one, to which the receipt leads. */
    function rewrite(): void {
      localStorage.setItem(KEPT, JSON.stringify({ [head?.day ?? '']: otherHash }));
    }

    it('is refused by a browser that has seen the head of before, which it names', async () => {
      backend.answer('ledgerHeads', () => ({ ...heads, heads: [{ ...head, hash: otherHash }] }));
      await check();
      expect(marks().at(-1)).toBe('Wrong');
      closeApp();
      backend.answer('ledgerHeads', () => heads);
      await check();
      expect(marks()).toEqual([...Array(7).fill('Right'), 'Wrong']);
      expect(screen.getByRole('alert').textContent).toContain('the one that was published');
      expect(
        screen.getByText(`this browser saw another head for 2026-11-20: ${otherHash}`, {
          exact: false,
        }),
      ).toBeDefined();
    });

    it('is refused again by the next check, since what was kept is not replaced', async () => {
      rewrite();
      await check();
      closeApp();
      await check();
      expect(marks().at(-1)).toBe('Wrong');
    });

    it('is refused as a receipt of a day that goes on, by the newest head', async () => {
      rewrite();
      backend.answer('receipt', () => ({ receipt: { ...receipt, day: null, day_path: null } }));
      await check();
      expect(marks()).toEqual([
        ...Array(4).fill('Right'),
        ...Array(3).fill('After the day ends'),
        'Wrong',
      ]);
    });

    it('is refused also after a sign-out, and accepted by a browser that kept nothing readable', async () => {
      rewrite();
      await openAt(paths.history);
      signOut();
      closeApp();
      await check();
      expect(marks().at(-1)).toBe('Wrong');
      closeApp();
      for (const text of ['{', '[]', 'null', JSON.stringify({ [head.day]: 7, x: otherHash })]) {
        localStorage.setItem(KEPT, text);
        await check();
        expect(marks()).toEqual(Array(8).fill('Right'));
        closeApp();
      }
      expect(JSON.parse(localStorage.getItem(KEPT) ?? '')).toEqual({ [head.day]: head.hash });
    });

    it('is checked against the heads of 400 days, of which the oldest is dropped first', async () => {
      const day = (index: number) =>
        new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);
      const seen = Array.from({ length: 400 }, (_, index) => [day(index), otherHash]);
      localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(seen)));
      await check();
      const kept = Object.keys(JSON.parse(localStorage.getItem(KEPT) ?? '') as object);
      expect([kept.length, kept[0], kept.at(-1)]).toEqual([400, day(1), head.day]);
    });
  });

  it('is right up to its seal while its day goes on', async () => {
    backend.answer('receipt', () => ({ receipt: { ...receipt, day: null, day_path: null } }));
    await check();
    expect(screen.getByText(/^This receipt is right, up to its signed seal/)).toBeDefined();
    expect(marks()).toEqual([...Array(4).fill('Right'), ...Array(4).fill('After the day ends')]);
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

describe('the links that show receipts to others', () => {
  const share = (id: string, movementId: number) => ({
    id,
    movement_id: movementId,
    with_names: id === 'own',
    made_at: '2026-11-20T12:00:00.000Z',
    expires_at: '2026-12-24T12:00:00.000Z',
  });
  const links = () => within(screen.getByRole('list', { name: 'All your links' }));

  it('are one list on each receipt, name their movements and lead to their receipts', async () => {
    backend.answer('historyItem', ({ params }) =>
      params['id'] === String(sent.data.id) ? sent : history.received,
    );
    const shares = [share('other', history.received.data.id), share('own', sent.data.id)];
    backend.answer('receiptShares', () => ({ shares }));
    const user = await openAt(paths.receipt(sent.data.id));
    const [own, other] = links().getAllByRole('listitem');
    expect(own?.textContent).toContain('This receipt');
    expect(own?.textContent).toContain('With accounts');
    expect(other?.textContent).toContain('Receive');
    expect(other?.textContent).toContain('Without accounts');
    expect(links().getByRole('link').getAttribute('href')).toBe(
      paths.receipt(history.received.data.id),
    );
    backend.answer('endReceiptShare', () => {
      shares.shift();
      return { success: true };
    });
    await user.click(links().getAllByRole('button', { name: 'End' })[1] as HTMLElement);
    await pass();
    expect(backend.calls('endReceiptShare').map(({ params }) => params['id'])).toEqual(['other']);
    expect(links().getAllByRole('listitem')).toHaveLength(1);
  });

  it('have numbers while their movements cannot be loaded', async () => {
    backend.answer('historyItem', ({ params }) =>
      params['id'] === String(sent.data.id) ? sent : problem('not_found'),
    );
    backend.answer('receiptShares', () => ({ shares: [share('other', sent.data.id + 1)] }));
    await openAt(paths.receipt(sent.data.id));
    expect(links().getByRole('link').textContent).toMatch(/^R-/);
  });

  it('say that one must end before the 21st is made', async () => {
    let shares: ReturnType<typeof share>[] = [];
    backend.answer('receiptShares', () => ({ shares }));
    backend.answer('shareReceipt', () => problem('too_many_shares'));
    const user = await openAt(paths.receipt(sent.data.id));
    shares = [share('own', sent.data.id)];
    await user.click(screen.getByRole('button', { name: 'Make a link' }));
    await pass();
    expect(
      screen.getByText('You have as many links as there can be. End one first.'),
    ).toBeDefined();
    expect(links().getAllByRole('button', { name: 'End' })).toHaveLength(1);
  });

  it('are not taken for none where they cannot be loaded, and are loaded again when asked', async () => {
    backend.answer('receiptShares', () => problem('forbidden'));
    const user = await openAt(paths.receipt(sent.data.id));
    expect(screen.getByRole('alert').textContent).toContain('Your links could not be loaded.');
    backend.answer('receiptShares', () => ({ shares: [share('own', sent.data.id)] }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(links().getAllByRole('listitem')).toHaveLength(1);
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
