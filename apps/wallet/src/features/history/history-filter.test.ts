// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HistoryItem } from '@athos/contract/wallet/history';
import { walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import {
  closeApp,
  currentAddress,
  currentQuery,
  endTest,
  openAt,
} from '../../../test/signed-in.tsx';
import { paths } from '../../routes/paths.ts';
import { filterOf, NO_FILTER, periodsAt } from './history-filter.ts';

const COUNT = 250;
const sent = (id: number, more: object = {}): HistoryItem => ({
  type: 'Send',
  data: {
    id,
    date: '2026-11-05T18:05:00.000Z',
    amount: '5000001',
    asset: 'ATH',
    counterparty: '0192bbbb-0000-7000-8000-000000000002',
    ...more,
  },
});

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  backend.answer('allHistory', () => ({ history: [sent(1)], next_cursor: null }));
});
afterEach(endTest);

const lastQuery = () => Object.fromEntries(backend.calls('allHistory').at(-1)?.query ?? []);
const rowCount = () =>
  within(screen.getByRole('list', { name: 'History' })).getAllByRole('link').length;

describe('the filter of the history', () => {
  it('[W-145] stands in the address, and a reload asks for the same movements', async () => {
    const user = await openAt(paths.history);
    await user.click(screen.getByRole('button', { name: 'Filter and export' }));
    await user.click(screen.getByRole('radio', { name: 'Send' }));
    await user.type(screen.getByLabelText('From'), '2026-11-01');
    await user.type(screen.getByLabelText('To'), '2026-11-30');
    await pass();
    expect(currentAddress()).toBe(paths.history);
    const query = currentQuery();
    expect(query).toBe('?type=Send&from=2026-11-01&to=2026-11-30');
    const asked = lastQuery();
    expect(asked).toEqual({
      limit: '30',
      type: 'Send',
      from: new Date(2026, 10, 1).toISOString(),
      to: new Date(2026, 11, 1).toISOString(),
    });
    closeApp();
    await openAt(`${paths.history}${query}`);
    expect(lastQuery()).toEqual(asked);
    expect(screen.getByRole('radio', { name: 'Send' })).toHaveProperty('checked', true);
    expect(screen.getByLabelText('To')).toHaveProperty('value', '2026-11-30');
    expect(rowCount()).toBe(1);
  });

  it('[W-145] keeps direction and amounts in the address, and asks for them in micro-units', async () => {
    const user = await openAt(paths.history);
    await user.click(screen.getByRole('button', { name: 'Filter and export' }));
    await user.click(screen.getByRole('radio', { name: 'Out' }));
    await user.type(screen.getByLabelText('Amount from'), '5');
    await pass(400);
    await user.type(screen.getByLabelText('Amount to'), '12.50');
    await pass(400);
    const query = currentQuery();
    expect(query).toBe('?direction=out&min=5&max=12.5');
    const asked = lastQuery();
    expect(asked).toEqual({
      limit: '30',
      direction: 'out',
      amount_min: '5000000',
      amount_max: '12500000',
    });
    closeApp();
    await openAt(`${paths.history}${query}`);
    expect(lastQuery()).toEqual(asked);
    expect(screen.getByRole('radio', { name: 'Out' })).toHaveProperty('checked', true);
    expect(screen.getByLabelText('Amount to')).toHaveProperty('value', '12.5');
  });

  it('says what an amount looks like, and filters by none meanwhile', async () => {
    const user = await openAt(`${paths.history}?min=5`);
    await user.type(screen.getByLabelText('Amount from'), 'x');
    await pass(400);
    expect(screen.getByText('Enter an amount above 0, such as 12.5')).toBeTruthy();
    expect(currentQuery()).toBe('');
  });

  it('searches titles of purchases also for whoever has noted nothing', async () => {
    backend.answer('movementNotes', () => ({ notes: [] }));
    const user = await openAt(`${paths.history}?type=Purchase`);
    await user.type(screen.getByRole('searchbox', { name: /notes, labels and purchases/ }), 'jazz');
    await pass(400);
    expect(lastQuery()).toMatchObject({ type: 'Purchase', q: 'jazz' });
  });

  it('takes the days of a period with one tap, and all days with another', async () => {
    const user = await openAt(paths.history);
    await user.click(screen.getByRole('button', { name: 'Filter and export' }));
    await user.click(screen.getByRole('radio', { name: 'Last month' }));
    await pass();
    expect(currentQuery()).toBe('?from=2026-10-01&to=2026-10-31');
    expect(lastQuery()).toMatchObject({
      from: new Date(2026, 9, 1).toISOString(),
      to: new Date(2026, 10, 1).toISOString(),
    });
    const all = within(screen.getByRole('group', { name: 'Period' })).getByRole('radio', {
      name: 'All',
    });
    await user.click(all);
    await pass();
    expect(currentQuery()).toBe('');
  });

  it.each([
    [new Date(2026, 0, 31, 23, 59), '2025-12-01', '2025-12-31', '2026-01-31'],
    [new Date(2028, 2, 31), '2028-02-01', '2028-02-29', '2028-03-31'],
  ])('knows the months around %s', (now, lastFrom, lastTo, thisTo) => {
    const { this_month: thisMonth, last_month: lastMonth } = periodsAt(now);
    expect([lastMonth.from, lastMonth.to, thisMonth.to]).toEqual([lastFrom, lastTo, thisTo]);
  });

  it('[W-145] stays in the address of an opened movement and on the way back', async () => {
    const user = await openAt(`${paths.history}?type=Send`);
    await user.click(within(screen.getByRole('list', { name: 'History' })).getByRole('link'));
    await pass();
    expect([currentAddress(), currentQuery()]).toEqual([paths.historyItem(1), '?type=Send']);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect([currentAddress(), currentQuery()]).toEqual([paths.history, '?type=Send']);
  });

  it('looks on while the pages of the server are empty, and says when nothing matches', async () => {
    const cursors = ['1', '2', null];
    backend.answer('allHistory', () => ({
      history: [],
      next_cursor: cursors.shift() ?? null,
    }));
    const user = await openAt(`${paths.history}?type=Reward`);
    await pass();
    await pass();
    expect(screen.getByText('No movement matches.')).toBeTruthy();
    expect(backend.calls('allHistory').length).toBeGreaterThanOrEqual(3);
    await user.click(screen.getByRole('button', { name: 'Show everything' }));
    await pass();
    expect(currentQuery()).toBe('');
  });

  it.each([
    'type=Gift',
    'from=yesterday',
    'to=2026-13-45',
    'from=2026-1-1',
    'q=%20',
    `label=${'x'.repeat(25)}`,
    'direction=up',
    'min=0',
    'min=x',
    'max=-1',
    'max=99999999999999',
  ])('ignores ?%s in an address', (text) => {
    expect(filterOf(new URLSearchParams(text))).toEqual(NO_FILTER);
  });
});

