/**
 * The purchase by card in progress (spec 3, "Pending payment"), stored on this device for the buying account. Its intent is the charge:
 * creating an order moves nothing, and the server cancels the previous one. While it is unknown whether a card was charged, that payment is
 * checked before another one is created.
 */
import {
  prepareIntent,
  type ConfirmedIntent,
  type IntentPlace,
} from '@athos/app-core/intents/intent';
import { openStored } from '@athos/app-core/stored-value';
import { storesByName } from '@athos/app-core/stores-by-name';
import type { ReadonlyValue } from '@athos/app-core/value';
import { exactAthText, parseAth, parseRate, rateText } from '@athos/domain/money';
import type { MicroAth, Rate } from '@athos/domain/money';
import { priceOfTokens, type PurchasePrice } from '@athos/domain/purchase-price';

/** An amount and its cost at one rate. The preview keeps the rate at which it was opened. */
export interface Quote extends PurchasePrice {
  readonly amountMicroAth: MicroAth;
  readonly usdPerAth: Rate;
}

export const quoteOf = (amountMicroAth: MicroAth, usdPerAth: Rate): Quote => ({
  amountMicroAth,
  usdPerAth,
  ...priceOfTokens(amountMicroAth, usdPerAth),
});

export interface CardOrder {
  /** ATH, exact: `59.42`. Empty while nothing is being bought. */
  readonly paymentAmount: string;
  /** The rate of the preview: `0.1683`. */
  readonly usdPerAth: string;
  /** Set from the first confirmation until the card is charged. */
  readonly key?: string;
  /** The server's id of the payment, set by its first response. */
  readonly paymentId?: string;
  /** The card was submitted to the provider, and the outcome is unknown. */
  readonly isCharging?: true;
}

export const NO_ORDER: CardOrder = { paymentAmount: '', usdPerAth: '' };

export const cardOrderKey = (userUuid: string): string => `order:${userUuid}`;

/** The quote of the preview; `undefined` if there is none. */
export function quoteOfOrder({ paymentAmount, usdPerAth }: CardOrder): Quote | undefined {
  const amount = parseAth(paymentAmount);
  const rate = parseRate(usdPerAth);
  return amount === undefined || rate === undefined ? undefined : quoteOf(amount, rate);
}

function parseOrder(value: unknown): CardOrder | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const stored = value as Partial<Record<keyof CardOrder, unknown>>;
  const textOf = (text: unknown): string => (typeof text === 'string' ? text : '');
  return {
    paymentAmount: textOf(stored.paymentAmount),
    usdPerAth: textOf(stored.usdPerAth),
    ...(typeof stored.key === 'string' && { key: stored.key }),
    ...(typeof stored.paymentId === 'string' && { paymentId: stored.paymentId }),
    ...(stored.isCharging === true && { isCharging: true }),
  };
}

export interface CardOrderStore extends ReadonlyValue<CardOrder> {
  /**
   * Confirms a preview and returns the key of this purchase. A retry returns the key of the purchase created before.
   */
  confirm: (quote: Quote) => ConfirmedIntent<Quote>;
  /** Records the payment that the server created. */
  noteBegun: (paymentId: string) => void;
  /** Records that the card is being submitted to the provider. */
  noteCharging: () => void;
  /** Records that the submitted card was not charged. */
  noteNotCharged: () => void;
  /**
   * Records that the user saw that the card was or is being charged. The next purchase is a new one, even with the same
   * content.
   */
  noteConfirmed: () => void;
  /** Discards the key of a payment that was not paid and no longer can be. */
  renew: () => void;
  /** Clears the order after its credit. */
  clear: () => void;
}

function openCardOrder(userUuid: string): CardOrderStore & { close: () => void } {
  const storageKey = cardOrderKey(userUuid);
  const stored = openStored({ key: storageKey, empty: NO_ORDER, parse: parseOrder });
  const close = stored.followOtherTabs();

  const place: IntentPlace<Quote> = {
    read() {
      const order = stored.read();
      const quote = quoteOfOrder(order);
      return order.key === undefined || quote === undefined
        ? undefined
        : { key: order.key, content: quote, isAsked: order.isCharging === true };
    },
    write: (intent) =>
      stored.change(({ key: before, paymentId }) => {
        if (intent === undefined) return NO_ORDER;
        const { key, content, isAsked } = intent;
        return {
          paymentAmount: exactAthText(content.amountMicroAth),
          usdPerAth: rateText(content.usdPerAth),
          key,
          // A new key has a new payment.
          ...(key === before && paymentId !== undefined && { paymentId }),
          ...(isAsked && { isCharging: true }),
        };
      }),
    isSame: (left, right) =>
      left.amountMicroAth === right.amountMicroAth && left.usdPerAth === right.usdPerAth,
  };

  return {
    close,
    get: stored.get,
    subscribe: stored.subscribe,
    confirm: (quote) => prepareIntent(place, quote),
    noteBegun: (paymentId) => stored.change((order) => ({ ...order, paymentId })),
    noteCharging: () => stored.change((order) => ({ ...order, isCharging: true })),
    noteNotCharged: () => stored.change(({ isCharging: _isCharging, ...order }) => order),
    noteConfirmed: () => stored.change(({ key: _key, isCharging: _isCharging, ...order }) => order),
    renew: () => stored.change(({ paymentAmount, usdPerAth }) => ({ paymentAmount, usdPerAth })),
    clear: () => place.write(undefined),
  };
}

const orders = storesByName<ReturnType<typeof openCardOrder>>();

/** The card order of one account. */
export const cardOrderOf = (userUuid: string): CardOrderStore => orders.of(userUuid, openCardOrder);

export const closeCardOrders = orders.closeAll;
