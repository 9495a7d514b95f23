// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { problem } from '@athos/testing/fake-api';
import { staffWith } from '@athos/testing/samples/console';
import { PAYMENT_ID } from '@athos/testing/samples/console-payments';
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
  it(
    '[O-165] says in numbers what it returns, and sends the lines that were chosen',
    { tags: 'long' },
    async () => {
      const { user, dialog } = await openRefund();
      expect(dialog.getByText('At most 1,220.00 ATH for 7 items')).toBeDefined();
      const drinks = dialog.getByLabelText('Amber Fizz, 0.33 l');
      await user.clear(drinks);
      const seats = dialog.getByLabelText(/^Night at the Harbour Stage/);
      await user.clear(seats);
      await user.type(seats, '2');
      expect(screen.getByRole('dialog').textContent).toContain(
        '2 items can no longer be redeemed.',
      );
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
    },
  );

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

describe('a refund that goes on to the card', () => {
  async function refundOnward() {
    const { user, dialog } = await openRefund();
    await user.selectOptions(dialog.getByLabelText('And on to the card'), PAYMENT_ID);
    await user.type(dialog.getByLabelText('Reason'), 'The concert was cancelled.');
    await user.click(dialog.getByRole('button', { name: /^Refund 1,220/ }));
    await settle();
    return { user, dialog };
  }

  async function confirmCard({ user }: Awaited<ReturnType<typeof refundOnward>>) {
    const card = within(screen.getByRole('dialog', { name: 'Refund to the card' }));
    await user.type(card.getByLabelText('Reason'), 'The concert was cancelled.');
    await user.click(card.getByRole('button', { name: /^Refund / }));
    await settle();
  }

  it(
    'asks how much can go back once the tokens are in the balance, with a key of its own',
    { tags: 'long' },
    async () => {
      const opened = await refundOnward();
      expect(screen.getByText('Refunded to the balance.')).toBeDefined();
      expect(backend.calls('refundPayment')).toHaveLength(0);
      await confirmCard(opened);
      expect(backend.calls('refundPayment')[0]).toMatchObject({ params: { id: PAYMENT_ID } });
      expect(screen.queryByRole('dialog')).toBeNull();
      const keyOf = (name: 'refundPurchase' | 'refundPayment') =>
        backend.calls(name)[0]?.headers.get('idempotency-key');
      expect(keyOf('refundPayment')).toEqual(expect.any(String));
      expect(keyOf('refundPayment')).not.toBe(keyOf('refundPurchase'));
    },
  );

  it(
    'is not repeated when the card refund is refused, and the refusal is shown',
    { tags: 'long' },
    async () => {
      backend.answer('refundPayment', () => problem('not_refundable'));
      const opened = await refundOnward();
      await confirmCard(opened);
      expect(screen.getByRole('dialog', { name: 'Refund to the card' })).toBeDefined();
      expect(screen.getByText('Refunded to the balance.')).toBeDefined();
      expect(backend.calls('refundPurchase')).toHaveLength(1);
      expect(backend.calls('refundPayment')).toHaveLength(1);
    },
  );

  it('does not start the card refund while the first waits for approval', async () => {
    backend.answer('refundPurchase', () => ({
      outcome: 'requested',
      approval_id: PAYMENT_ID,
      expires_at: '2030-01-01T00:00:00.000Z',
      votes_needed: 1,
    }));
    await refundOnward();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(backend.calls('refundPayment')).toHaveLength(0);
  });

  it(
    'keeps the key of a first step without an answer, and does not start the second',
    { tags: 'long' },
    async () => {
      backend.answer('refundPurchase', () => problem('internal_error'));
      const { user, dialog } = await refundOnward();
      await settle(30_000);
      expect(screen.getByText('No response from the server')).toBeDefined();
      expect(screen.queryByRole('dialog', { name: 'Refund to the card' })).toBeNull();
      expect(backend.calls('refundPayment')).toHaveLength(0);
      backend.answer('refundPurchase', () => ({ outcome: 'done' }));
      await user.click(dialog.getByRole('button', { name: /^Refund 1,220/ }));
      await settle();
      const keys = backend
        .calls('refundPurchase')
        .map(({ headers }) => headers.get('idempotency-key'));
      expect(keys.length).toBeGreaterThan(1);
      expect(new Set(keys).size).toBe(1);
      expect(screen.getByRole('dialog', { name: 'Refund to the card' })).toBeDefined();
    },
  );
});
