/** Reasons why an offer cannot be added to the cart or tipped. */
import { mainToken } from '@athos/brand/brand';
import { CART_COUNT_MAX, CART_LINES_MAX } from '@athos/domain/cart-limits';
import { formatAthExact, type MicroAth } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { saleDateText } from '@athos/ui/shop/offer-words';
import type { Offer } from '../../api/offer.ts';
import { countInCart, type CartItem } from '../../state/cart-item.ts';
import { offerBlock, type Buyer, type OfferBlock } from '../../state/offer-block.ts';

function blockReason(block: OfferBlock, offer: Offer, inCart: number): string {
  switch (block.kind) {
    case 'inactive':
      return m.marketplace_reason_inactive();
    case 'not_yet':
      return m.marketplace_reason_not_yet({ date: saleDateText(offer.sale.saleStartsAtMs) });
    case 'over':
      return m.marketplace_reason_over();
    case 'sold_out':
      return m.marketplace_reason_sold_out();
    case 'tier':
      return m.marketplace_reason_tier({ title: block.title });
    case 'stock':
      return m.marketplace_reason_stock({ count: block.stockLeft, inCart });
    case 'limit':
      return m.marketplace_reason_limit({ count: block.userCountMax, inCart });
  }
}

/** Why the offer accepts no tip; `undefined` if it does. */
export function tipBlockReason(offer: Offer, buyer: Buyer): string | undefined {
  const block = offerBlock(offer, 1, buyer);
  return block === undefined ? undefined : blockReason(block, offer, 0);
}

/** Why `count` more cannot be added to the cart, regardless of the balance; `undefined` if they can. */
export function addBlockReason(
  offer: Offer,
  count: number,
  items: readonly CartItem[],
  buyer: Buyer,
): string | undefined {
  const inCart = countInCart(items, offer.id);
  const block = offerBlock(offer, inCart + count, buyer);
  if (block !== undefined) return blockReason(block, offer, inCart);
  if (inCart + count > CART_COUNT_MAX) {
    return m.marketplace_reason_count_max({ count: CART_COUNT_MAX, inCart });
  }
  return inCart === 0 && items.length >= CART_LINES_MAX
    ? m.marketplace_reason_lines_max({ count: CART_LINES_MAX })
    : undefined;
}

/** Why the balance does not cover a price; `undefined` if it does (spec 5, in raw micro-units). */
export function balanceReason(price: MicroAth, balance: MicroAth | undefined): string | undefined {
  if (balance === undefined) return m.marketplace_reason_balance_unknown();
  return price > balance
    ? m.marketplace_reason_balance({ balance: formatAthExact(balance), symbol: mainToken.symbol })
    : undefined;
}
