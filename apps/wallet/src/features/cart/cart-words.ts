/** The texts for a line that cannot be bought, the whole cart, and a failed purchase. */
import { mainToken } from '@athos/brand/brand';
import type { Outcome } from '@athos/client/outcome';
import {
  formatAthExact,
  formatAthRoundedUp,
  MICRO_PER_TOKEN,
  type MicroAth,
} from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { cartTotal, type CartItem } from '../../state/cart-item.ts';
import { offerBlock, type Buyer } from '../../state/offer-block.ts';

const { symbol } = mainToken;

/** Spec 9: above these amounts of ATH the price is shown in smaller type. Largest first. */
const PRICE_SIZES = [
  { aboveAth: 9_999_999n, className: 'text-price-13' },
  { aboveAth: 999_999n, className: 'text-price-15' },
  { aboveAth: 99_999n, className: 'text-price-16' },
] as const;

/** The font size of a price in the cart: 17 px, or smaller for long prices. */
export const priceSizeClass = (amount: MicroAth): string =>
  PRICE_SIZES.find(({ aboveAth }) => amount > aboveAth * MICRO_PER_TOKEN)?.className ??
  'text-price-17';

export const amountText = (amount: MicroAth): string =>
  m.cart_amount({ amount: formatAthRoundedUp(amount), symbol });

/** Why a line cannot be bought in its current state, and what to do; `undefined` if it can. */
export function lineProblem({ offer, count }: CartItem, buyer: Buyer): string | undefined {
  const block = offerBlock(offer, count, buyer);
  switch (block?.kind) {
    case undefined:
      return undefined;
    case 'inactive':
      return m.cart_gone();
    case 'not_yet':
      return m.cart_not_yet();
    case 'over':
      return m.cart_over();
    case 'sold_out':
      return m.cart_sold_out();
    case 'tier':
      return m.cart_tier({ title: block.title });
    case 'stock':
      return m.cart_stock({ count: block.stockLeft });
    case 'limit':
      return m.cart_limit({ count: block.userCountMax });
  }
}

/** Whether any line cannot be bought, regardless of the balance. */
export const hasProblem = (items: readonly CartItem[], buyer: Buyer): boolean =>
  items.some((item) => lineProblem(item, buyer) !== undefined);

/** Why the cart cannot be bought; `undefined` if it can (spec 5, in raw micro-units). */
export function buyReason(items: readonly CartItem[], buyer: Buyer): string | undefined {
  if (hasProblem(items, buyer)) return m.cart_reason_unavailable();
  const { balance } = buyer;
  if (balance === undefined) return m.cart_reason_balance_unknown();
  return cartTotal(items) > balance
    ? m.cart_reason_balance({ balance: formatAthExact(balance), symbol })
    : undefined;
}

/** The reason for a failed purchase, for its toast (S4-029). */
export function failureText(outcome: Exclude<Outcome<unknown>, { status: 'done' }>): string {
  if (outcome.status !== 'refused') return m.cart_failed_unconfirmed();
  switch (outcome.code) {
    case 'price_changed':
      return m.cart_failed_price_changed();
    case 'sold_out':
      return m.cart_failed_sold_out();
    case 'offer_unavailable':
      return m.cart_failed_unavailable();
    case 'offer_limit_reached':
      return m.cart_failed_limit();
    case 'tier_too_low':
      return m.cart_failed_tier();
    case 'insufficient_balance':
      return m.cart_failed_balance({ symbol });
    case 'terms_not_accepted':
      return m.errors_terms();
    case 'confirmation_required':
      return m.security_confirm_declined();
    case 'stopped':
      return m.cart_failed_stopped({ notice: outcome.problem?.detail ?? '' });
    case 'account_restricted':
      return m.cart_failed_restricted();
    case undefined:
    default:
      return m.cart_failed_nothing();
  }
}