describe('the export of the history', () => {
  const files: Blob[] = [];
  const save = vi.spyOn(HTMLAnchorElement.prototype, 'click');
  beforeEach(() => {
    files.length = 0;
    save.mockImplementation(() => undefined);
    Object.assign(URL, {
      createObjectURL: (file: Blob) => {
        files.push(file);
        return 'blob:history';
      },
      revokeObjectURL: () => undefined,
    });
  });

  async function exported(address: string): Promise<string[]> {
    const user = await openAt(address);
    if (screen.queryByRole('button', { name: 'Export as CSV' }) === null) {
      await user.click(screen.getByRole('button', { name: 'Filter and export' }));
    }
    await user.click(screen.getByRole('button', { name: 'Export as CSV' }));
    for (let turn = 0; turn < 10 && files.length === 0; turn += 1) await pass();
    vi.useRealTimers();
    const bytes = await new Promise<ArrayBuffer>((resolve) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => resolve(reader.result as ArrayBuffer));
      reader.readAsArrayBuffer(files[0] ?? new Blob());
    });
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split('\r\n');
  }

  it('[W-144] holds all movements that match the filter, not only the page shown', async () => {
    const all = Array.from({ length: COUNT }, (_, index) => sent(COUNT - index));
    backend.answer('allHistory', ({ query }) => {
      const from = Number(query.get('cursor') ?? '0');
      const to = from + Number(query.get('limit'));
      const next = to < COUNT ? String(to) : null;
      return {
        history: query.get('type') === 'Send' ? all.slice(from, to) : [],
        next_cursor: next,
      };
    });
    const [head = '', ...lines] = await exported(`${paths.history}?type=Send&from=2026-11-01`);
    expect(head.startsWith('\ufeffNumber,Time (UTC),Type')).toBe(true);
    expect(lines).toHaveLength(COUNT + 1);
    expect(lines.at(-1)).toBe('');
    expect(new Set(lines.slice(0, COUNT).map((line) => line.split(',')[0])).size).toBe(COUNT);
    const asked = backend.calls('allHistory').filter(({ query }) => query.get('limit') === '100');
    expect(asked).toHaveLength(3);
    expect(asked.every(({ query }) => query.get('from') !== null)).toBe(true);
  });

  it('[W-143] says exact amounts and changes of the balance, and no text of a stranger becomes a formula', async () => {
    backend.answer('allHistory', () => ({
      history: [
        sent(4),
        sent(3, { state: 'taken_back' }),
        {
          type: 'Receive',
          data: {
            ...sent(2).data,
            counterparty: null,
            tip_from: '=HYPERLINK("http://evil.example")',
            note: '@SUM(1)\n=2',
          } as never,
        },
        {
          type: 'Payment',
          data: {
            id: 1,
            date: '2026-11-05T18:05:00.000Z',
            token_amount: '59420000',
            amount_paid: 1110,
            tx_fee: 60,
            athos_fee: 50,
            stripe_status: 1,
          },
        },
      ],
      next_cursor: null,
    }));
    const lines = await exported(paths.history);
    expect(lines.slice(1)).toEqual([
      '4,2026-11-05T18:05:00.000Z,Send,0192bbbb…0002,0192bbbb-0000-7000-8000-000000000002,COMPLETED,5.000001,-5.000001,ATH,,,,,',
      '3,2026-11-05T18:05:00.000Z,Send,0192bbbb…0002,0192bbbb-0000-7000-8000-000000000002,Taken back,5.000001,0,ATH,,,,,',
      `2,2026-11-05T18:05:00.000Z,Receive,"'=HYPERLINK(""http://evil.example"")",,COMPLETED,5.000001,5.000001,ATH,,,"'@SUM(1)\n=2",,`,
      '1,2026-11-05T18:05:00.000Z,Payment,ATH by card,,COMPLETED,59.42,59.42,ATH,11.10,1.10,,,',
      '',
    ]);
  });

  it('says so if a page cannot be loaded, and saves nothing', async () => {
    backend.answer('allHistory', ({ query }) =>
      query.get('limit') === '100'
        ? problem('forbidden')
        : { history: [sent(1)], next_cursor: null },
    );
    const user = await openAt(`${paths.history}?type=Send`);
    await user.click(screen.getByRole('button', { name: 'Export as CSV' }));
    await pass();
    expect(screen.getByText('The export did not work.')).toBeTruthy();
    expect(files).toEqual([]);
  });
});
