import type { Appearance, StripeError } from '../protocol.ts';
import { Emitter } from './emitter.ts';
import type { Listener } from './emitter.ts';
import { IntegrationError } from './integration-error.ts';
import { PaymentElement } from './payment-element.ts';
import type { PaymentElementOptions } from './payment-element.ts';

export interface ElementsOptions {
  clientSecret?: string;
  appearance?: Appearance;
}

export type SubmitResult = { selectedPaymentMethod: string } | { error: StripeError };

/** The elements for one intent: at most one mounted payment element. */
export class Elements {
  readonly #emitter = new Emitter();
  readonly clientSecret: string | undefined;
  #appearance: Appearance;
  #payment: PaymentElement | null = null;

  constructor(options: ElementsOptions) {
    this.clientSecret = options.clientSecret;
    this.#appearance = options.appearance ?? {};
  }

  create(type: string, options: PaymentElementOptions = {}): PaymentElement {
    if (type !== 'payment') {
      throw new IntegrationError(`The sandbox knows the payment Element only, not ${type}.`);
    }
    if (this.#payment !== null) {
      throw new IntegrationError(
        "Can only create one Element of type payment. If you want to mount the Element you created, use elements.getElement('payment').",
      );
    }
    const context = {
      appearance: this.#appearance,
      onDestroy: () => {
        this.#payment = null;
      },
    };
    this.#payment = new PaymentElement(context, options);
    return this.#payment;
  }

  /** Finds an element by name, or by the React component that carries the name. */
  getElement(type: string | { __elementType?: string }): PaymentElement | null {
    const name = typeof type === 'string' ? type : type.__elementType;
    return name === 'payment' ? this.#payment : null;
  }

  update(options: ElementsOptions): void {
    if (options.appearance === undefined) return;
    this.#appearance = options.appearance;
    this.#payment?.restyle(options.appearance);
  }

  /** Validates the fields and shows their errors. */
  async submit(): Promise<SubmitResult> {
    const answer = await this.requirePayment().requireFrame().ask({ type: 'validate' });
    if (answer.error !== undefined) return { error: answer.error };
    return { selectedPaymentMethod: 'card' };
  }

  async fetchUpdates(): Promise<{ error?: StripeError }> {
    return {};
  }

  on(type: string, listener: Listener): this {
    this.#emitter.on(type, listener);
    return this;
  }

  off(type: string, listener?: Listener): this {
    this.#emitter.off(type, listener);
    return this;
  }

  /** Throws IntegrationError if there is no payment element. */
  requirePayment(): PaymentElement {
    if (this.#payment === null) {
      throw new IntegrationError('elements should have a mounted Payment Element.');
    }
    return this.#payment;
  }
}
