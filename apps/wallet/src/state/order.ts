/**
 * The card purchase in progress (spec 3, "Pending payment"), kept on this device for the account that buys. Its idempotency
 * key is made when the preview is first confirmed, and changes only after success, at the end of the order, or with another
 * amount or rate (D-038): a repeat, also after a reload, is the same purchase and never a second charge. Beginning a payment
 * charges nothing, and the server ends the one begun before. While it is unknown whether a card was charged, that payment
 * is looked at before another is begun.
 */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { openStored } from '@athos/app-core/stored-value';
import { storesByName } from '@athos/app-core/stores-by-name';
import { exactAthText, parseAth, parseRate, rateText } from '@athos/domain/money';
import type { MicroAth, Rate } from '@athos/domain/money';
import { priceOfTokens, type PurchasePrice } from '@athos/domain/purchase-price';
import type { ReadonlyValue } from '@athos/app-core/value';

/** An amount with its price at one rate. The preview keeps the rate at which it was opened. */
export interface Quote extends PurchasePrice {
  readonly amountMicroAth: MicroAth;
  readonly usdPerAth: Rate;
}

export const quoteOf = (amountMicroAth: MicroAth, usdPerAth: Rate): Quote => ({
  amountMicroAth,
  usdPerAth,
  ...priceOfTokens(amountMicroAth, usdPerAth),
});

export interface Order {
  readonly paymentOperation: 'SENT' | 'card';
  /** ATH, exact: `59.42`. Empty while nothing is bought. */
  readonly paymentAmount: string;
  readonly paymentType: 'card';
  /** The price without fees in US cents, as digits. */
  readonly usd: string;
  readonly sendAll: boolean;
  /** The rate of the preview: `0.1683`. */
  readonly usdPerAth: string;
  /** From the first confirmation on. */
  readonly key?: string;
  /** The server's id of the payment, from its first answer on. */
  readonly paymentId?: string;
  /** The card was sent to the provider, and the outcome is unknown. */
  readonly isCharging?: true;
}

export const EMPTY_ORDER: Order = {
  paymentOperation: 'SENT',
  paymentAmount: '',
  paymentType: 'card',
  usd: '',
  sendAll: false,
  usdPerAth: '',
};

export const orderKey = (userUuid: string): string => `order:${userUuid}`;

/** The quote of the preview; `undefined` if there is none. */
export function quoteOfOrder({ paymentAmount, usdPerAth }: Order): Quote | undefined {
  const amount = parseAth(paymentAmount);
  const rate = parseRate(usdPerAth);
  return amount === undefined || rate === undefined ? undefined : quoteOf(amount, rate);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function parseOrder(value: unknown): Order | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const stored = value as Partial<Record<keyof Order, unknown>>;
  return {
    ...EMPTY_ORDER,
    paymentOperation: stored.paymentOperation === 'card' ? 'card' : 'SENT',
    paymentAmount: textOf(stored.paymentAmount),
    usd: textOf(stored.usd),
    usdPerAth: textOf(stored.usdPerAth),
    ...(typeof stored.key === 'string' && { key: stored.key }),
    ...(typeof stored.paymentId === 'string' && { paymentId: stored.paymentId }),
    ...(stored.isCharging === true && { isCharging: true }),
  };
}

export interface OrderStore extends ReadonlyValue<Order> {
  /** The user confirmed a preview: returns the key of this purchase. A repeat has the key of a purchase begun before. */
  confirm: (quote: Quote) => { readonly key: string; readonly isRepeat: boolean };
  /** The server answered with its payment. */
  noteBegun: (paymentId: string) => void;
  /** The card is being sent to the provider. */
  noteCharging: () => void;
  /** The card that was sent to the provider was not charged. */
  noteNotCharged: () => void;
  /** The user saw that the card was charged or is being charged: the next purchase is another one, even if it is the same. */
  noteConfirmed: () => void;
  /** The payment of this key was not paid and can no longer be paid. */
  renew: () => void;
  /** It was credited. */
  clear: () => void;
}

function openOrder(userUuid: string): OrderStore & { close: () => void } {
  const stored = openStored({ key: orderKey(userUuid), empty: EMPTY_ORDER, parse: parseOrder });

  return {
    get: stored.get,
    subscribe: stored.subscribe,
    close: stored.followOtherTabs(),
    confirm(quote) {
      const { key: known, paymentId, isCharging: _isCharging, ...before } = stored.read();
      const paymentAmount = exactAthText(quote.amountMicroAth);
      const usdPerAth = rateText(quote.usdPerAth);
      const isRepeat =
        known !== undefined &&
        before.paymentAmount === paymentAmount &&
        before.usdPerAth === usdPerAth;
      const key = isRepeat ? known : newIdempotencyKey();
      stored.change(() => ({
        ...before,
        paymentOperation: 'card',
        paymentAmount,
        usd: quote.priceUsdCents.toString(),
        usdPerAth,
        key,
        ...(isRepeat && paymentId !== undefined && { paymentId }),
      }));
      return { key, isRepeat };
    },
    noteBegun: (paymentId) => stored.change((order) => ({ ...order, paymentId })),
    noteCharging: () => stored.change((order) => ({ ...order, isCharging: true })),
    noteNotCharged: () => stored.change(({ isCharging: _isCharging, ...rest }) => rest),
    noteConfirmed: () => stored.change(({ key: _key, isCharging: _isCharging, ...rest }) => rest),
    renew: () =>
      stored.change(
        ({ key: _key, paymentId: _paymentId, isCharging: _isCharging, ...rest }) => rest,
      ),
    clear: () => stored.change(() => EMPTY_ORDER),
  };
}

const orders = storesByName<ReturnType<typeof openOrder>>();

/** The order of one account. */
export const orderOf = (userUuid: string): OrderStore => orders.of(userUuid, openOrder);

export const closeOrders = orders.closeAll;
