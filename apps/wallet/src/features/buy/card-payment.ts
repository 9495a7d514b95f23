/**
 * One card payment, from the provider's script to the credit (spec 4, "Card payment"). It lives outside React because
 * it spans renders and mostly waits for the provider or the server.
 */
import { log } from '@athos/app-core/log';
import type { Rate } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { createValue, type Value } from '@athos/app-core/value';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import {
  beginPayment,
  readStanding,
  syncAfterPurchase,
  type BegunPayment,
  type BeginRefusal,
  type Standing,
} from '../../api/payment.ts';
import { refreshPendingPayments } from '../../api/pending-payments.ts';
import type { WalletPay } from '../../native/wallet-pay.ts';
import { holdActivity } from '../../state/idle.ts';
import { quoteOfOrder, type CardOrderStore, type Quote } from '../../state/card-order.ts';
import { charge, chargeByWallet, type Attempt, type PreparedForm } from './charge.ts';
import { loadCardProvider } from './provider-script.ts';
import { watchStatus } from './watch-status.ts';

/** Spec 9: the delay after a successful card payment. */
const SUCCESS_DELAY_MS = 4000;
/** Spec 4 and 8. */
const ALERT_MS = 5000;

type RateExpired = Extract<BeginRefusal, { status: 'rate_expired' }>;
/** `script`: the provider's script or form did not load. */
export type PrepareFailure = Exclude<BeginRefusal, RateExpired> | { readonly status: 'script' };

export type CardState =
  | { readonly status: 'preparing' }
  | { readonly status: 'failed'; readonly failure: PrepareFailure }
  | { readonly status: 'idle' | 'confirming'; readonly form: PreparedForm }
  /** The charge is confirmed. There is no form if that happened during an earlier visit. */
  | { readonly status: 'waiting' | 'late' | 'credited'; readonly form: PreparedForm | undefined };

export interface CardPaymentOptions {
  readonly quote: Quote;
  readonly order: CardOrderStore;
  /** Called after the credit and the delay. */
  readonly onComplete: (quote: Quote) => void;
  /** Called with the current rate, if it is known. */
  readonly onRateExpired: (quote: Quote, usdPerAth: Rate | undefined) => void;
}

interface Found {
  readonly begun: Pick<BegunPayment, 'paymentId' | 'clientSecret'>;
  readonly standing: Standing;
  /** The purchase that it pays for. An earlier charge takes precedence over the current preview. */
  readonly quote: Quote;
}

/** A charge is in progress: 'Pay' is pending, and the user does not count as away. */
export const isRunning = ({ status }: CardState): boolean =>
  status === 'confirming' || status === 'waiting' || status === 'credited';

/**
 * Returns an earlier payment whose card may have been charged. If it was, that payment continues, whatever the preview
 * shows.
 */
async function findCharged(order: CardOrderStore, quote: Quote): Promise<Found | undefined> {
  const before = order.get();
  const { paymentId, isCharging } = before;
  if (!isCharging || paymentId === undefined) return undefined;
  const standing = await readStanding(paymentId);
  if (standing === 'credited' || standing === 'processing') {
    return {
      begun: { paymentId, clientSecret: '' },
      standing,
      quote: quoteOfOrder(before) ?? quote,
    };
  }
  order.noteNotCharged();
  return undefined;
}

/** Returns the payment of the order's key, or a new one if that ended unpaid. */
async function findPayment(order: CardOrderStore, quote: Quote): Promise<Found | BeginRefusal> {
  const { paymentId: lastId } = order.get();
  const { key, content, isRepeat } = order.confirm(quote);
  const begun = await beginPayment(content, key);
  if (begun.status !== 'begun') return begun;
  order.noteBegun(begun.paymentId);
  // For a new key the server may return an open payment of the same order.
  if (!isRepeat && begun.paymentId !== lastId) return { begun, standing: 'open', quote: content };
  const standing = await readStanding(begun.paymentId);
  if (standing !== 'ended') return { begun, standing, quote: content };
  order.renew();
  return findPayment(order, quote);
}

