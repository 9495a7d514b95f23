/** The texts for an offer: its kind, sale and limits, and why it cannot be added to the cart. */
import { mainToken } from '@athos/brand/brand';
import { CART_COUNT_MAX, CART_LINES_MAX } from '@athos/domain/cart-limits';
import { formatAthExact, type MicroAth } from '@athos/domain/money';
import { offerAvailability } from '@athos/domain/offer-availability';
import { m } from '@athos/messages/messages';
import { OFFER_KIND, type Offer } from '../../api/offer.ts';
import { countInCart, type CartItem } from '../../state/cart-item.ts';
import { offerBlock, type Buyer, type OfferBlock } from '../../state/offer-block.ts';

/** Stock up to this number is mentioned. */
const FEW_LEFT_MAX = 5;

let saleDate: Intl.DateTimeFormat | undefined;

/** The formatter is created on first use, because that takes a phone about 50 ms and few offers show a date. */
function dateText(ms: number | null): string {
  if (ms === null) return '';
  saleDate ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  return saleDate.format(ms);
}

export const isTip = (offer: Offer): boolean => offer.kind === OFFER_KIND.tip;

export function kindLabel({ kind }: Offer): string {
  switch (kind) {
    case OFFER_KIND.product:
      return m.marketplace_kind_product();
    case OFFER_KIND.event:
      return m.marketplace_kind_event();
    case OFFER_KIND.discount:
      return m.marketplace_kind_discount();
    case OFFER_KIND.tip:
      return m.marketplace_kind_tip();
  }
}

/** The badge on the picture of an offer that is not simply on sale. */
export function saleBadge({ sale }: Offer, nowMs: number): string | undefined {
  switch (offerAvailability(sale, nowMs)) {
    case 'inactive':
      return m.marketplace_inactive();
    case 'not_yet':
      return m.marketplace_not_yet();
    case 'over':
      return m.marketplace_over();
    case 'sold_out':
      return m.marketplace_sold_out();
    case 'on_sale':
      return sale.stockLeft !== null && sale.stockLeft <= FEW_LEFT_MAX
        ? m.marketplace_few_left({ count: sale.stockLeft })
        : undefined;
  }
}

/** Short facts for the offer's page: its kind, when it is sold, and to whom. */
export function offerFacts(offer: Offer, { nowMs, tiers }: Buyer): readonly string[] {
  const { saleStartsAtMs, saleEndsAtMs } = offer.sale;
  const tier = tiers.find(({ id }) => id === offer.tierIdMin);
  return [
    // A tip's form already says that it is one.
    !isTip(offer) && kindLabel(offer),
    saleStartsAtMs !== null &&
      nowMs < saleStartsAtMs &&
      m.marketplace_sale_starts({ date: dateText(saleStartsAtMs) }),
    saleEndsAtMs !== null &&
      nowMs < saleEndsAtMs &&
      m.marketplace_sale_ends({ date: dateText(saleEndsAtMs) }),
    offer.userCountMax !== null && m.marketplace_limit({ count: offer.userCountMax }),
    offer.tierIdMin !== null &&
      (tier === undefined
        ? m.marketplace_tier_min_unknown()
        : m.marketplace_tier_min({ title: tier.title })),
  ].filter((fact) => typeof fact === 'string');
}

function blockReason(block: OfferBlock, offer: Offer, inCart: number): string {
  switch (block.kind) {
    case 'inactive':
      return m.marketplace_reason_inactive();
    case 'not_yet':
      return m.marketplace_reason_not_yet({ date: dateText(offer.sale.saleStartsAtMs) });
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

/** Why `count` more cannot be added to the cart, whatever the balance is; `undefined` if they can. */
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

/** Why the balance does not allow a price; `undefined` if it does (spec 5, in raw micro-units). */
export function balanceReason(price: MicroAth, balance: MicroAth | undefined): string | undefined {
  if (balance === undefined) return m.marketplace_reason_balance_unknown();
  return price > balance
    ? m.marketplace_reason_balance({ balance: formatAthExact(balance), symbol: mainToken.symbol })
    : undefined;
}
