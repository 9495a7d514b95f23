// @vitest-environment jsdom
import { mainToken } from '@athos/brand/brand';
import type { LiveEvent } from '@athos/contract/wallet/events';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pendingPayment } from '@athos/testing/samples/payments';
import {
  alertText,
  amountInput,
  answerPayments,
  beginBuying,
  button,
  CLIENT_SECRET,
  endBuying,
  openAndPay,
  openBuy,
  openCard,
  openForm,
  PAYMENT_ID,
} from '../../../test/buying.ts';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import {
  confirmed,
  declined,
  FAKE_PUBLISHABLE_KEY,
  FAKE_SCRIPT_URL,
  type FakeCardProvider,
} from '../../../test/fake-card-provider.ts';
import { FAKE_UUID } from '@athos/testing/session';
import { pass } from '@athos/testing/fake-time';
import { closeApp, currentAddress, openAt, passLoading } from '../../../test/signed-in.tsx';
import { idleWarning, watchIdle } from '../../state/idle.ts';
import { sendDraftOf } from '../../state/send-draft.ts';

let backend: FakeBackend;
let provider: FakeCardProvider;
beforeEach(() => {
  ({ backend, provider } = beginBuying());
});
afterEach(() => endBuying(provider));

const status = (stripe_status: 0 | 1 | 2, error: string | null = null): void =>
  backend.answer('paymentIntent', () => ({ stripe_status, error }));
const pending = (state: 'open' | 'processing'): void =>
  backend.answer('pendingPayments', () => ({ pending: [pendingPayment(PAYMENT_ID, state)] }));
