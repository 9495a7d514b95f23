// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerOf } from '@athos/contract/api';
import { balanceOf } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { liveStream } from '@athos/testing/samples/purchases';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import { beginTest, endWholeTest, settle, startAt } from '../../test/whole-app.tsx';
import { contactBookOf } from '../state/contacts.ts';

const BEN = '0192bbbb-0000-7000-8000-000000000002';
const SPLASH_MS = 1200;

type Entry = AnswerOf<'allHistory'>['history'][number];
type ReceivedData = Extract<Entry, { type: 'Receive' }>['data'];
const received = (id: number, amount: string, more: Partial<ReceivedData> = {}): Entry => ({
  type: 'Receive',
  data: { id, date: new Date().toISOString(), amount, asset: 'ATH', counterparty: BEN, ...more },
});

let backend: FakeBackend;
let stream: ReturnType<typeof liveStream>;
beforeEach(async () => {
  backend = beginTest();
  stream = liveStream();
  backend.answer('events', stream.answer);
  backend.answer('balance', () => balanceOf('5000000', '0'));
  localStorage.setItem('jwt', fakeToken());
  await startAt('/app/settings');
  await settle(SPLASH_MS);
});
afterEach(endWholeTest);

/** Sets the newest entries that the server has, newest first. */
const have = (...entries: Entry[]): void =>
  backend.answer('allHistory', () => ({ history: entries, next_cursor: null }));

async function balanceBecomes(ath: string): Promise<void> {
  backend.answer('balance', () => balanceOf(ath, '0'));
  stream.tell({ type: 'balance', ...balanceOf(ath, '0') });
  await settle();
}

/** The queries with which arrivals were looked up in the history. The offline copies read the history as well. */
const searches = (): URLSearchParams[] =>
  backend
    .calls('allHistory')
    .map(({ query }) => query)
    .filter((query) => query.get('type') === 'Receive');

const told = (): string[] =>
  within(screen.getByRole('region', { name: 'Notifications' }))
    .queryAllByRole('listitem')
    .map((toast) => toast.textContent.replace('Success: ', ''));

describe('incoming value', () => {
  it('is told live with the amount and the contact who sent it', async () => {
    contactBookOf(FAKE_UUID).add({ alias: 'Ben', address: BEN });
    have(received(9, '10000000'));
    await balanceBecomes('15000000');
    expect(told()).toEqual(['+10.00 ATH from Ben']);
    expect(screen.getByText('+10.00 ATH from Ben').closest('[aria-live="polite"]')).not.toBeNull();
    const [query] = searches();
    expect(query?.get('limit')).toBe('4');
    expect(Date.parse(query?.get('from') ?? '')).toBeLessThan(Date.now());
  });

  it('is told with a short form of the id, with the giver of a tip, or without a name', async () => {
    have(
      received(11, '3000000', { counterparty: null }),
      received(10, '2000000', { counterparty: null, tip_from: 'Cleo', note: '' }),
      received(9, '1000000', { asset: 'ATH2' }),
    );
    await balanceBecomes('15000000');
    expect(told()).toEqual([
      '+1.00 ATH2 from 0192bbbb…0002',
      '+2.00 ATH from Cleo',
      '+3.00 ATH received',
    ]);
  });

  it('is told once', async () => {
    have(received(9, '10000000'));
    await balanceBecomes('15000000');
    await settle(5000);
    expect(told()).toEqual([]);
    have(received(10, '1000000'), received(9, '10000000'));
    await balanceBecomes('16000000');
    expect(told()).toEqual(['+1.00 ATH from 0192bbbb…0002']);
  });

  it('is told by the next poll if the live event was lost', async () => {
    have(received(9, '10000000'));
    backend.answer('balance', () => balanceOf('15000000', '0'));
    await settle(15_000);
    expect(told()).toEqual(['+10.00 ATH from 0192bbbb…0002']);
  });

  it('is told in one sentence beyond three', async () => {
    have(...[14, 13, 12, 11].map((id) => received(id, `${id}000000`)));
    await balanceBecomes('99000000');
    expect(told()).toEqual([
      '+12.00 ATH from 0192bbbb…0002',
      '+13.00 ATH from 0192bbbb…0002',
      '+14.00 ATH from 0192bbbb…0002',
      'More has arrived. Your history shows it all.',
    ]);
  });

  it('is told later if the history could not be read at first', async () => {
    backend.answer('allHistory', () => problem('forbidden'));
    await balanceBecomes('15000000');
    expect(told()).toEqual([]);
    have(received(10, '1000000'), received(9, '10000000'));
    await balanceBecomes('16000000');
    expect(told()).toEqual(['+10.00 ATH from 0192bbbb…0002', '+1.00 ATH from 0192bbbb…0002']);
  });

  it('is not looked for when the balance falls', async () => {
    await balanceBecomes('1000000');
    expect(searches()).toEqual([]);
  });

  it('says nothing about value that nobody sent', async () => {
    have();
    await balanceBecomes('15000000');
    expect(searches()).toHaveLength(1);
    expect(told()).toEqual([]);
  });
});
