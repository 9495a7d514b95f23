import type { WithDefault } from '../../platform/database/tables.ts';

interface CardOrders {
  id: string;
  user_id: bigint;
  state: WithDefault<'creating' | 'open' | 'credited' | 'canceled' | 'review'>;
  amount_micro_ath: bigint;
  usd_per_ath: string;
  price_usd_cents: bigint;
  product_fee_usd_cents: bigint;
  processing_fee_usd_cents: bigint;
  total_usd_cents: bigint;
  provider_fee_usd_cents: bigint | null;
  intent_id: string | null;
  provider_status: string | null;
  error_message: string | null;
  was_attempted: WithDefault<boolean>;
  observed_at: Date | null;
  look_claimed_at: Date | null;
  review_reason: string | null;
  difference: string | null;
  history_id: bigint | null;
  created_at: Date;
  expires_at: Date;
  closed_at: Date | null;
}

interface CardQuotes {
  user_id: bigint;
  key: string;
  body_hash: Buffer;
  order_id: string;
  created_at: Date;
}

interface CardDeclines {
  charge_id: string;
  order_id: string;
  user_id: bigint;
  declined_at: Date;
}

interface CardEvents {
  id: string;
  type: string;
  intent_id: string | null;
  charge_id: string | null;
  created_at: Date;
  received_at: Date;
  processed_at: Date | null;
}

interface CardComparisons {
  reach: 'recent' | 'disputable';
  began_at: Date;
  position: Date | null;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    card_orders: CardOrders;
    card_quotes: CardQuotes;
    card_declines: CardDeclines;
    card_events: CardEvents;
    card_comparisons: CardComparisons;
  }
}
