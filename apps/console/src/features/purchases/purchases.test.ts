// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import { purchase, PURCHASE_ID } from '@athos/testing/samples/console-purchases';
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const PURCHASE = `/purchases/${PURCHASE_ID}`;

async function openRefund() {
  const user = await openConsole(PURCHASE);
  await user.click(screen.getByRole('button', { name: 'Refund' }));
  await settle();
  return { user, dialog: within(screen.getByRole('dialog', { name: 'Refund items' })) };
}

it('the keys g o lead to the purchases', async () => {
  const user = await openConsole('/me');
  await user.keyboard('go');
  await settle();
  expect(location.pathname).toBe('/console/purchases');
});

it('a filter in the address is one of the call', async () => {
  const uuid = '0192aaaa-0000-7000-8000-000000000001';
  await openConsole(`/purchases?customerUuid=${uuid}`);
  const { query } = backend.calls('purchases').at(-1) ?? {};
  expect(Object.fromEntries(query ?? [])).toEqual({ customer_uuid: uuid });
});

describe('a refund', () => {
  it('[O-165] says in numbers what it returns, and sends the lines that were chosen', async () => {
    const { user, dialog } = await openRefund();
    expect(dialog.getByText('At most 1,220.00 ATH for 7 items')).toBeDefined();
    const drinks = dialog.getByLabelText('Amber Fizz, 0.33 l');
    await user.clear(drinks);
    const seats = dialog.getByLabelText(/^Night at the Harbour Stage/);
    await user.clear(seats);
    await user.type(seats, '2');
    expect(screen.getByRole('dialog').textContent).toContain('2 items can no longer be redeemed.');
    await user.type(dialog.getByLabelText('Reason'), 'The concert was cancelled.');
    await user.click(dialog.getByRole('button', { name: /^Refund 396/ }));
    await settle();
    expect(backend.calls('refundPurchase')[0]).toMatchObject({
      params: { id: String(PURCHASE_ID) },
      body: {
        lines: [{ line: 1, item_count: 2 }],
        is_stock_returned: true,
        reason: 'The concert was cancelled.',
      },
    });
    expect(screen.getByText('Refunded to the balance.')).toBeDefined();
  });

  it('of more items than are left, or of none, cannot be sent', async () => {
    const { user, dialog } = await openRefund();
    const drinks = dialog.getByLabelText('Amber Fizz, 0.33 l');
    for (const text of ['2', '-1', '1.5', '100']) {
      await user.clear(drinks);
      await user.type(drinks, text);
      expect(screen.getByRole('dialog').textContent).toContain('Choose how many items to refund.');
    }
    await user.clear(drinks);
    await user.clear(dialog.getByLabelText(/^Night at the Harbour Stage/));
    expect(dialog.getByRole('button', { name: 'Refund' })).toHaveProperty('disabled', true);
  });

  it('keeps what was typed when the window becomes as narrow as a phone', async () => {
    const { user, dialog } = await openRefund();
    await user.type(dialog.getByLabelText('Reason'), 'The concert was cancelled.');
    Object.defineProperty(document.documentElement, 'clientWidth', { value: 390 });
    act(() => void dispatchEvent(new Event('resize')));
    await settle();
    const after = within(screen.getByRole('dialog', { name: 'Refund items' }));
    expect(after.getByLabelText('Reason')).toHaveProperty('value', 'The concert was cancelled.');
  });

  it('of goods handed out is for finance alone', async () => {
    backend.answer('me', () => staffWith(['support']));
    const user = await openConsole(PURCHASE);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    const own = screen.getByRole('menuitem', { name: /^Refund goods handed out/ });
    expect(own.textContent).toContain('Needs the permission purchases.refund_redeemed');
  });

  it('is none of a closed account', async () => {
    backend.answer('purchaseDetail', () => purchase({ is_customer_closed: true }));
    await openConsole(PURCHASE);
    expect(screen.getByRole('button', { name: 'Refund' })).toHaveProperty('disabled', true);
  });
});
