// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import {
  ledgerChain,
  ledgerSeals,
  ledgerTransfers,
  verification,
} from '@athos/testing/samples/console-ledger';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';
import { dayText } from '../../kit/time.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const lastQuery = () => Object.fromEntries(backend.calls('ledgerTransfers').at(-1)?.query ?? []);
const KEY = '0192ffff-0000-7000-8000-000000048210';

describe('the journal', () => {
  it('asks for typed amounts in units, and keeps what was typed in the address', async () => {
    await openConsole('/ledger/transfers?amountMin=12.5&amountMax=none&kind=purchase');
    expect(lastQuery()).toEqual({ amount_min: '12500000', kind: 'purchase' });
    expect(screen.getByText('12.5')).toBeDefined();
  });

  it('opens a number as a transfer, lists a key, and explains anything else', async () => {
    const user = await openConsole('/ledger/transfers');
    const field = screen.getByLabelText('Transfer or key');
    await user.type(field, 'order 7{Enter}');
    expect(screen.getByText('Enter the number of a transfer, or its key (a UUID).')).toBeDefined();
    await user.clear(field);
    await user.type(field, `${KEY}{Enter}`);
    await settle();
    expect(lastQuery()).toEqual({ key: KEY });
    await user.clear(field);
    await user.type(field, '48207{Enter}');
    await settle();
    expect(location.pathname).toBe('/console/ledger/transfers/48207');
  });

  it('says how far it looked when a page ends early, and continues on demand', async () => {
    backend.answer('ledgerTransfers', ({ query }) =>
      query.get('cursor') === null
        ? ledgerTransfers({
            items: [],
            count: { value: 0, is_at_least: true },
            looked_until: '2026-11-03T08:15:00.000Z',
          })
        : ledgerTransfers({ next_cursor: null }),
    );
    const user = await openConsole('/ledger/transfers?amountMin=9999');
    expect(screen.getByText(/Looked back to/).textContent).toMatch(/03\sNov\s2026, 08:15/);
    expect(screen.queryByText('No match')).toBeNull();
    expect(screen.queryByText(/more than 0/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await settle();
    expect(screen.getAllByRole('row')).toHaveLength(26);
    expect(screen.queryByText(/Looked back to/)).toBeNull();
  });
});

it('a transfer shows both sides with their balances after it, and what caused it', async () => {
  await openConsole('/ledger/transfers/48209');
  const debit = screen.getByRole('region', { name: 'Debit' });
  expect(debit.textContent).toContain('−12.50 ATH');
  expect(debit.textContent).toContain('84.15 ATH');
  const credit = screen.getByRole('region', { name: 'Credit' });
  expect(within(credit).getByRole('link', { name: 'Merchant' }).getAttribute('href')).toBe(
    '/console/ledger/accounts/-16',
  );
  expect(credit.textContent).toContain('+12.50 ATH');
  expect(screen.getByText('Caused by')).toBeDefined();
});

it('an account shows its movements from its own side', async () => {
  await openConsole('/ledger/accounts/-16');
  expect(lastQuery()).toEqual({ account_id: '-16' });
  const [, first] = screen.getAllByRole('row');
  expect(first?.textContent).toContain('Customer');
  expect(first?.textContent).toContain('+12.50 ATH');
  expect(first?.textContent).toContain('318,204.50 ATH');
});

describe('the trial balance', () => {
  it('[O-104] sums to zero for each asset, at the day in the address', async () => {
    await openConsole('/ledger/trial-balance?day=2026-10-31');
    expect(backend.calls('trialBalance').at(-1)?.query.get('day')).toBe('2026-10-31');
    expect(screen.getAllByText('Balanced')).toHaveLength(2);
    const sums = screen.getAllByRole('row', { name: /^Sum/ });
    expect(sums.map(({ textContent }) => textContent)).toEqual([
      'SumBalanced0.00 ATH',
      'SumBalanced0.00 USD',
    ]);
  });
});

describe('the verification', () => {
  it('[O-105] runs with its progress, and names the first wrong row', async () => {
    const user = await openConsole('/ledger/chain');
    backend.answer('verifyLedger', () => {
      backend.answer('ledgerChain', () =>
        ledgerChain({ state: 'running', transfers_done: 17_300 }),
      );
      return verification({ state: 'waiting' });
    });
    await user.click(screen.getByRole('button', { name: 'Verify now' }));
    await settle();
    expect(screen.getByText('17,300 of about 48,210 transfers')).toBeDefined();
    backend.answer('ledgerChain', () =>
      ledgerChain({ state: 'wrong', fault: { row: 'transfer 31007', reason: 'its hash differs' } }),
    );
    await settle(2500);
    expect(screen.getByRole('alert').textContent).toContain('First wrong row: transfer 31007');
  });

  it('shows the seal of each day, and which ones have not left the database', async () => {
    const user = await openConsole('/ledger/chain');
    const days = screen.getByRole('list', { name: 'Seals' });
    expect(within(days).getAllByText('Not mailed')).toHaveLength(1);
    expect(within(days).getAllByText('Card money differs')).toHaveLength(1);
    const [newest] = ledgerSeals().items;
    await user.click(within(days).getAllByText(dayText(newest?.day ?? ''))[0] ?? days);
    expect(within(days).getAllByText(newest?.audit_head ?? '')[0]).toBeDefined();
    expect(
      screen.getAllByRole('link', { name: 'Trial balance of the day' })[0]?.getAttribute('href'),
    ).toContain(`day=${newest?.day}`);
  });

  it('says why it was refused', async () => {
    backend.answer('verifyLedger', () => problem('permission_missing'));
    const user = await openConsole('/ledger/chain');
    await user.click(screen.getByRole('button', { name: 'Verify now' }));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('Your roles do not permit this.');
  });

  it('is absent for staff who may not read the books', async () => {
    backend.answer('me', () => staffWith(['support']));
    await openConsole('/ledger/chain');
    expect(screen.getByRole('main').textContent).toContain('ledger.read');
    expect(screen.queryByRole('link', { name: 'Journal' })).toBeNull();
    expect(backend.calls('ledgerChain')).toHaveLength(0);
  });
});
