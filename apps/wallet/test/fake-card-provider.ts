/**
 * A fake of the card provider's script and of `window.Stripe`, typed by the provider's own definitions. It exists only once
 * a test lets the script run.
 */
import type {
  PaymentIntentResult,
  Stripe,
  StripeConstructor,
  StripeElements,
  StripeElementsOptionsClientSecret,
  StripeError,
  StripePaymentElement,
} from '@stripe/stripe-js';
import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { pass } from '@athos/testing/fake-time';

export const FAKE_SCRIPT_URL = 'http://cards.test/endive/stripe.js';
export const FAKE_APPLE_MERCHANT_ID = 'merchant.example';
export const FAKE_PUBLISHABLE_KEY = 'pk_test_fake';

type Listener = (event: { empty: boolean; error?: StripeError }) => void;

export interface FakeCardProvider {
  /** The provider's script elements on the page. */
  scripts: () => readonly HTMLScriptElement[];
  /** Lets the newest script load. */
  runScript: () => Promise<void>;
  failScript: () => Promise<void>;
  /** The options of every group of elements created. */
  readonly elements: StripeElementsOptionsClientSecret[];
  readonly keys: string[];
  /** Lets the card fields load, or fail to. */
  showForm: () => Promise<void>;
  failForm: () => Promise<void>;
  typeCard: () => Promise<void>;
  /** Called when the form confirms a payment. */
  readonly confirmPayment: ReturnType<
    typeof vi.fn<(options: unknown) => Promise<PaymentIntentResult>>
  >;
  /** Ends the confirmation in progress. */
  answer: (result: PaymentIntentResult) => Promise<void>;
}

export const confirmed = (): PaymentIntentResult =>
  ({ paymentIntent: { id: 'pi_1', status: 'succeeded' } }) as PaymentIntentResult;

export const declined = (
  message: string,
  more: Partial<StripeError> = {},
): PaymentIntentResult => ({
  error: { type: 'card_error', code: 'card_declined', message, ...more } as StripeError,
});

const elementsOf = (create: () => StripePaymentElement): StripeElements =>
  ({ create, getElement: () => null, update: () => undefined }) as unknown as StripeElements;

let current: { provider: FakeCardProvider; createElement: () => StripePaymentElement } | undefined;

const unused = (): never => {
  throw new Error('The wallet does not call this');
};

/** The provider's package keeps the first object it finds for the life of the page, so all tests share one. */
const constructStripe: StripeConstructor = Object.assign(
  (key: string): Stripe => {
    if (current === undefined) throw new Error('No fake card provider is installed');
    const { provider, createElement } = current;
    provider.keys.push(key);
    return {
      elements(options: StripeElementsOptionsClientSecret) {
        provider.elements.push(options);
        return elementsOf(createElement);
      },
      confirmPayment: provider.confirmPayment,
      createToken: unused,
      createPaymentMethod: unused,
      confirmCardPayment: unused,
      registerAppInfo: () => undefined,
    } as unknown as Stripe;
  },
  { version: 'endive' },
);

/** For `beforeEach`. `vi.unstubAllGlobals()` and clearing `document.head` undo it. */
export function installFakeCardProvider(): FakeCardProvider {
  const listeners = new Map<string, Listener[]>();
  let conclude: (result: PaymentIntentResult) => void = () => undefined;
  const provider: FakeCardProvider = {
    scripts: () => [...document.querySelectorAll<HTMLScriptElement>(`script[src]`)],
    async runScript() {
      vi.stubGlobal('Stripe', constructStripe);
      await signal('load');
    },
    failScript: () => signal('error'),
    elements: [],
    keys: [],
    showForm: () => emit('ready', { empty: true }),
    failForm: () => emit('loaderror', { empty: true }),
    typeCard: () => emit('change', { empty: false }),
    confirmPayment: vi.fn(() => new Promise((resolve) => (conclude = resolve))),
    async answer(result) {
      conclude(result);
      await pass();
    },
  };

  async function signal(type: string): Promise<void> {
    act(() => void provider.scripts().at(-1)?.dispatchEvent(new Event(type)));
    await pass();
  }

  async function emit(type: string, event: Parameters<Listener>[0]): Promise<void> {
    act(() => {
      for (const listener of listeners.get(type) ?? []) listener(event);
    });
    await pass();
  }

  /** A single field that can hold the focus. */
  function createElement(): StripePaymentElement {
    const field = document.createElement('input');
    field.setAttribute('aria-label', 'Card number');
    const element = {
      mount: (place: HTMLElement) => place.append(field),
      destroy: () => field.remove(),
      update: () => undefined,
      on(type: string, listener: Listener) {
        listeners.set(type, [...(listeners.get(type) ?? []), listener]);
        return element;
      },
      off(type: string, listener: Listener) {
        listeners.set(type, listeners.get(type)?.filter((other) => other !== listener) ?? []);
        return element;
      },
    };
    return element as unknown as StripePaymentElement;
  }

  current = { provider, createElement };
  return provider;
}

/** Writes the page's settings as the API does. Call it before the app reads them for the first time. */
export function writeCardSettings(): void {
  const settings = document.createElement('script');
  settings.id = 'settings';
  settings.type = 'application/json';
  settings.textContent = JSON.stringify({
    stripePublishableKey: FAKE_PUBLISHABLE_KEY,
    stripeScriptUrl: FAKE_SCRIPT_URL,
    appleMerchantId: FAKE_APPLE_MERCHANT_ID,
  });
  document.body.prepend(settings);
}
