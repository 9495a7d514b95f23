/** The texts of an offer: its kind, its sale and its limits. */
import type { AthHundredths } from '@athos/domain/money';
import { offerAvailability, type OfferSale } from '@athos/domain/offer-availability';
import { m } from '@athos/messages/messages';

/** Spec 1: the kinds of offer. */
export const OFFER_KIND = { product: 0, event: 1, discount: 2, tip: 3 } as const;

/** The data of an offer that its card and its page show. */
export interface ShownOffer {
  /** Markdown of one line. */
  readonly title: string;
  /** Markdown. */
  readonly note: string;
  readonly image: {
    readonly sources: readonly { readonly type: string; readonly srcSet: string }[];
    readonly src: string;
    readonly alt?: string;
    readonly position?: string;
  };
  readonly price: AthHundredths;
  readonly kind: (typeof OFFER_KIND)[keyof typeof OFFER_KIND];
  readonly displayType: 'standard' | 'wide' | 'banner';
  readonly sale: OfferSale;
  /** The maximum that one user may ever buy; `null` if there is no limit. */
  readonly userCountMax: number | null;
  /** The lowest tier that may buy it. */
  readonly tierIdMin: number | null;
}

/** Stock up to this number is mentioned. */
const FEW_LEFT_MAX = 5;

let saleDate: Intl.DateTimeFormat | undefined;

/** The formatter is created on first use, because that takes a phone about 50 ms and few offers show a date. */
export function saleDateText(ms: number | null): string {
  if (ms === null) return '';
  saleDate ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  return saleDate.format(ms);
}

export const isTip = ({ kind }: Pick<ShownOffer, 'kind'>): boolean => kind === OFFER_KIND.tip;

export function kindLabel({ kind }: Pick<ShownOffer, 'kind'>): string {
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
export function saleBadge({ sale }: Pick<ShownOffer, 'sale'>, nowMs: number): string | undefined {
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

interface Onlooker {
  readonly nowMs: number;
  readonly tiers: readonly { readonly id: number; readonly title: string }[];
}

/** Short facts for the offer's page: its kind, when it is sold, and to whom. */
export function offerFacts(offer: ShownOffer, { nowMs, tiers }: Onlooker): readonly string[] {
  const { saleStartsAtMs, saleEndsAtMs } = offer.sale;
  const tier = tiers.find(({ id }) => id === offer.tierIdMin);
  return [
    // A tip's form already says that it is one.
    !isTip(offer) && kindLabel(offer),
    saleStartsAtMs !== null &&
      nowMs < saleStartsAtMs &&
      m.marketplace_sale_starts({ date: saleDateText(saleStartsAtMs) }),
    saleEndsAtMs !== null &&
      nowMs < saleEndsAtMs &&
      m.marketplace_sale_ends({ date: saleDateText(saleEndsAtMs) }),
    offer.userCountMax !== null && m.marketplace_limit({ count: offer.userCountMax }),
    offer.tierIdMin !== null &&
      (tier === undefined
        ? m.marketplace_tier_min_unknown()
        : m.marketplace_tier_min({ title: tier.title })),
  ].filter((fact) => typeof fact === 'string');
}