const statusCount = (): number => backend.calls('paymentIntent').length;
/** Responds to each reader of live events with a stream. Returns a function that writes to the newest one. */
function liveEvents(): (event: LiveEvent) => void {
  let stream = new TransformStream<Uint8Array, Uint8Array>();
  backend.answer('events', () => {
    stream = new TransformStream();
    return new Response(stream.readable);
  });
  return (event) =>
    void stream.writable
      .getWriter()
      .write(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
}

const RECEIVER = '0192bbbb-0000-7000-8000-000000000002';

const isCardOpen = (): boolean => screen.queryByRole('dialog', { name: 'Card payment' }) !== null;

describe('an amount', () => {
  it(
    '[S3-022] [S3-023] is paid by card where it is bought, and sent wherever else it was typed',
    { tags: 'long' },
    async () => {
      sendDraftOf(FAKE_UUID).change({ paymentAmount: '12.5', address: RECEIVER });
      await openForm(await openBuy(), provider, '100');
      const [bought] = backend.calls('createPaymentIntent');
      expect(bought?.body).toMatchObject({ tokenAmount: '100000000' });
      expect(provider.elements.at(-1)?.clientSecret).toBe(CLIENT_SECRET);
      expect(backend.calls('transfer')).toEqual([]);

      closeApp();
      const user = await openAt('/app/send/summary');
      await user.click(button('Send'));
      await pass();
      const [sent] = backend.calls('transfer');
      expect(sent?.body).toMatchObject({ amount: '12500000', to_uuid: RECEIVER });
      expect(backend.calls('createPaymentIntent')).toHaveLength(1);
    },
  );
});

describe('the card modal', () => {
  it('[S2-138] [S2-139] opens with Purchase, and Close leaves it', async () => {
    const user = await openBuy();
    await openCard(user);
    expect(isCardOpen()).toBe(true);
    await user.click(button('Close'));
    await pass(500);
    expect(isCardOpen()).toBe(false);
    expect(currentAddress()).toBe('/app/buy');
  });

  it('[S7-037] loads the provider’s script, but not before the modal opens', async () => {
    const user = await openBuy();
    expect(provider.scripts()).toHaveLength(0);
    await openCard(user);
    expect(provider.scripts().map(({ src }) => src)).toEqual([FAKE_SCRIPT_URL]);
  });

  it('[S4-048] loads the script, creates a payment, then shows the form', async () => {
    const user = await openBuy();
    await openCard(user);
    expect(screen.getByRole('status', { name: 'Loading the card form' })).toBeDefined();
    expect(backend.calls('createPaymentIntent')).toHaveLength(0);
    await provider.runScript();
    expect(backend.calls('createPaymentIntent')).toHaveLength(1);
    expect(provider.keys).toEqual([FAKE_PUBLISHABLE_KEY]);
    expect(provider.elements.at(-1)?.clientSecret).toBe(CLIENT_SECRET);
    expect(button('Pay').disabled).toBe(true);
    await provider.showForm();
    expect(screen.queryByRole('status', { name: 'Loading the card form' })).toBeNull();
    expect(button('Pay').disabled).toBe(false);
  });

  it('[S2-140] uses the flat theme with floating labels', async () => {
    const user = await openBuy();
    await openForm(user, provider);
    expect(provider.elements.at(-1)?.appearance).toMatchObject({
      theme: 'flat',
      labels: 'floating',
    });
  });

  it('gives the form the colours of the displayed theme', async () => {
    document.documentElement.dataset['theme'] = 'dark';
    const user = await openBuy();
    await openForm(user, provider);
    expect(provider.elements.at(-1)?.appearance?.variables?.colorText).toBe('#f7f2ec');
    delete document.documentElement.dataset['theme'];
  });

  it('fetches the script again after it failed', async () => {
    const user = await openBuy();
    await openCard(user);
    await provider.failScript();
    expect(alertText()).toBe('The card form did not load. Nothing was charged.');
    await user.click(button('Try again'));
    expect(provider.scripts()).toHaveLength(1);
    await provider.runScript();
    expect(provider.elements).toHaveLength(1);
  });

  it('gives up on a script that does not run within 10 s', async () => {
    const user = await openBuy();
    await openCard(user);
    await pass(9900);
    expect(alertText()).toBeUndefined();
    await pass(200);
    expect(alertText()).toBe('The card form did not load. Nothing was charged.');
    expect(provider.scripts()).toHaveLength(0);
  });

  it('offers to try again if the form fails to load', async () => {
    const user = await openBuy();
    await openForm(user, provider);
    await provider.failForm();
    expect(alertText()).toBe('The card form did not load. Nothing was charged.');
    pending('open');
    await user.click(button('Try again'));
    await pass();
    await provider.showForm();
    expect(button('Pay').disabled).toBe(false);
  });
});

describe('the payment that is created', () => {
  it('[S3-018] [D-005] [D-015] [D-167] carries rate, price, fees and total as dollars, and tokenAmount', async () => {
    const user = await openBuy();
    await openForm(user, provider, '100');
    expect(backend.calls('createPaymentIntent')[0]?.body).toEqual({
      exchangeRate: 0.1683,
      subtotal: 16.83,
      athosFee: 0.84,
      processingFee: 1.01,
      total: 18.68,
      description: '16.83 USD into $ATH',
      tokenAmount: '100000000',
    });
  });

  it("[S3-018] describes the default purchase as '10.00 USD into $ATH'", async () => {
    const user = await openBuy();
    await openForm(user, provider, '59.42');
    expect(backend.calls('createPaymentIntent')[0]?.body.description).toBe('10.00 USD into $ATH');
    expect(mainToken.symbol).toBe('ATH');
  });

  it('[D-038] has a version 7 key, which stays the same after closing, a reload and a retry', async () => {
    const user = await openBuy();
    await openForm(user, provider);
    const keys = () =>
      backend.calls('createPaymentIntent').map(({ headers }) => headers.get('idempotency-key'));
    expect(keys()[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    pending('open');
    closeApp();
    const again = await openBuy();
    await openForm(again, provider);
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
    expect(button('Pay').disabled).toBe(false);
  });

  it('has a new key for another amount', async () => {
    const user = await openBuy();
    await openForm(user, provider, '100');
    await user.click(button('Close'));
    await pass(500);
    await openForm(user, provider, '101');
    const [first, second] = backend.calls('createPaymentIntent');
    expect(second?.headers.get('idempotency-key')).not.toBe(first?.headers.get('idempotency-key'));
  });

  it('[D-127] continues at its own price if it was started here', async () => {
    const user = await openBuy();
    await openForm(user, provider);
    pending('open');
    closeApp();
    backend.answer('exchangeRate', () => ({ exchange_rate: 0.2 }));
    const again = await openBuy();
    await again.click(button('Continue paying'));
    await passLoading();
    expect(isCardOpen()).toBe(true);
    expect(screen.getByText('$18.68 USD')).toBeDefined();
    const [first, second] = backend.calls('createPaymentIntent');
    expect(second?.body).toEqual(first?.body);
  });

  it('is replaced by a new one if it ended unpaid', async () => {
    const user = await openBuy();
    await openForm(user, provider);
    closeApp();
    status(2, 'This payment was canceled.');
    const again = await openBuy();
    await openForm(again, provider);
    const keys = backend
      .calls('createPaymentIntent')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(button('Pay').disabled).toBe(false);
  });

  it('is not paid twice if it was paid before the app was closed', async () => {
    const user = await openBuy();
    await openForm(user, provider);
    closeApp();
    status(1);
    const again = await openBuy();
    await openCard(again);
    await pass();
    expect(screen.queryByLabelText('Card number')).toBeNull();
    await pass(4000);
    expect(screen.getByRole('dialog', { name: 'Successfully purchased' })).toBeDefined();
  });
});

describe('refusals of the server', () => {
  it('[D-149] shows a fresh preview if the rate is no longer accepted', async () => {
    backend.answer('createPaymentIntent', () => problem('rate_expired', { exchange_rate: 0.2 }));
    const user = await openBuy();
    await openCard(user);
    await provider.runScript();
    await pass(500);
    expect(screen.getByRole('dialog', { name: 'Order preview' })).toBeDefined();
    expect(screen.getByText('The price has changed. Have a look at the new one.')).toBeDefined();
    expect(screen.getByText('$22.20 USD')).toBeDefined();
    answerPayments(backend);
    await user.click(button('Purchase'));
    await pass();
    expect(backend.calls('createPaymentIntent')[1]?.body).toMatchObject({ exchangeRate: 0.2 });
  });

  it('buys nothing below the minimum at the fresh rate', async () => {
    backend.answer('createPaymentIntent', () => problem('rate_expired', { exchange_rate: 0.09 }));
    const user = await openBuy();
    await openCard(user);
    await provider.runScript();
    await pass(500);
    expect(button('Purchase').disabled).toBe(true);
    expect(screen.getByText('* Amount is less than $10 USD minimum')).toBeDefined();
  });

  it.each([
    [
      'rate_unavailable',
      {},
      'There is no current price. Nothing was charged. Try again in a moment.',
      true,
    ],
    ['provider_unavailable', {}, 'The purchase could not be started. Nothing was charged.', true],
    [
      'buying_paused',
      { retry_after_seconds: 3000 },
      'Buying is paused after several declined cards. Nothing was charged. Try again in 50 min.',
      false,
    ],
    [
      'account_restricted',
      {},
      'This account cannot buy at the moment. Nothing was charged. Please write to support@athos.example.',
      false,
    ],
    [
      'stopped',
      { detail: 'We are checking our prices.' },
      'Buying is stopped for everybody at the moment: We are checking our prices. Nothing was charged.',
      true,
    ],
    [
      'too_many_requests',
      { retry_after_seconds: 20 },
      'Too many attempts. Wait 20 seconds and try again.',
      true,
    ],
  ] as const)('says what %s means', async (code, more, text, canTryAgain) => {
    backend.answer('createPaymentIntent', () => problem(code, more));
    const user = await openBuy();
    await openCard(user);
    await provider.runScript();
    await pass(10_000);
    expect(alertText()).toBe(text);
    expect(screen.queryByRole('button', { name: 'Try again' }) !== null).toBe(canTryAgain);
    expect(screen.queryByRole('button', { name: 'Pay' })).toBeNull();
  });

  it('retries once with the same key after a lost response, and offers to try again', async () => {
    backend.answer('createPaymentIntent', networkFailure);
    const user = await openBuy();
    await openCard(user);
    await provider.runScript();
    await pass(1000);
    expect(alertText()).toBe('The purchase could not be started. Nothing was charged.');
    answerPayments(backend);
    pending('open');
    await user.click(button('Try again'));
    await pass();
    await provider.showForm();
    const keys = backend
      .calls('createPaymentIntent')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(button('Pay').disabled).toBe(false);
  });
});

describe('paying', () => {
  it('[S2-141] [S2-142] is labelled Pay, and Processing... and disabled while working', async () => {
    await openAndPay(provider);
    expect(button('Processing...').disabled).toBe(true);
    expect(button('Close').disabled).toBe(true);
    await provider.answer(confirmed());
    expect(button('Processing...').disabled).toBe(true);
    expect(provider.confirmPayment).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ redirect: 'if_required' }),
    );
  });

  it("[S8-014] shows the error's message with 'Please try again.' and does not poll", async () => {
    await openAndPay(provider);
    await provider.answer(declined('Your card was declined.'));
    expect(alertText()).toBe('Your card was declined. Please try again.');
    await pass(10_000);
    expect(statusCount()).toBe(0);
    expect(button('Pay').disabled).toBe(false);
  });

  it.each([
    'An error occurred while processing your card. Try again in a little bit.',
    'Your card was declined. Please try again.',
    'Please choose a different payment method and try again.',
  ])('adds no second invitation to %j', async (message) => {
    await openAndPay(provider);
    await provider.answer(declined(message));
    expect(alertText()).toBe(message);
  });

  it('can be tried again on the same form after a decline', async () => {
    const user = await openAndPay(provider);
    await provider.answer(declined('Your card was declined.'));
    await user.click(button('Pay'));
    expect(alertText()).toBeUndefined();
    status(1);
    await provider.answer(confirmed());
    await pass(4000);
    expect(screen.getByRole('dialog', { name: 'Successfully purchased' })).toBeDefined();
    expect(provider.elements.every(({ clientSecret }) => clientSecret === CLIENT_SECRET)).toBe(
      true,
    );
    expect(backend.calls('createPaymentIntent')).toHaveLength(1);
  });

  it('continues if an error says that the payment went through', async () => {
    await openAndPay(provider);
    status(1);
    const intent = { id: 'pi_1', status: 'succeeded' } as never;
    await provider.answer(declined('Unexpected state.', { payment_intent: intent }));
    await pass(4000);
    expect(screen.getByRole('dialog', { name: 'Successfully purchased' })).toBeDefined();
  });

  it('[S4-049] polls every 1.5 s until the status is 1 or 2', async () => {
    await openAndPay(provider);
    expect(statusCount()).toBe(0);
    await provider.answer(confirmed());
    expect(statusCount()).toBe(1);
    await pass(1400);
    expect(statusCount()).toBe(1);
    await pass(100);
    expect(statusCount()).toBe(2);
    status(1);
    await pass(1500);
    expect(statusCount()).toBe(3);
    await pass(3000);
    expect(statusCount()).toBe(3);
  });

  it('reads the status at once on a live event about a payment', async () => {
    const tell = liveEvents();
    const user = await openBuy({ live: true });
    await openForm(user, provider);
    await user.click(button('Pay'));
    await provider.answer(confirmed());
    status(1);
    await pass(100);
    expect(screen.queryByText('Payment confirmed.')).toBeNull();
    tell({ type: 'payment', id: PAYMENT_ID });
    await pass();
    expect(screen.getByText('Payment confirmed.')).toBeDefined();
  });

  it('[S4-050] [S4-052] [S4-053] [S2-143] [D-123] 4 s after status 1 closes, syncs the balance and shows the success; closing that goes to /app', async () => {
    const user = await openAndPay(provider);
    status(1);
    const balanceCount = backend.calls('balance').length;
    await provider.answer(confirmed());
    // Confirmed, so no charge is in progress any more; the tick has replaced the form.
    expect(screen.getByText('Payment confirmed.')).toBeDefined();
    expect(screen.queryByRole('button', { name: /Processing|Pay/ })).toBeNull();
    await pass(3999);
    expect(isCardOpen()).toBe(true);
    await pass(1);
    expect(backend.calls('balance')).toHaveLength(balanceCount + 1);
    // The modal fades out.
    await pass(500);
    expect(isCardOpen()).toBe(false);
    const dialog = screen.getByRole('dialog', { name: 'Successfully purchased' });
    expect(dialog.querySelector('p')?.textContent).toBe('100.00 ATH Successfully purchased');
    expect(currentAddress()).toBe('/app/buy');
    await user.click(button('Done'));
    expect(currentAddress()).toBe('/app');
  });

  it('shows the success at once if it is closed within the 4 s', async () => {
    const user = await openAndPay(provider);
    status(1);
    await provider.answer(confirmed());
    await user.click(button('Close'));
    await pass();
    expect(screen.getByRole('dialog', { name: 'Successfully purchased' })).toBeDefined();
  });

  it('[S4-051] shows the error of any other final status for 5 s, and enables the form again', async () => {
    pending('open');
    await openAndPay(provider);
    status(2, 'Your card was declined.');
    await provider.answer(confirmed());
    expect(alertText()).toBe('Your card was declined.');
    expect(button('Pay').disabled).toBe(false);
    await pass(4999);
    expect(alertText()).toBe('Your card was declined.');
    await pass(1);
    expect(alertText()).toBeUndefined();
    expect(screen.queryByRole('dialog', { name: 'Successfully purchased' })).toBeNull();
  });

  it('[S8-015] shows an alert for 5 s when the status cannot be read, and keeps polling', async () => {
    await openAndPay(provider);
    backend.answer('paymentIntent', () => problem('forbidden'));
    await provider.answer(confirmed());
    const text =
      "We could not read the payment's state. If it was charged, the credit follows by itself.";
    expect(alertText()).toBe(text);
    backend.answer('paymentIntent', silence);
    await pass(4999);
    expect(alertText()).toBe(text);
    await pass(1);
    expect(alertText()).toBeUndefined();
    expect(button('Processing...').disabled).toBe(true);
    expect(statusCount()).toBe(2);
  });

  it('says after 2 min that the credit will follow, and credits when a live event brings it', async () => {
    const tell = liveEvents();
    const user = await openBuy({ live: true });
    await openForm(user, provider);
    await user.click(button('Pay'));
    await provider.answer(confirmed());
    await pass(119_900);
    expect(screen.queryByText(/takes longer than usual/)).toBeNull();
    await pass(200);
    expect(
      screen.getByText(
        'The confirmation takes longer than usual. Your ATH will be credited as soon as it arrives.',
      ),
    ).toBeDefined();
    expect(screen.queryByRole('button', { name: /Pay|Processing/ })).toBeNull();
    const count = statusCount();
    await pass(15_000);
    expect(statusCount()).toBe(count);
    status(1);
    tell({ type: 'payment', id: PAYMENT_ID });
    await pass();
    await pass(4000);
    expect(screen.getByRole('dialog', { name: 'Successfully purchased' })).toBeDefined();
  });

  it('can be closed while the bank confirms, and then appears on the screen', async () => {
    const user = await openAndPay(provider);
    await provider.answer(confirmed());
    pending('processing');
    await user.click(button('Close'));
    await pass(500);
    expect(screen.getByText('A purchase is being confirmed')).toBeDefined();
    expect(amountInput().value).toBe('100');
  });

  it('is not reused for the next purchase of the same amount at the same rate', async () => {
    const user = await openAndPay(provider);
    await provider.answer(confirmed());
    await user.click(button('Close'));
    await pass(500);
    status(1);
    const another = { id: '0192dddd-0000-7000-8000-000000000004', client_secret: 'pi_2_secret_3' };
    backend.answer('createPaymentIntent', () => another);
    await openForm(user, provider);
    const [first, second] = backend.calls('createPaymentIntent');
    expect(second?.headers.get('idempotency-key')).not.toBe(first?.headers.get('idempotency-key'));
    expect(provider.elements.at(-1)?.clientSecret).toBe('pi_2_secret_3');
    expect(button('Pay').disabled).toBe(false);
  });

  it('keeps waiting if the server returns the payment being confirmed for the next purchase', async () => {
    const user = await openAndPay(provider);
    await provider.answer(confirmed());
    pending('processing');
    await user.click(button('Close'));
    await pass(500);
    await openCard(user);
    await pass();
    expect(screen.getByText('Confirming with your bank...')).toBeDefined();
    expect(screen.queryByLabelText('Card number')).toBeNull();
  });
});

describe('away too long', () => {
  /** Spec 3: the stored timer's default. */
  const TIMER_DEFAULT_MS = 300_000;
  const onAway = vi.fn<() => void>();
  let stop: () => void;
  beforeEach(() => {
    onAway.mockClear();
    stop = watchIdle(onAway);
  });
  afterEach(() => stop());

  it('[D-181] never happens while a payment runs', async () => {
    await openAndPay(provider);
    await pass(TIMER_DEFAULT_MS * 2);
    expect(idleWarning.get()).toBeUndefined();
    expect(onAway).not.toHaveBeenCalled();
    await provider.answer(declined('Your card was declined.'));
    await pass(TIMER_DEFAULT_MS + 60_000);
    expect(onAway).toHaveBeenCalledOnce();
  });

  it('[D-181] never happens while the focus is in the card form', async () => {
    const user = await openBuy();
    await openForm(user, provider);
    await user.click(screen.getByLabelText('Card number'));
    await pass(TIMER_DEFAULT_MS * 2);
    expect(onAway).not.toHaveBeenCalled();
    button('Close').focus();
    await pass(TIMER_DEFAULT_MS + 60_000);
    expect(onAway).toHaveBeenCalledOnce();
  });
});