export class CardPayment {
  /** The purchase that is being paid for. */
  readonly quote: Value<Quote>;
  readonly state = createValue<CardState>({ status: 'preparing' });
  /** An error, shown in addition to the state. */
  readonly alert = createValue<string | undefined>(undefined);
  readonly #options: CardPaymentOptions;
  #run: AbortController | undefined;
  #alertTimer: ReturnType<typeof setTimeout> | undefined;
  #completionTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: CardPaymentOptions) {
    this.#options = options;
    this.quote = createValue(options.quote);
  }

  /** Returns a function that stops watching. A running payment continues and is credited anyway. */
  start(): () => void {
    const run = new AbortController();
    this.#run = run;
    const release = holdActivity(() => isRunning(this.state.get()));
    void this.#prepare(run.signal);
    return () => {
      run.abort();
      release();
      clearTimeout(this.#alertTimer);
      clearTimeout(this.#completionTimer);
      refreshPendingPayments();
    };
  }

  tryAgain(): void {
    if (this.#run !== undefined && this.state.get().status === 'failed') {
      void this.#prepare(this.#run.signal);
    }
  }

  /** Called if the provider's form failed to load. */
  failForm(): void {
    if (this.state.get().status === 'idle') this.#fail({ status: 'script' });
  }

  /** Charges the card in the form. Ignored unless idle. */
  confirm(elements: StripeElements): Promise<void> {
    return this.#pay((form) => charge(form, elements));
  }

  /** Charges with Apple Pay or Google Pay. Ignored unless idle. */
  confirmByWallet(wallet: WalletPay): Promise<void> {
    return this.#pay((form) => chargeByWallet(wallet, form, this.quote.get()));
  }

  async #pay(attempt: (form: PreparedForm) => Promise<Attempt>): Promise<void> {
    const state = this.state.get();
    const signal = this.#run?.signal;
    const { paymentId } = this.#options.order.get();
    if (state.status !== 'idle' || signal === undefined || paymentId === undefined) return;
    const { form } = state;
    this.#showAlert(undefined);
    this.state.set({ status: 'confirming', form });
    this.#options.order.noteCharging();
    const { status, alert } = await attempt(form);
    if (status === 'not_charged') this.#options.order.noteNotCharged();
    if (signal.aborted) return;
    if (status === 'charged') return this.#wait(signal, paymentId, form);
    this.#showAlert(alert);
    this.state.set({ status: 'idle', form });
  }

  /** Called when the user closes the modal: a credited payment completes at once. Returns whether it was credited. */
  completeEarly(): boolean {
    const isCredited = this.state.get().status === 'credited';
    if (isCredited) this.#complete();
    return isCredited;
  }

  async #prepare(signal: AbortSignal): Promise<void> {
    this.state.set({ status: 'preparing' });
    const stripe = await loadCardProvider().catch((error: unknown) =>
      log('card_provider_failed', { error: String(error) }),
    );
    if (signal.aborted) return;
    if (stripe === undefined) return this.#fail({ status: 'script' });
    const { quote, onRateExpired } = this.#options;
    const found = await this.#find().catch((): BeginRefusal => ({ status: 'failed' }));
    if (signal.aborted) return;
    if ('begun' in found) this.#enter(signal, stripe, found);
    else if (found.status === 'rate_expired') onRateExpired(quote, found.usdPerAth);
    else this.#fail(found);
  }

  async #find(): Promise<Found | BeginRefusal> {
    const { order, quote } = this.#options;
    return (await findCharged(order, quote)) ?? findPayment(order, quote);
  }

  #enter(signal: AbortSignal, stripe: Stripe, { begun, standing, quote }: Found): void {
    this.quote.set(quote);
    switch (standing) {
      case 'credited':
        return this.#settle(undefined);
      case 'processing':
        return this.#wait(signal, begun.paymentId, undefined);
      case 'open':
      case 'ended':
        this.state.set({ status: 'idle', form: { stripe, clientSecret: begun.clientSecret } });
        // The form shows until when it can be paid, which is part of the pending payments.
        refreshPendingPayments();
    }
  }

  #wait(signal: AbortSignal, paymentId: string, form: PreparedForm | undefined): void {
    this.#options.order.noteConfirmed();
    this.state.set({ status: 'waiting', form });
    const stop = watchStatus(paymentId, {
      onCredited: () => this.#settle(form),
      onFailed: (error) => {
        this.#showAlert(error ?? m.buy_card_failed(), ALERT_MS);
        void this.#offerAgain(signal, paymentId, form);
      },
      onUnreadable: () => this.#showAlert(m.buy_card_status_failed(), ALERT_MS),
      onLate: () => this.state.set({ status: 'late', form }),
    });
    signal.addEventListener('abort', stop);
  }

  /** Offers the same form again while its payment is open, otherwise a new one. */
  async #offerAgain(
    signal: AbortSignal,
    paymentId: string,
    form: PreparedForm | undefined,
  ): Promise<void> {
    const standing = await readStanding(paymentId).catch((): Standing => 'open');
    if (signal.aborted) return;
    if (standing === 'open' && form !== undefined) this.state.set({ status: 'idle', form });
    else await this.#prepare(signal);
  }

  #settle(form: PreparedForm | undefined): void {
    // Cleared at once and not after the delay, because anything bought from now on is another purchase.
    this.#options.order.clear();
    syncAfterPurchase();
    this.#showAlert(undefined);
    this.state.set({ status: 'credited', form });
    this.#completionTimer = setTimeout(() => this.#complete(), SUCCESS_DELAY_MS);
  }

  #complete(): void {
    clearTimeout(this.#completionTimer);
    this.#options.onComplete(this.quote.get());
  }

  #fail(failure: PrepareFailure): void {
    this.state.set({ status: 'failed', failure });
  }

  #showAlert(text: string | undefined, durationMs?: number): void {
    clearTimeout(this.#alertTimer);
    this.alert.set(text);
    if (text === undefined || durationMs === undefined) return;
    this.#alertTimer = setTimeout(() => this.alert.set(undefined), durationMs);
  }
}
