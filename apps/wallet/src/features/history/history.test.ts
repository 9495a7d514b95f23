// @vitest-environment jsdom
import { queryClient } from '@athos/app-core/query-client';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import { closeApp, currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';
import type { HistoryItem } from '@athos/contract/wallet/history';
import { catchUpOnHistory, refreshHistory } from '../../api/history-updates.ts';
import { historyQuery } from '../../api/history.ts';
import { paths } from '../../routes/paths.ts';
import { contactBookOf } from '../../state/contacts.ts';
import { session } from '../../state/session.ts';

const BEN = '0192bbbb-0000-7000-8000-000000000002';
const date = new Date(2026, 10, 5, 19, 5).toISOString();
const moved = (id: number, amount: string) => ({
  id,
  date,
  amount,
  asset: 'ATH' as const,
  counterparty: BEN,
});
const offer = (kind: number) => ({ kind, title: '*Amber* Fizz', img: '/i', note: 'n' });
const purchase = (id: number, kind: number): HistoryItem => ({
  type: 'Purchase',
  data: {
    id,
    date,
    purchase_date: date,
    offer_amount: 1250,
    offer_count: kind === 3 ? 1 : 2,
    offer: offer(kind),
  },
});
const payment = (id: number, stripe_status: 1 | 2): HistoryItem => ({
  type: 'Payment',
  data: {
    id,
    date,
    token_amount: '59420000',
    amount_paid: 1110,
    tx_fee: 60,
    athos_fee: 50,
    stripe_status,
  },
});

const ITEMS: HistoryItem[] = [
  { type: 'Send', data: moved(9, '5000001') },
  { type: 'Receive', data: moved(8, '1000000') },
  { type: 'Reward', data: { ...moved(7, '25000000'), counterparty: null } },
  payment(6, 1),
  payment(5, 2),
  purchase(4, 0),
  purchase(3, 1),
  purchase(2, 2),
  purchase(1, 3),
];

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  backend.answer('allHistory', () => ({ history: ITEMS, next_cursor: null }));
});
afterEach(endTest);

const rowNames = (): string[] =>
  within(screen.getByRole('list', { name: 'History' }))
    .getAllByRole('link')
    .map((row) => row.textContent.replaceAll(/\s+/g, ' ').trim());

