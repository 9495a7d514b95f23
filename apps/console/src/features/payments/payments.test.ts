// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import {
  PAYMENT_ID,
  payment,
  refundable,
  requestedRefund,
  returnedRefund,
  reviewedPayment,
} from '@athos/testing/samples/console-payments';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const PAYMENT = `/payments/${PAYMENT_ID}`;
const REASON = 'The concert was cancelled an hour before it began.';
const lastQuery = () => Object.fromEntries(backend.calls('consolePayments').at(-1)?.query ?? []);

describe('payments', () => {
  it(
    'are searched for in the address, and the queue is those in review, oldest first',
    { tags: 'long' },
    async () => {
      const user = await openConsole('/payments');
      await user.type(screen.getByRole('searchbox', { name: 'Search payments' }), '4242{Enter}');
      await settle();
      expect(location.search).toBe('?q=4242');
      expect(lastQuery()).toEqual({ q: '4242', sort: 'newest' });
      await user.click(screen.getByRole('link', { name: 'In review' }));
      await settle();
      expect(location.pathname).toBe('/console/payments/review');
      expect(lastQuery()).toEqual({ state: 'review', sort: 'oldest' });
      expect(screen.getByText('received 1234 cents instead of 1868')).toBeDefined();
    },
  );

  it(
    'show what happened in one line of time, also while the provider cannot be asked',
    { tags: 'long' },
    async () => {
      await openConsole(PAYMENT);
      const timeline = () => screen.getByRole('list', { name: 'What happened' }).textContent;
      expect(timeline()).toContain('insufficient funds: Your card has insufficient funds.');
      expect(timeline()).toContain('3-D Secure: authenticated');
      expect(timeline()).toContain('payment_intent.succeeded');
      endTest();
      backend = beginTest();
      backend.answer('paymentAttempts', () => problem('provider_unavailable'));
      await openConsole(PAYMENT);
      await settle(5000);
      expect(screen.getByText(/The provider cannot be asked/)).toBeDefined();
      expect(timeline()).toContain('payment_intent.succeeded');
    },
  );
});

describe('what became of a payment', () => {
  it('is no refund while that waits for approval, on its page and in its amounts', async () => {
    const units = payment().token_amount;
    backend.answer('consolePayment', () =>
      payment({
        returned_token_amount: units,
        refunding_token_amount: units,
        is_refund_under_way: true,
        refunds: [requestedRefund()],
      }),
    );
    await openConsole(PAYMENT);
    const header = screen.getByRole('heading', { level: 1 }).parentElement;
    expect(header?.textContent).toContain('Refund under way');
    expect(header?.textContent).not.toContain('Refunded');
    const amounts = screen.getByRole('region', { name: 'Amounts' });
    expect(amounts.textContent).toContain('Refund under way−500.00 ATH');
    expect(amounts.textContent).not.toContain('Refunded tokens');
  });

  it('is said in the list too: what waits, what went back, and what a bank took', async () => {
    await openConsole('/payments');
    const states = screen
      .getAllByRole('row')
      .map(({ cells }: HTMLElement & Partial<HTMLTableRowElement>) => cells?.item(1)?.textContent);
    expect(states).toContain('CreditedRefund under wayRefunded in part');
    expect(states).toContain('CreditedCharged back');
    expect(states).toContain('CreditedRefunded');
  });
});

