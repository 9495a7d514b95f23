/** One offer of the marketplace, as the screens use it. */
import type { AnswerOf } from '@athos/contract/api';
import { pictureAddresses } from '@athos/contract/pictures';
import type { AthHundredths } from '@athos/domain/money';
import type { CartOffer } from '../state/cart-item.ts';
import { apiOrigin } from '../state/settings.ts';

type WireOffer = AnswerOf<'offers'>['offers'][number];

export interface Offer extends CartOffer {
  /** Markdown. */
  readonly note: string;
  readonly kind: WireOffer['kind'];
  readonly displayType: WireOffer['display_type'];
}

const timeMs = (text: string | null): number | null => (text === null ? null : Date.parse(text));

export const readOffer = (wire: WireOffer): Offer => ({
  id: wire.id,
  categoryId: wire.category_id,
  title: wire.title,
  note: wire.note,
  image: pictureAddresses(wire.picture, wire.img, apiOrigin()),
  price: wire.amount_cents as AthHundredths,
  kind: wire.kind,
  displayType: wire.display_type,
  sale: {
    isActive: wire.active,
    stockLeft: wire.stock_left,
    saleStartsAtMs: timeMs(wire.sale_starts_at),
    saleEndsAtMs: timeMs(wire.sale_ends_at),
  },
  userCountMax: wire.user_count_max,
  tierIdMin: wire.tier_id_min,
});