describe('/app/history', () => {
  it('[W-073] lists a send that could be undone with its state, and without a sign once it came back', async () => {
    const states = ['arriving', 'sent', 'taken_back', 'returned'] as const;
    backend.answer('allHistory', () => ({
      history: states.map((state, index) => ({
        type: 'Send' as const,
        data: { ...moved(9 - index, '5000000'), state },
      })),
      next_cursor: null,
    }));
    await openAt(paths.history);
    expect(rowNames().map((name) => name.replace(/^.*Nov 05 /, ''))).toEqual([
      '-5.00 ATH Arriving',
      '-5.00 ATH Sent',
      '5.00 ATH Taken back',
      '5.00 ATH Returned',
    ]);
  });

  it('[S2-176] [S2-179] [S2-181] [S2-182] [S3-038] [S7-029] lists each movement with who or what, label, time, date and signed amount', async () => {
    contactBookOf(FAKE_UUID).add({ alias: 'Ben from work', address: BEN });
    await openAt(paths.history);
    expect(screen.getByRole('heading', { name: 'History' })).toBeTruthy();
    expect(rowNames()).toEqual([
      'Ben from work Send · 19:05 Nov 05 -5.01 ATH',
      'Ben from work Receive · 19:05 Nov 05 +1.00 ATH',
      'Reward 19:05 Nov 05 +25.00 ATH',
      'ATH by card Payment · 19:05 Nov 05 +59.42 ATH',
      'ATH by card Payment · 19:05 Nov 05 59.42 ATH FAILED',
      '2 × Amber Fizz ATH Products · 19:05 Nov 05 -12.50 ATH',
      '2 × Amber Fizz Event · 19:05 Nov 05 -12.50 ATH',
      '2 × Amber Fizz ATH Products · 19:05 Nov 05 -12.50 ATH',
      'Amber Fizz Tip · 19:05 Nov 05 -12.50 ATH',
    ]);
    for (const row of screen.getAllByRole('link', { name: /Nov 05/ }))
      expect(row.querySelector('svg')).toBeTruthy();
  });

  it('names an account without a contact by a short form of its id, and a tip by its giver', async () => {
    const tip = { ...moved(8, '1000000'), counterparty: null, note: '' };
    backend.answer('allHistory', () => ({
      history: [
        { type: 'Send', data: moved(9, '5000001') },
        { type: 'Receive', data: { ...tip, tip_from: 'Ada' } },
        { type: 'Receive', data: { ...tip, id: 7, tip_from: '' } },
        { type: 'Receive', data: { ...moved(6, '1000000'), counterparty: null } },
      ],
      next_cursor: null,
    }));
    await openAt(paths.history);
    expect(rowNames().map((name) => name.split(' · ')[0])).toEqual([
      '0192bbbb…0002 Send',
      'Ada Receive',
      'Anonymous Receive',
      'Receive 19:05 Nov 05 +1.00 ATH',
    ]);
  });

  it('puts the movements of a day under its heading', async () => {
    const on = (id: number, at: string): HistoryItem => ({
      type: 'Send',
      data: { ...moved(id, '1000000'), date: at },
    });
    backend.answer('allHistory', () => ({
      history: [
        on(5, '2026-11-21T11:00:00.000Z'),
        on(4, '2026-11-21T08:00:00.000Z'),
        on(3, '2026-11-20T08:00:00.000Z'),
        on(2, '2026-11-19T08:00:00.000Z'),
        on(1, '2025-12-31T08:00:00.000Z'),
      ],
      next_cursor: null,
    }));
    vi.setSystemTime('2026-11-21T12:00:00Z');
    await openAt(paths.history);
    expect(
      screen
        .getAllByRole('heading', { level: 2 })
        .map((heading) => [
          heading.textContent,
          within(screen.getByRole('list', { name: heading.textContent })).getAllByRole('link')
            .length,
        ]),
    ).toEqual([
      ['Today, Nov 21', 2],
      ['Yesterday, Nov 20', 1],
      ['Thu, Nov 19', 1],
      ['Wed, Dec 31, 2025', 1],
    ]);
  });

  it('[S2-177] leads back to the settings', async () => {
    const user = await openAt(paths.history);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app/settings');
  });

  it('[S2-178] shows that it is loading', async () => {
    backend.answer('allHistory', silence);
    await openAt(paths.history);
    expect(screen.getByRole('status', { name: 'Loading history' })).toBeTruthy();
  });

  it('[S2-084] links to the detail as /app/history/id=…', async () => {
    const user = await openAt(paths.history);
    await user.click(screen.getByRole('link', { name: /Send/ }));
    expect(currentAddress()).toBe('/app/history/id=9');
  });

  it('renders only those of a thousand movements that are near the viewport, and fetches the next page near the end', async () => {
    const many = Array.from({ length: 1000 }, (_, index): HistoryItem => ({
      type: 'Send',
      data: moved(5000 - index, '1000000'),
    }));
    backend.answer('allHistory', ({ query }) =>
      query.get('cursor') === null
        ? { history: many, next_cursor: 'more' }
        : { history: ITEMS, next_cursor: null },
    );
    await openAt(paths.history);
    expect(rowNames().length).toBeLessThan(60);
    expect(backend.calls('allHistory')).toHaveLength(1);
  });

  it('fetches page by page to the end', async () => {
    backend.answer('allHistory', ({ query }) =>
      query.get('cursor') === null
        ? { history: ITEMS.slice(0, 4), next_cursor: 'p2' }
        : { history: ITEMS.slice(4), next_cursor: null },
    );
    await openAt(paths.history);
    await pass(100);
    expect(rowNames()).toHaveLength(9);
    expect(backend.calls('allHistory').map(({ query }) => query.get('cursor'))).toEqual([
      null,
      'p2',
    ]);
    expect(screen.getByText('That is everything.')).toBeTruthy();
  });

  it('offers the next step if there are no movements', async () => {
    backend.answer('allHistory', () => ({ history: [], next_cursor: null }));
    const user = await openAt(paths.history);
    await user.click(screen.getByRole('link', { name: 'Buy ATH' }));
    expect(currentAddress()).toBe('/app/buy');
  });

  it('says that it could not be loaded, and can try again', async () => {
    backend.answer('allHistory', () => problem('internal_error'));
    const user = await openAt(paths.history);
    await pass(20_000);
    expect(screen.getByText('The history could not be loaded.')).toBeTruthy();
    backend.answer('allHistory', () => ({ history: ITEMS, next_cursor: null }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(rowNames()).toHaveLength(9);
  });

  it('puts new movements in front without fetching every page again', async () => {
    backend.answer('allHistory', () => ({ history: ITEMS.slice(1), next_cursor: null }));
    await openAt(paths.history);
    expect(rowNames()).toHaveLength(8);
    backend.answer('allHistory', () => ({ history: ITEMS, next_cursor: 'p2' }));
    const callCount = backend.calls('allHistory').length;
    await refreshHistory();
    await pass();
    expect(rowNames()).toHaveLength(9);
    expect(backend.calls('allHistory').length).toBe(callCount + 1);
    backend.answer('allHistory', networkFailure);
    void refreshHistory();
    await pass(20_000);
    expect(rowNames()).toHaveLength(9);
  });

  it('fetches every page again after a gap if a send below the first page was on its way', async () => {
    const answer = (state: 'arriving' | 'sent') =>
      backend.answer('allHistory', ({ query }) =>
        query.get('cursor') === null
          ? {
              history: Array.from({ length: 30 }, (_, index): HistoryItem => ({
                type: 'Send',
                data: moved(100 - index, '1000000'),
              })),
              next_cursor: 'p2',
            }
          : {
              history: [{ type: 'Send', data: { ...moved(9, '1000000'), state } }],
              next_cursor: null,
            },
      );
    answer('arriving');
    await openAt(paths.history);
    await queryClient.fetchInfiniteQuery({ ...historyQuery, pages: 2, staleTime: 0 });
    const oldest = () => queryClient.getQueryData(historyQuery.queryKey)?.pages[1]?.movements[0];
    expect(oldest()).toMatchObject({ id: 9, state: 'arriving' });
    answer('sent');
    await catchUpOnHistory();
    expect(oldest()).toMatchObject({ id: 9, state: 'sent' });
    const callCount = backend.calls('allHistory').length;
    await catchUpOnHistory();
    expect(backend.calls('allHistory').length).toBe(callCount + 1);
  });

  it('puts no movements in front that were read for the user before', async () => {
    backend.answer('allHistory', () => ({ history: ITEMS.slice(1), next_cursor: null }));
    await openAt(paths.history);
    let answer: (page: { history: HistoryItem[]; next_cursor: null }) => void = () => undefined;
    backend.answer('allHistory', () => new Promise((resolve) => (answer = resolve)));
    const refreshed = refreshHistory();
    await pass();
    session.begin({ token: fakeToken(), uuid: BEN });
    answer({ history: ITEMS, next_cursor: null });
    await refreshed;
    const known = queryClient.getQueryData(historyQuery.queryKey);
    expect(known?.pages[0]?.movements).toHaveLength(8);
  });
});

const open = async (id: number, item?: HistoryItem) => {
  if (item !== undefined) backend.answer('historyItem', () => item);
  return openAt(paths.historyItem(id));
};
const detail = (name: string): string | undefined =>
  screen.getAllByRole('term').find((term) => term.textContent === name)?.nextElementSibling
    ?.textContent ?? undefined;

describe('/app/history/{id}', () => {
  it('[S2-185] leads back to the history', async () => {
    const user = await open(6, payment(6, 1));
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app/history');
  });

  it('[S9-007] [S9-008] [D-014] splits a payment into Price, Fees and Total, cents as dollars', async () => {
    await open(6, payment(6, 1));
    expect([detail('Price'), detail('Fees'), detail('Total')]).toEqual([
      '$10.00',
      '$1.10',
      '$11.10',
    ]);
    expect(backend.calls('historyItem')[0]?.params).toEqual({ id: '6' });
  });

  it('[S4-077] shows COMPLETED for a payment of status 1, FAILED otherwise', async () => {
    await open(6, payment(6, 1));
    expect(detail('Status')).toBe('COMPLETED');
    closeApp();
    await open(5, payment(5, 2));
    expect(detail('Status')).toBe('FAILED');
  });

  it.each(ITEMS.filter(({ type }) => type !== 'Payment'))(
    '[S4-078] shows COMPLETED for a $type',
    async (item) => {
      await open(item.data.id, item);
      expect(detail('Status')).toBe('COMPLETED');
    },
  );

  it('[S3-039] shows title and note of a purchase’s offer, both as markdown', async () => {
    const [item] = ITEMS.filter(({ type }) => type === 'Purchase');
    if (item?.type !== 'Purchase') throw new Error('no purchase among the items');
    const note = '## How to get in\n\nShow the **code** at the [gate](https://athos.example/gate).';
    const bought = { ...item.data.offer, title: 'Gala *Night*', note, img: '/art/gala.webp' };
    await open(item.data.id, { ...item, data: { ...item.data, offer: bought } });
    expect(screen.getByRole('heading', { level: 2, name: 'Gala Night' })).toBeTruthy();
    expect(screen.getByText('Night').tagName).toBe('EM');
    expect(screen.getByRole('heading', { level: 3, name: 'How to get in' })).toBeTruthy();
    expect(screen.getByText('code').tagName).toBe('STRONG');
    const link = screen.getByRole('link', { name: /^gate/ });
    expect(link.getAttribute('href')).toBe('https://athos.example/gate');
    expect(document.querySelector('img[src="/art/gala.webp"]')).toBeTruthy();
  });

  it('names the other account', async () => {
    await open(9, ITEMS[0]);
    expect(detail('To')).toBe(BEN);
    closeApp();
    await open(8, ITEMS[1]);
    expect(detail('From')).toBe(BEN);
  });

  it('names the contact first, then the account', async () => {
    contactBookOf(FAKE_UUID).add({ alias: 'Ben from work', address: BEN });
    await open(9, ITEMS[0]);
    expect(screen.getAllByRole('term')[0]?.textContent).toBe('To');
    expect(detail('To')).toBe(`Ben from work ${BEN}`);
    expect(screen.getByText('Ben from work', { selector: 'p' })).toBeTruthy();
  });

  it('shows of a failed payment what was asked for, without a sign', async () => {
    await open(5, payment(5, 2));
    expect(screen.getByText('59.42', { exact: false, selector: '.amount' }).textContent).toBe(
      '59.42 ATH',
    );
  });

  it.each([
    ['Ada', 'Thank you', 'Thank you'],
    ['', '', undefined],
  ])('shows the tipped user the text from %j: %j', async (tip_from, note, shownNote) => {
    const data = { ...moved(8, '1000000'), counterparty: null, tip_from, note };
    await open(8, { type: 'Receive', data });
    expect(detail('From')).toBe(tip_from === '' ? 'Anonymous' : 'Ada');
    expect(screen.queryByText('Note')?.nextElementSibling?.textContent).toBe(shownNote);
  });

  it('[S2-084] accepts a bare number as well', async () => {
    backend.answer('historyItem', () => payment(6, 1));
    await openAt('/app/history/6');
    expect(detail('Total')).toBe('$11.10');
  });

  it('[S2-184] looks up the id in the navigation state if the address has none', async () => {
    backend.answer('historyItem', () => payment(6, 1));
    await openAt({ pathname: '/app/history/details', state: { id: 6 } });
    expect(backend.calls('historyItem')[0]?.params).toEqual({ id: '6' });
    expect(detail('Total')).toBe('$11.10');
  });

  it.each([
    ['in the afternoon', new Date(2026, 10, 5, 19, 5), '05/11/2026 19:05'],
    ['just after midnight', new Date(2025, 2, 7, 0, 9), '07/03/2025 00:09'],
  ])('[S2-186] shows DD/MM/YYYY and the local time of a movement %s', async (_, at, shown) => {
    await open(9, { type: 'Send', data: { ...moved(9, '1000000'), date: at.toISOString() } });
    expect(detail('Date')).toBe(shown);
  });

  it('says that a movement was not found', async () => {
    backend.answer('historyItem', () => problem('not_found'));
    await open(99);
    expect(screen.getByText('This movement was not found.')).toBeTruthy();
  });
});