describe('a refund', () => {
  const open = async () => {
    const user = await openConsole(PAYMENT);
    await user.click(screen.getByRole('button', { name: 'Refund' }));
    await settle();
    return { user, dialog: screen.getByRole('dialog', { name: 'Refund to the card' }) };
  };

  it('[O-112] [O-165] says how much can go back, why that much, and what it does to the customer', async () => {
    const { dialog } = await open();
    expect(dialog.textContent).toContain(
      'Takes 320.00 ATH from the customer and returns 59.77 USD',
    );
    expect(dialog.textContent).toContain('the balance has been down to 320.00 ATH');
    expect(dialog.textContent).toContain('with −320.00 ATH');
    expect(within(dialog).getByRole('button', { name: 'Refund 59.77 USD' })).toBeDefined();
  });

  it(
    'of a part asks for its money once the typing pauses, and sends what was shown',
    { tags: 'long' },
    async () => {
      const { user, dialog } = await open();
      const amount = within(dialog).getByLabelText('Amount in ATH');
      await user.clear(amount);
      await user.type(amount, '100');
      await settle(400);
      await user.type(within(dialog).getByLabelText('Reason'), REASON);
      await user.click(within(dialog).getByRole('button', { name: 'Refund 18.68 USD' }));
      await settle();
      expect(backend.calls('refundPayment')[0]?.body).toEqual({
        token_amount: '100000000',
        is_at_cost: false,
        reason: REASON,
      });
      expect(screen.queryByRole('dialog')).toBeNull();
    },
  );

  it('is not offered above what is there, and at the cost of the programme for all of it', async () => {
    const { user, dialog } = await open();
    const amount = within(dialog).getByLabelText('Amount in ATH');
    await user.clear(amount);
    await user.type(amount, '320.01');
    await settle(400);
    expect(within(dialog).getByText('At most 320.00 ATH can be refunded.')).toBeDefined();
    await user.selectOptions(within(dialog).getByLabelText('What pays for it'), 'programme');
    await settle(400);
    expect(dialog.textContent).toContain('Takes no tokens and returns 93.40 USD');
  });

  it(
    'is offered by bank transfer once the card could not take it, under a reference',
    { tags: 'long' },
    async () => {
      const usual = await open();
      const ways = (dialog: HTMLElement) =>
        within(dialog)
          .getAllByRole('option')
          .map(({ textContent }) => textContent);
      expect(ways(usual.dialog)).not.toContain('The tokens that were bought, for a bank transfer');
      endTest();
      backend = beginTest();
      backend.answer('refundable', () => refundable({ has_card_failed: true }));
      const { user, dialog } = await open();
      await user.selectOptions(within(dialog).getByLabelText('What pays for it'), 'bank');
      expect(dialog.textContent).toContain('returns 59.77 USD by bank transfer');
      expect(dialog.textContent).toContain('“Refund by bank transfer” with −320.00 ATH');
      await user.type(within(dialog).getByLabelText('Reason'), REASON);
      expect(within(dialog).getByText('Enter the reference of the bank transfer.')).toBeDefined();
      const reference = within(dialog).getByLabelText('Reference of the bank transfer');
      await user.type(reference, ' ATHOS REFUND 2026-1 ');
      await user.click(within(dialog).getByRole('button', { name: 'Refund 59.77 USD' }));
      await settle();
      expect(backend.calls('refundByBank')[0]?.body).toEqual({
        token_amount: '320000000',
        bank_reference: 'ATHOS REFUND 2026-1',
        reason: REASON,
      });
      expect(backend.calls('refundPayment')).toEqual([]);
      expect(screen.queryByRole('dialog')).toBeNull();
    },
  );

  it('of which nothing is left says so', async () => {
    backend.answer('refundable', () => refundable({ largest: null, low_water_token_amount: '0' }));
    const { dialog } = await open();
    expect(within(dialog).getByText(/Nothing of this payment can be returned/)).toBeDefined();
  });

  it('that came back says what became of the money', async () => {
    backend.answer('consoleRefund', returnedRefund);
    await openConsole('/refunds/0192f0f0-0000-7000-8000-000000000001');
    expect(screen.getByText('The money came back')).toBeDefined();
  });
});

describe('a review', () => {
  it('ends in one of three ways, each with its numbers', async () => {
    backend.answer('consolePayment', reviewedPayment);
    const user = await openConsole(PAYMENT);
    const panel = screen.getByRole('region', { name: 'This payment is waiting for a decision' });
    expect(panel.textContent).toContain('The difference of −6.34 USD stays in suspense.');
    await user.click(within(panel).getByRole('button', { name: 'Refund 12.34 USD' }));
    await settle();
    const dialog = screen.getByRole('dialog', { name: 'Refund in full' });
    await user.type(within(dialog).getByLabelText('Reason'), REASON);
    await user.click(within(dialog).getByRole('button', { name: 'Refund 12.34 USD' }));
    await settle();
    expect(backend.calls('resolveReview')[0]?.body).toEqual({ outcome: 'refund', reason: REASON });
  });

  it('cannot be ended while a refund of it is on its way', async () => {
    backend.answer('consolePayment', () => ({
      ...reviewedPayment(),
      refunds: [
        { ...payment().refunds[0], ...returnedRefund(), state: 'pending', closed_at: null },
      ],
    }));
    await openConsole(PAYMENT);
    expect(screen.getByText('A refund of this payment is on its way.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Credit 100.00 ATH' })).toHaveProperty(
      'disabled',
      true,
    );
  });
});
