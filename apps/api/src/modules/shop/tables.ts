import type { ColumnType, Generated } from 'kysely';
import type { WithDefault } from '../../platform/database/tables.ts';

interface Tiers {
  id: number;
  title: string;
  amount_micro_ath: bigint;
  color: string;
  note: string;
}

interface TierLadder {
  is_only: WithDefault<boolean>;
  version: WithDefault<number>;
  counted_at: WithDefault<Date | null>;
}

interface TierHistogram {
  from_micro_ath: bigint;
  holder_count: bigint;
}

interface Categories {
  id: number;
  parent_id: number | null;
  title: string;
  description: string;
  banner_url: string;
  position: number;
  display_type: 'row' | 'grid' | 'featured' | 'list';
  picture_id: WithDefault<string | null>;
  version: WithDefault<number>;
  archived_at: WithDefault<Date | null>;
}

interface Offers {
  id: number;
  category_id: number;
  title: string;
  note: string;
  img: string;
  price_ath_hundredths: number;
  kind: 0 | 1 | 2 | 3;
  display_type: 'standard' | 'wide' | 'banner';
  position: number;
  active: WithDefault<boolean>;
  picture_id: WithDefault<string | null>;
  stock_left: WithDefault<number | null>;
  sale_starts_at: WithDefault<Date | null>;
  sale_ends_at: WithDefault<Date | null>;
  user_count_max: WithDefault<number | null>;
  tier_id_min: WithDefault<number | null>;
  beneficiary_user_id: WithDefault<bigint | null>;
  version: WithDefault<number>;
  is_draft: WithDefault<boolean>;
  stock_alert_max: WithDefault<number | null>;
  merchant_id: WithDefault<number | null>;
}

interface OfferDrafts {
  offer_id: number;
  fields: ColumnType<unknown, string, string>;
  saved_by: string;
  saved_at: Date;
}

interface OfferPrices {
  offer_id: number;
  starts_at: Date;
  ends_at: Date;
  price_ath_hundredths: number;
}

interface StockMoves {
  id: Generated<bigint>;
  offer_id: number;
  kind: 'count' | 'correction' | 'refund' | 'unlimited';
  before: number | null;
  after: number | null;
  staff_id: string;
  reason: string;
  at: Date;
}

interface Pictures {
  id: string;
  width: number;
  height: number;
  formats: ('webp' | 'avif')[];
  uploaded_at: WithDefault<Date>;
  alternative_text: WithDefault<string>;
  crop_x: WithDefault<number>;
  crop_y: WithDefault<number>;
  named_at: WithDefault<Date | null>;
  version: WithDefault<number>;
}

interface Purchases {
  id: Generated<bigint>;
  user_id: bigint;
  key: string;
  total_ath_hundredths: bigint;
  created_at: Date;
}

interface PurchaseLines {
  purchase_id: bigint;
  line: number;
  offer_id: number;
  item_count: number;
  price_ath_hundredths: number;
  title: string;
  note: string;
  img: string;
  kind: 0 | 1 | 2;
  merchant_id: WithDefault<number | null>;
}

interface PurchaseItems {
  id: Generated<bigint>;
  purchase_id: bigint;
  line: number;
  redeemed_at: Date | null;
  voided_at: WithDefault<Date | null>;
  redemption_id: bigint | null;
}

interface Tips {
  id: Generated<bigint>;
  user_id: bigint;
  key: string;
  offer_id: number;
  amount_ath_hundredths: bigint;
  tip_from: string;
  note: string;
  offer_title: string;
  offer_note: string;
  offer_img: string;
  beneficiary_user_id: bigint | null;
  created_at: Date;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    tiers: Tiers;
    tier_ladder: TierLadder;
    tier_histogram: TierHistogram;
    categories: Categories;
    offers: Offers;
    offer_drafts: OfferDrafts;
    offer_prices: OfferPrices;
    stock_moves: StockMoves;
    pictures: Pictures;
    purchases: Purchases;
    purchase_lines: PurchaseLines;
    purchase_items: PurchaseItems;
    tips: Tips;
  }
}
