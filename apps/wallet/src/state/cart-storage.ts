/** The stored cart. Text written by another version of the app, or by a user, must not break this one. */
import { CART_COUNT_MAX, CART_COUNT_MIN, CART_LINES_MAX } from '@athos/domain/cart-limits';
import type { AthHundredths } from '@athos/domain/money';
import type { Cart, CartItem, CartOffer } from './cart-item.ts';

type Fields = Partial<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const isNullOr = (value: unknown, isIt: (value: unknown) => boolean): boolean =>
  value === null || isIt(value);

function isSource(value: unknown): boolean {
  return (
    isFields(value) && typeof value['type'] === 'string' && typeof value['srcSet'] === 'string'
  );
}

function isImage(value: unknown): value is CartOffer['image'] {
  if (!isFields(value) || typeof value['src'] !== 'string') return false;
  const { sources } = value;
  return Array.isArray(sources) && sources.every(isSource);
}

function isSale(value: unknown): value is CartOffer['sale'] {
  return (
    isFields(value) &&
    typeof value['isActive'] === 'boolean' &&
    isNullOr(value['stockLeft'], isCount) &&
    isNullOr(value['saleStartsAtMs'], Number.isFinite) &&
    isNullOr(value['saleEndsAtMs'], Number.isFinite)
  );
}

function isOffer(value: unknown): value is CartOffer {
  return (
    isFields(value) &&
    isCount(value['id']) &&
    isCount(value['categoryId']) &&
    typeof value['title'] === 'string' &&
    isImage(value['image']) &&
    isCount(value['price']) &&
    isSale(value['sale']) &&
    isNullOr(value['userCountMax'], isCount) &&
    isNullOr(value['tierIdMin'], isCount)
  );
}

function readItem(value: unknown): CartItem[] {
  if (!isFields(value)) return [];
  const { offer, count, priceWhenAdded } = value;
  if (!isOffer(offer) || !isCount(count) || !isCount(priceWhenAdded)) return [];
  if (count < CART_COUNT_MIN || count > CART_COUNT_MAX) return [];
  return [{ offer, count, priceWhenAdded: priceWhenAdded as AthHundredths }];
}

function readIntent(value: unknown): Cart['intent'] {
  if (!isFields(value)) return undefined;
  const { key, items: stored, isOpen } = value;
  if (typeof key !== 'string' || !Array.isArray(stored)) return undefined;
  const content = stored.flatMap(readItem);
  // A partial request would be a different request.
  return content.length === stored.length ? { key, content, isAsked: isOpen === true } : undefined;
}

/** Uses the format that every version of the app can read. */
export const cartFields = ({ items, intent }: Cart): unknown => ({
  items,
  ...(intent && { intent: { key: intent.key, items: intent.content, isOpen: intent.isAsked } }),
});

/** Keeps the readable lines, one per offer. Returns `undefined` if this is not a cart. */
export function parseCart(stored: unknown): Cart | undefined {
  if (!isFields(stored) || !Array.isArray(stored['items'])) return undefined;
  const items = stored['items']
    .flatMap(readItem)
    .filter(
      ({ offer }, index, all) => all.findIndex((other) => other.offer.id === offer.id) === index,
    )
    .slice(0, CART_LINES_MAX);
  const intent = readIntent(stored['intent']);
  return { items, ...(intent !== undefined && { intent }) };
}
