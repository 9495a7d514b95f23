// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import {
  DAY,
  freeBooking,
  unknownTransaction,
} from '@athos/testing/samples/console-reconciliation';
import { staffWith } from '@athos/testing/samples/console';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const STRAY = `/reconciliation/unmatched/${unknownTransaction().id}`;
const open = async (name: string) => {
  const user = await openConsole(STRAY);
  await user.click(screen.getByRole('button', { name }));
  await settle();
  return { user, dialog: screen.getByRole('dialog') };
};

describe('the days', () => {
  it('show three totals, and both differences of the one that is open', async () => {
    await openConsole(`/reconciliation/days/${DAY}`);
    const row = screen.getByRole('row', { name: /20 Nov 2026/ });
    for (const text of ['Differs', '209,811.81', '209,803.41', '−23.40']) {
      expect(row.textContent).toContain(text);
    }
    const day = screen.getByRole('article').textContent;
    expect(day).toContain('Provider less transactions0.00 USD');
    expect(day).toContain('Transactions less books−23.40 USD');
    expect(day).toContain('Payment × 1,28492,910.71 USDAmount 96,081.40 USDFee 3,170.69 USD');
  });

  it('are where the short address leads', async () => {
    await openConsole('/reconciliation');
    expect(location.pathname).toBe('/console/reconciliation/days');
  });
});

describe('what is unmatched', () => {
  it('[O-139] [O-140] stands in one list with the side on which it is, the oldest first', async () => {
    await openConsole('/reconciliation/unmatched');
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
    expect(rows.slice(1).map((text) => text?.replace(/ ?\d\d .*$/, ''))).toEqual([
      'RefundTheir transaction',
      'AdjustmentOur booking',
      'PaymentTheir transaction',
    ]);
  });

  it('is matched with what has the same amount on the other side', async () => {
    const { user, dialog } = await open('Match');
    expect(dialog.textContent).toContain('Joins a transaction and a booking of −15.00 USD');
    await user.click(within(dialog).getByRole('button', { name: 'Match' }));
    await settle();
    expect(backend.calls('matchMoney')[0]?.body).toEqual({
      transaction_id: unknownTransaction().id,
      booking_id: '0192eded-0000-4000-8000-000000000003',
    });
  });

  it('[O-165] is booked with what will happen in numbers, after somebody agrees', async () => {
    const { user, dialog } = await open('Book');
    await user.selectOptions(within(dialog).getByLabelText('Against the account'), 'dispute_fees');
    expect(dialog.textContent).toContain('Books 15.00 USD Dispute fees → Card provider.');
    await user.type(within(dialog).getByLabelText('Reason'), 'A fee that no event named.');
    await user.click(within(dialog).getByRole('button', { name: 'Book 15.00 USD' }));
    await settle();
    expect(backend.calls('bookMoney')[0]?.body).toEqual({
      transaction_id: unknownTransaction().id,
      account: 'dispute_fees',
      reason: 'A fee that no event named.',
    });
    expect(screen.getByText(/Sent for approval/)).toBeDefined();
  });

  it('is explained, also a booking, which nobody can book again', { tags: 'long' }, async () => {
    const user = await openConsole(`/reconciliation/unmatched/${freeBooking().id}`);
    expect(screen.queryByRole('button', { name: 'Book' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Match' })).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: 'Explain' }));
    await settle();
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('Reason'), 'Paid out twice by the provider.');
    await user.click(dialog.getByRole('button', { name: 'Explain' }));
    await settle();
    expect(backend.calls('explainMoney')[0]?.body).toEqual({
      booking_id: freeBooking().id,
      explanation: 'Paid out twice by the provider.',
    });
  });

  it('[O-032] says why an auditor can do nothing about it', async () => {
    backend.answer('me', () => staffWith(['auditor']));
    await openConsole(STRAY);
    for (const name of ['Match', 'Book', 'Explain']) {
      expect(screen.getByRole('button', { name })).toHaveProperty('disabled', true);
    }
    expect(screen.getByText(/Needs the permission ledger.book/)).toBeDefined();
  });
});

describe('the transactions', () => {
  it('are found by what they are about', async () => {
    const user = await openConsole('/reconciliation/transactions');
    await user.click(screen.getByRole('button', { name: 'Filter' }));
    await settle();
    await user.click(screen.getByRole('button', { name: 'Kind' }));
    await user.click(screen.getByRole('button', { name: 'Payouts' }));
    await settle();
    expect(location.search).toBe('?group=payouts');
    expect(backend.calls('cardTransactions').at(-1)?.query.get('group')).toBe('payouts');
    expect(screen.getAllByRole('row')).toHaveLength(2);
  });
});
