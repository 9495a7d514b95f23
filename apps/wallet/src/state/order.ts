/**
 * What is being bought (spec 3 "pending payment"), kept on this device for the account that buys. Its idempotency key is
 * made when the preview is confirmed first and changed only by success, by the end of the order, or by another amount or
 * rate (decisions "API"): a repeat, also after a reload, is the same purchase and never a second charge. Beginning one
 * charges nothing, and the server ends what was begun before it; while nobody knows whether a card was charged, its payment
 * is looked at before another is begun.
 */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { localStore } from '@athos/app-core/storage';
import { exactAthText, parseAth, parseRate, rateText } from '@athos/domain/money';
import type { MicroAth, Rate } from '@athos/domain/money';
import { priceOfTokens, type PurchasePrice } from '@athos/domain/purchase-price';
import { createValue, type Value } from '@athos/app-core/value';

/** An amount with what it costs at one rate. The preview keeps the rate at which it was opened. */
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
  /** The server's name of it, from its first answer on. */
  readonly paymentId?: string;
  /** Its card was sent to the provider, and nobody knows what came of it. */
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

/** What the order was previewed at; `undefined` while there is none. */
export function quoteOfOrder({ paymentAmount, usdPerAth }: Order): Quote | undefined {
  const amount = parseAth(paymentAmount);
  const rate = parseRate(usdPerAth);
  return amount === undefined || rate === undefined ? undefined : quoteOf(amount, rate);
}

function parseOrder(text: string | null): Order {
  if (text === null) return EMPTY_ORDER;
  try {
    const stored = JSON.parse(text) as Partial<Record<keyof Order, unknown>>;
    const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
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
  } catch {
    return EMPTY_ORDER;
  }
}

export interface OrderStore extends Pick<Value<Order>, 'get' | 'subscribe'> {
  /** The user confirmed a preview: gives the key of this purchase. A repeat has the key of a purchase begun before. */
  confirm: (quote: Quote) => { readonly key: string; readonly isRepeat: boolean };
  /** The server answered with its payment. */
  noteBegun: (paymentId: string) => void;
  /** The card goes to the provider now. */
  noteCharging: () => void;
  /** The card that went to the provider was not charged. */
  noteNotCharged: () => void;
  /** The card was charged, or is being charged, and the user saw it: the next purchase is another one, however alike. */
  noteConfirmed: () => void;
  /** The payment of this key can be paid no more, and was not paid. */
  renew: () => void;
  /** It was credited. */
  clear: () => void;
}

function openOrder(userUuid: string): OrderStore & { close: () => void } {
  const storageKey = orderKey(userUuid);
  const read = (): Order => parseOrder(localStore.read(storageKey));
  const value = createValue(read());

  function keep(order: Order): void {
    value.set(order);
    localStore.write(storageKey, JSON.stringify(order));
  }

  // What another tab began or settled; `null` is what a cleared storage says.
  const handleStorage = (event: StorageEvent): void => {
    if (event.key === storageKey || event.key === null) value.set(read());
  };
  addEventListener('storage', handleStorage);

  return {
    close: () => removeEventListener('storage', handleStorage),
    get: value.get,
    subscribe: value.subscribe,
    confirm(quote) {
      // As stored: the news of another tab may still be on their way.
      const { key: known, paymentId, isCharging: _isCharging, ...before } = read();
      const paymentAmount = exactAthText(quote.amountMicroAth);
      const usdPerAth = rateText(quote.usdPerAth);
      const isRepeat =
        known !== undefined &&
        before.paymentAmount === paymentAmount &&
        before.usdPerAth === usdPerAth;
      const key = isRepeat ? known : newIdempotencyKey();
      keep({
        ...before,
        paymentOperation: 'card',
        paymentAmount,
        usd: quote.priceUsdCents.toString(),
        usdPerAth,
        key,
        ...(isRepeat && paymentId !== undefined && { paymentId }),
      });
      return { key, isRepeat };
    },
    noteBegun: (paymentId) => keep({ ...value.get(), paymentId }),
    noteCharging: () => keep({ ...value.get(), isCharging: true }),
    noteNotCharged() {
      const { isCharging: _isCharging, ...rest } = value.get();
      keep(rest);
    },
    noteConfirmed() {
      const { key: _key, isCharging: _isCharging, ...rest } = value.get();
      keep(rest);
    },
    renew() {
      const { key: _key, paymentId: _paymentId, isCharging: _isCharging, ...rest } = value.get();
      keep(rest);
    },
    clear() {
      value.set(EMPTY_ORDER);
      localStore.remove(storageKey);
    },
  };
}

let open: { userUuid: string; store: ReturnType<typeof openOrder> } | undefined;

/** The order of one account. */
export function orderOf(userUuid: string): OrderStore {
  if (open?.userUuid !== userUuid) {
    open?.store.close();
    open = { userUuid, store: openOrder(userUuid) };
  }
  return open.store;
}

/** Lets the next reader read the stored order, as a reload does. */
export function closeOrder(): void {
  open?.store.close();
  open = undefined;
}
