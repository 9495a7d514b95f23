// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import { merchant, MERCHANT_ID, statement } from '@athos/testing/samples/console-merchants';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';
import { fromWire } from '../../api/naming.ts';
import { csvOfStatement } from './statement.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  backend.answer('me', () => staffWith(['finance']));
});
afterEach(endTest);

const MERCHANT = `/merchants/${MERCHANT_ID}`;
const dialog = () => within(screen.getByRole('dialog'));

describe('a settlement', () => {
  it(
    'is asked for with what was typed, says what stays, and is no more than the balance',
    { tags: 'long' },
    async () => {
      const user = await openConsole(MERCHANT);
      await user.click(screen.getByRole('button', { name: 'Settle' }));
      await settle();
      const amount = dialog().getByLabelText('Amount, in ATH');
      await user.clear(amount);
      await user.type(amount, '4820.51');
      expect(dialog().getAllByText('The account does not hold as much.').length).toBeGreaterThan(0);
      await user.clear(amount);
      await user.type(amount, '4800.5');
      expect(screen.getByRole('dialog').textContent).toContain('20.00 ATH stays on the account');
      await user.type(dialog().getByLabelText('Reason'), 'Settlement of November');
      await user.click(dialog().getByRole('button', { name: 'Request 4,800.50 ATH' }));
      await settle();
      expect(backend.calls('settleMerchant')[0]).toMatchObject({
        params: { id: String(MERCHANT_ID) },
        body: { amount: '4800500000', reason: 'Settlement of November' },
      });
    },
  );

  it('is not offered of a merchant who owes', async () => {
    backend.answer('merchant', () => merchant({ balance: '-64000000', waiting: [] }));
    await openConsole(MERCHANT);
    expect(screen.getByText('There is nothing to settle.')).toBeDefined();
    expect(screen.getByText(/The next sales fill it/)).toBeDefined();
  });
});

describe('the statement', () => {
  it('is read for the month of the address', async () => {
    await openConsole(`${MERCHANT}?month=2026-10`);
    fireEvent.change(screen.getByLabelText('Month'), { target: { value: '2026-09' } });
    await settle();
    expect(backend.calls('merchantStatement').map(({ query }) => query.get('month'))).toEqual([
      '2026-10',
      '2026-09',
    ]);
    expect(screen.getByText('Sales (214)')).toBeDefined();
  });

  it('is a file with a row for each day, between the balance before and the month', () => {
    const csv = csvOfStatement(fromWire(statement()) as never);
    const [head, opening, first, ...rest] = csv.trim().split('\r\n');
    expect(head).toBe(
      'day,sales made,refunds made,sales in ATH,sales in micro-units,refunds in ATH,refunds in micro-units,settled in ATH,settled in micro-units,held in ATH,held in micro-units,balance in ATH,balance in micro-units',
    );
    expect(opening).toBe('opening,0,0,0,0,0,0,0,0,0,0,2310,2310000000');
    expect(first).toContain('2026-11-02,96,0,2704,2704000000');
    expect(rest.at(-1)).toContain('2026-11,214,3,6052.5,6052500000,32,32000000');
  });

  it('and the balance are not shown to those who may not read money', async () => {
    backend.answer('me', () => staffWith(['catalogue_editor']));
    backend.answer('merchant', () => merchant({ balance: null, waiting: null }));
    await openConsole(MERCHANT);
    expect(screen.queryByLabelText('Month')).toBeNull();
    expect(backend.calls('merchantStatement')).toEqual([]);
  });
});

it('a merchant that is added opens', async () => {
  backend.answer('me', () => staffWith(['catalogue_editor']));
  const user = await openConsole('/merchants');
  await user.click(screen.getByRole('button', { name: 'Add a merchant' }));
  await settle();
  await user.type(dialog().getByLabelText('Name'), 'South Pier Records');
  await user.click(dialog().getByRole('button', { name: 'Add a merchant' }));
  await settle();
  expect(backend.calls('createMerchant')[0]?.body).toEqual({
    name: 'South Pier Records',
    note: '',
  });
  expect(location.pathname).toBe(`/console${MERCHANT}`);
});

it(
  "'Take theirs' ends the comparison, and the next save is of their version",
  { tags: 'long' },
  async () => {
    backend.answer('me', () => staffWith(['brand_manager']));
    const theirs = { ...merchant(), name: 'South Pier Records and Books', version: 9 };
    backend.answer('changeMerchant', ({ headers }) =>
      headers.get('if-match') === '"9"' ? theirs : problem('version_conflict', { present: theirs }),
    );
    const user = await openConsole(MERCHANT);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    await user.click(screen.getByRole('menuitem', { name: 'Edit' }));
    await settle();
    await user.type(dialog().getByLabelText('Name'), ' and more');
    await user.click(dialog().getByRole('button', { name: 'Save' }));
    await settle();
    await user.click(dialog().getByRole('button', { name: 'Take theirs' }));
    expect(dialog().queryByText('Someone else has changed this')).toBeNull();
    expect(dialog().getByLabelText('Name')).toHaveProperty('value', theirs.name);
    await user.click(dialog().getByRole('button', { name: 'Save' }));
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
  },
);

it('an offer is saved with the merchant that was chosen', async () => {
  backend.answer('me', () => staffWith(['catalogue_editor']));
  const user = await openConsole('/offers/301');
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await settle();
  const choice = screen.getByLabelText('Merchant');
  expect(choice).toHaveProperty('value', '1');
  expect(within(choice).queryByText('Last winter’s stand')).toBeNull();
  await user.selectOptions(choice, 'North Quay Kitchen');
  await user.click(screen.getByRole('button', { name: 'Save draft' }));
  await settle();
  expect(backend.calls('saveOffer')[0]?.body).toMatchObject({ merchant_id: 2 });
});
