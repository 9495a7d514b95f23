/** What the query builder knows of every row. `migrations/` makes the tables; `schema.sql` shows what became of them. */
import type { Generated } from 'kysely';
import type { ShopTables, WithDefault } from './shop-tables.ts';

interface Users {
  id: Generated<bigint>;
  uuid: WithDefault<string>;
  email: string | null;
  password_hash: string | null;
  role: WithDefault<'user' | 'scanner' | 'operator'>;
  terms_version: string | null;
  terms_accepted_at: Date | null;
  created_at: WithDefault<Date>;
  closed_at: Date | null;
}

interface SignUps {
  id: Generated<bigint>;
  email: string;
  password_hash: string;
  terms_version: string | null;
  terms_accepted_at: Date | null;
  created_at: WithDefault<Date>;
  mailed_at: Date | null;
}

interface LinkCodes {
  code_hash: Buffer;
  purpose: 'verify' | 'reset';
  sign_up_id: bigint | null;
  user_id: bigint | null;
  expires_at: Date;
}

interface Sessions {
  id: WithDefault<string>;
  user_id: bigint;
  created_at: WithDefault<Date>;
  refreshed_at: WithDefault<Date>;
  expires_at: Date;
  revoked_at: Date | null;
}

interface KnownDevices {
  user_id: bigint;
  device_hash: Buffer;
  first_seen_at: WithDefault<Date>;
}

interface PasswordChanges {
  user_id: bigint;
  key: string;
  request_hash: string;
  changed_at: Date;
}

interface AccountClosures {
  user_id: bigint;
  key: string;
  closed_at: Date;
  mail_to: string | null;
  erased_at: Date | null;
}

interface AttemptCounters {
  subject: Buffer;
  attempt_count: number;
  last_attempt_at: Date;
  window_ends_at: Date;
}

interface ExchangeRates {
  id: Generated<bigint>;
  usd_per_ath: string;
  in_force_from: WithDefault<Date>;
  confirmed_at: WithDefault<Date>;
}

interface Tiers {
  id: number;
  title: string;
  amount_micro_ath: bigint;
  color: string;
  note: string;
}

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

/** Every table but the ledger's, which only the ledger touches. */
export interface Tables extends ShopTables {
  users: Users;
  sign_ups: SignUps;
  link_codes: LinkCodes;
  sessions: Sessions;
  known_devices: KnownDevices;
  password_changes: PasswordChanges;
  account_closures: AccountClosures;
  attempt_counters: AttemptCounters;
  exchange_rates: ExchangeRates;
  tiers: Tiers;
  card_orders: CardOrders;
  card_quotes: CardQuotes;
  card_declines: CardDeclines;
  card_events: CardEvents;
}
