import type { Appearance, FrameNews } from '../protocol.ts';
import { connectionError } from './api.ts';
import { CardFrame, readBackdrop } from './card-frame.ts';
import { Emitter } from './emitter.ts';
import type { Listener } from './emitter.ts';
import { IntegrationError } from './integration-error.ts';

export interface PaymentElementOptions {
  defaultValues?: { billingDetails?: { address?: { country?: string } } };
}

export interface PaymentElementContext {
  readonly appearance: Appearance;
  /** Frees the slot for the next `create('payment')`. */
  readonly onDestroy: () => void;
}

/** The Payment Element: the provider's methods around one card frame. */
export class PaymentElement {
  readonly #emitter = new Emitter();
  readonly #context: PaymentElementContext;
  readonly #options: PaymentElementOptions;
  #frame: CardFrame | null = null;
  #isDestroyed = false;

  constructor(context: PaymentElementContext, options: PaymentElementOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** The frame that holds the fields. Throws IntegrationError if the element is not mounted. */
  requireFrame(): CardFrame {
    if (this.#frame === null) {
      throw new IntegrationError(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      );
    }
    return this.#frame;
  }

  mount(target: string | HTMLElement): void {
    if (this.#isDestroyed) throw new IntegrationError('This Element was destroyed.');
    const container = typeof target === 'string' ? document.querySelector(target) : target;
    if (!(container instanceof HTMLElement)) {
      throw new IntegrationError(
        `The selector you specified (${typeof target === 'string' ? target : 'a node'}) applies to no DOM element.`,
      );
    }
    this.unmount();
    this.#frame = new CardFrame({
      appearance: this.#context.appearance,
      defaultCountry: this.#options.defaultValues?.billingDetails?.address?.country ?? 'US',
      onNews: (news) => this.#tell(news),
      onLoadError: () => this.#emit('loaderror', { error: connectionError() }),
    });
    this.#frame.mount(container);
    // Emit asynchronously, because React adds its listeners only after mounting.
    queueMicrotask(() => this.#emit('loaderstart'));
  }

  unmount(): void {
    this.#frame?.destroy();
    this.#frame = null;
  }

  destroy(): void {
    if (this.#isDestroyed) throw new IntegrationError('This Element was already destroyed.');
    this.#isDestroyed = true;
    this.unmount();
    this.#emitter.clear();
    this.#context.onDestroy();
  }

  restyle(appearance: Appearance): void {
    const frame = this.#frame;
    if (frame === null) return;
    const backdrop = readBackdrop(frame.element);
    frame.tell({ type: 'update', appearance, defaultCountry: '', backdrop });
  }

  update(_options: PaymentElementOptions): this {
    return this;
  }

  focus(): void {
    this.#frame?.tell({ type: 'focus' });
  }

  blur(): void {
    this.#frame?.tell({ type: 'blur' });
  }

  clear(): void {
    this.#frame?.tell({ type: 'clear' });
  }

  collapse(): this {
    return this;
  }

  on(type: string, listener: Listener): this {
    this.#emitter.on(type, listener);
    return this;
  }

  once(type: string, listener: Listener): this {
    this.#emitter.once(type, listener);
    return this;
  }

  off(type: string, listener?: Listener): this {
    this.#emitter.off(type, listener);
    return this;
  }

  #emit(type: string, more: object = {}): void {
    this.#emitter.emit(type, { elementType: 'payment', ...more });
  }

  #tell(news: FrameNews): void {
    if (news.type === 'loaded') this.#emit('ready');
    else if (news.type === 'submit') this.#frame?.element.closest('form')?.requestSubmit();
    else if (news.type === 'change') {
      this.#emit('change', {
        empty: news.isEmpty,
        complete: news.isComplete,
        collapsed: false,
        value: {
          type: 'card',
          billingDetails: { address: { country: news.country, postalCode: news.postalCode } },
        },
      });
    } else if (news.type === 'focus' || news.type === 'blur' || news.type === 'escape') {
      this.#emit(news.type);
    }
  }
}
