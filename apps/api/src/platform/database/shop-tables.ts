/** Rows of catalogue, purchases, redemption and rewards. */
import type { ColumnType, Generated } from 'kysely';

export type WithDefault<T> = ColumnType<T, T | undefined, T>;

interface Categories {
  id: number;
  parent_id: number | null;
  title: string;
  description: string;
  banner_url: string;
  position: number;
  display_type: 'row' | 'grid' | 'featured' | 'list';
  picture_id: WithDefault<string | null>;
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
}

interface Pictures {
  id: string;
  width: number;
  height: number;
  formats: ('webp' | 'avif')[];
  created_at: WithDefault<Date>;
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
}

interface PurchaseItems {
  id: Generated<bigint>;
  purchase_id: bigint;
  line: number;
  redeemed_at: Date | null;
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

interface Venues {
  id: Generated<number>;
  name: string;
  address: string;
  created_at: WithDefault<Date>;
}

interface VenueStaff {
  venue_id: number;
  user_id: bigint;
  bound_at: WithDefault<Date>;
  revoked_at: Date | null;
}

interface OfferVenues {
  offer_id: number;
  venue_id: number;
}

interface CodeClaims {
  code_hash: Buffer;
  user_id: bigint;
  venue_id: number;
  claimed_at: Date;
}

interface Redemptions {
  id: Generated<bigint>;
  user_id: bigint;
  key: string;
  request_hash: Buffer;
  venue_id: number;
  answer: unknown;
  created_at: Date;
}

interface Scans {
  id: Generated<bigint>;
  user_id: bigint;
  venue_id: number | null;
  at: Date;
  action: 'scan' | 'redeem';
  outcome: string;
  code_hash: Buffer | null;
  holder_user_id: bigint | null;
  item_count: WithDefault<number>;
  redeemed_count: WithDefault<number>;
  titles: WithDefault<string[]>;
}

interface RewardCampaigns {
  id: Generated<number>;
  key: string;
  title: string;
  amount_micro_ath: bigint;
  starts_at: Date;
  ends_at: Date;
  claim_count_max: number | null;
  user_claim_count_max: number | null;
  claim_count: WithDefault<number>;
  created_at: Date;
}

interface RewardCodes {
  code_hash: Buffer;
  campaign_id: number;
  claim_count_max: number;
  claim_count: WithDefault<number>;
}

interface RewardClaims {
  id: string;
  user_id: bigint;
  key: string;
  code_hash: Buffer;
  campaign_id: number;
  amount_micro_ath: bigint;
  claimed_at: Date;
}

export interface ShopTables {
  categories: Categories;
  offers: Offers;
  pictures: Pictures;
  purchases: Purchases;
  purchase_lines: PurchaseLines;
  purchase_items: PurchaseItems;
  tips: Tips;
  venues: Venues;
  venue_staff: VenueStaff;
  offer_venues: OfferVenues;
  code_claims: CodeClaims;
  redemptions: Redemptions;
  scans: Scans;
  reward_campaigns: RewardCampaigns;
  reward_codes: RewardCodes;
  reward_claims: RewardClaims;
}
