import { Kysely, PostgresDialect, type ColumnType, type Generated, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from './log.ts';

/**
 * Our own connections read bigint as bigint. Not set for all of pg: the job queue counts on text, since it writes rows
 * that it read back as JSON.
 */
const bigintTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? BigInt
      : pg.types.getTypeParser(oid, format as 'text'),
};

type WithDefault<T> = ColumnType<T, T | undefined, T>;

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

interface SignInFailures {
  subject: Buffer;
  failure_count: number;
  counted_since: Date;
  last_failed_at: Date;
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

interface PaymentOrders {
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

interface PaymentRequests {
  user_id: bigint;
  key: string;
  body_hash: Buffer;
  order_id: string;
  created_at: Date;
}

interface PaymentQuotas {
  user_id: bigint;
  minute_began_at: Date;
  minute_post_count: number;
  hour_began_at: Date;
  hour_post_count: number;
}

interface PaymentDeclines {
  charge_id: string;
  order_id: string;
  user_id: bigint;
  declined_at: Date;
}

interface PaymentEvents {
  id: string;
  type: string;
  intent_id: string | null;
  charge_id: string | null;
  created_at: Date;
  received_at: Date;
  processed_at: Date | null;
}

/** Every table but the ledger's, which only the ledger touches. */
export interface Tables {
  users: Users;
  sign_ups: SignUps;
  link_codes: LinkCodes;
  sessions: Sessions;
  known_devices: KnownDevices;
  sign_in_failures: SignInFailures;
  exchange_rates: ExchangeRates;
  tiers: Tiers;
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
  payment_orders: PaymentOrders;
  payment_requests: PaymentRequests;
  payment_quotas: PaymentQuotas;
  payment_declines: PaymentDeclines;
  payment_events: PaymentEvents;
}

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/**
 * Limits of every connection (design of the ledger, section 5). A request that meets one fails with a retryable error
 * instead of holding its connection.
 */
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 3_000;
const LOCK_TIMEOUT_MS = 1_500;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 4_000;

/** At most 10 connections a process: PostgreSQL serves few busy connections better than many. */
const POOL_SIZE = 10;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const NAMED_STATEMENT = /^\s*\/\* prepared: (\w+) \*\//;

/**
 * Has a statement that begins with `/* prepared: its_name *\/` planned once for each connection instead of at each
 * execution, which for a join of five tables costs PostgreSQL more than the join. Only for texts that are always the same;
 * two texts of one name are refused by pg.
 */
function prepareNamedStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...parts: unknown[]) => unknown;
  Object.assign(client, {
    query(text: unknown, ...rest: unknown[]): unknown {
      const name = typeof text === 'string' ? NAMED_STATEMENT.exec(text)?.[1] : undefined;
      if (name === undefined) return query(text, ...rest);
      const [values] = rest;
      return query({ name, text, values });
    },
  });
}

/** Opens lazily: no connection is made before the first query. */
export function openDatabase(databaseUrl: string, log: Log): Database {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // For what it does at a query_timeout: it ends the connection. Without it the pool would hand out one that still waits.
    pipeline: true,
    keepAlive: true,
    application_name: 'athos-api',
    // What is acknowledged is durable, whatever the server's default: card credits are posted on these connections.
    options: '-c synchronous_commit=on',
    types: bigintTypes,
  });
  // Without a listener a connection that the server ends would end this process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  // The same for one in use, which the pool does not listen to: whoever uses it learns by its own query.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', prepareNamedStatements);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** SQLSTATEs after which the same work may be tried again (ledger design, section 5); class 08 is "connection". */
const RETRYABLE_SQLSTATES = new Set([
  '40001',
  '40P01',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '25006',
  '25P03',
  '53300',
]);
const CONNECTION_CODES = /^(08|E[A-Z]+$)/;

/** Whether an error came from the way to the database, or from its load, rather than from what was asked. */
export function isRetryableDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code !== undefined) return RETRYABLE_SQLSTATES.has(code) || CONNECTION_CODES.test(code);
  return /timeout|Connection terminated|not queryable/i.test(error.message);
}
