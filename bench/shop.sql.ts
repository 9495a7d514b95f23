/** A shop of a given size: categories full of offers, staff at a venue, and purchases waiting to be redeemed. */
import pg from 'pg';
import { merchantAccountId } from '../apps/api/src/ledger/index.ts';
import type { Visit } from './load-plan.ts';

export interface ShopSize {
  readonly categoryCount: number;
  readonly offersPerCategory: number;
  /** These users become staff of one venue. */
  readonly staffUserIds: readonly bigint[];
  /** These users hold the purchases, in turn. */
  readonly holderUserIds: readonly bigint[];
  readonly purchaseCount: number;
  /** Further purchases that were redeemed before. Without them, PostgreSQL would plan for a shop without redemptions. */
  readonly redeemedPurchaseCount: number;
  readonly itemsPerPurchase: number;
}

export interface Shop {
  readonly categoryIds: readonly number[];
  /** Offers of the first category, without limits. */
  readonly offerIds: readonly number[];
  /** Such offers of a merchant with its own account. */
  readonly merchantOfferIds: readonly number[];
  readonly visits: readonly Visit[];
}

const CATEGORIES_SQL = `
  insert into categories (id, parent_id, title, description, banner_url, position, display_type)
  select i, null, 'Category ' || i, 'What is in it', '/art/category.svg', i, 'grid' from generate_series(1, $1::int) i`;

const OFFERS_SQL = `
  insert into offers (id, category_id, title, note, img, price_ath_hundredths, kind, display_type, position)
  select (c - 1) * $2::int + o, c, 'Offer **' || o || '**', 'A note of *some* words about what one gets, and where.',
         '/art/offer.svg', 1, 0, 'standard', o
    from generate_series(1, $1::int) c, generate_series(1, $2::int) o`;

/** One merchant sells the whole second category, so that each of its purchases pays the same account, like those of the shop. */
const MERCHANT_CATEGORY = 2;
const MERCHANT_SQL = `
  with merchant as (insert into merchants (name, created_at) values ('The Kitchen', now()) returning id),
       account as (insert into ledger_accounts (id, asset, code)
                   select ${merchantAccountId(0)} - 8 * id, 'ATH', 'merchant_' || id from merchant)
  update offers set merchant_id = merchant.id from merchant where category_id = ${MERCHANT_CATEGORY} returning offers.id`;

const STAFF_SQL = `
  with venue as (insert into venues (name, address) values ('The Bar', '1 Harbour Road') returning id),
       staff as (update users set role = 'scanner' where id = any($1::bigint[]) returning id)
  insert into venue_staff (venue_id, user_id) select venue.id, staff.id from venue, staff`;

const PURCHASES_SQL = `
  with bought as (
    insert into purchases (user_id, key, total_ath_hundredths, created_at)
    select ($1::bigint[])[1 + i % cardinality($1::bigint[])], uuidv7(), $3::int, now() from generate_series(1, $2::int) i
    returning id, user_id
  ), lines as (
    insert into purchase_lines (purchase_id, line, offer_id, item_count, price_ath_hundredths, title, note, img, kind)
    select id, 0, 1, $3::int, 1, 'Offer **1**', 'A note', '/art/offer.svg', 0 from bought
    returning purchase_id
  ), items as (
    insert into purchase_items (purchase_id, line)
    select purchase_id, 0 from lines, generate_series(1, $3::int)
    returning id, purchase_id
  )
  select users.uuid, array_agg(items.id::int) as item_ids
    from items join bought on bought.id = items.purchase_id join users on users.id = bought.user_id
   group by bought.id, users.uuid`;

/** Redeems every purchase so far, as one member of staff. */
const REDEMPTIONS_SQL = `
  with redemption as (
    insert into redemptions (user_id, key, request_hash, venue_id, answer, created_at)
    select $1::bigint, lpad(to_hex(purchase.id), 32, '0')::uuid, sha256(purchase.id::text::bytea), venue.id, '{}',
           purchase.created_at
      from purchases purchase, venues venue
    returning *
  ), item as (
    update purchase_items item set redeemed_at = redemption.created_at, redemption_id = redemption.id
      from redemption where redemption.key = lpad(to_hex(item.purchase_id), 32, '0')::uuid
  ), claim as (
    insert into code_claims (code_hash, user_id, venue_id, claimed_at)
    select request_hash, user_id, venue_id, created_at from redemption
  )
  insert into scans (user_id, venue_id, at, action, outcome, code_hash)
  select user_id, venue_id, created_at, action, 'ok', request_hash from redemption, (values ('scan'), ('redeem')) by (action)`;

export async function fillShop(databaseUrl: string, size: ShopSize): Promise<Shop> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(CATEGORIES_SQL, [size.categoryCount]);
    await client.query(OFFERS_SQL, [size.categoryCount, size.offersPerCategory]);
    const sold = await client.query<{ id: number }>(MERCHANT_SQL);
    await client.query(STAFF_SQL, [size.staffUserIds.map(String)]);
    const buy = (count: number) =>
      client.query<{ uuid: string; item_ids: number[] }>(PURCHASES_SQL, [
        size.holderUserIds.map(String),
        count,
        size.itemsPerPurchase,
      ]);
    await buy(size.redeemedPurchaseCount);
    await client.query(REDEMPTIONS_SQL, [String(size.staffUserIds[0])]);
    const { rows } = await buy(size.purchaseCount);
    await client.query('vacuum analyze');
    return {
      categoryIds: Array.from({ length: size.categoryCount }, (_, index) => index + 1),
      offerIds: Array.from({ length: size.offersPerCategory }, (_, index) => index + 1),
      merchantOfferIds: sold.rows.map(({ id }) => id),
      visits: rows.map(({ uuid, item_ids: itemIds }) => ({ holderUuid: uuid, itemIds })),
    };
  } finally {
    await client.end();
  }
}
