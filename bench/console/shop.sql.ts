/** The shop: each customer's purchase in the journal has two items, and half of the customers redeemed theirs. */
import type pg from 'pg';
import type { ConsoleScale } from '../scale.ts';
import {
  merchantOfOffer,
  MERCHANTS,
  PURCHASE_ATH_HUNDREDTHS,
  purchaseNumber,
  transferKey,
  transferTime,
} from './journal.sql.ts';
import { withoutIndexes } from './load.sql.ts';

const OFFERS = 200;
const CATEGORIES = 20;
const VENUES = 20;

const CATALOGUE_SQL = `
  insert into categories (id, parent_id, title, description, banner_url, position, display_type)
  select n, null, 'Category ' || n, 'What is in it', '/art/category.svg', n, 'grid' from generate_series(1, ${CATEGORIES}) n;
  insert into merchants (name, created_at) select 'Merchant ' || n, now() from generate_series(1, ${MERCHANTS}) n;
  insert into offers (id, category_id, title, note, img, price_ath_hundredths, kind, display_type, position, merchant_id)
  select n, 1 + n % ${CATEGORIES}, 'Offer ' || n, 'A note', '/art/offer.svg', ${PURCHASE_ATH_HUNDREDTHS / 2}, 0, 'standard', n,
         ${merchantOfOffer('n')}
    from generate_series(1, ${OFFERS}) n;
  insert into venues (name, address) select 'Venue ' || n, n || ' Harbour Road' from generate_series(1, ${VENUES}) n;
  insert into tiers (id, title, amount_micro_ath, color, note)
  select n, 'Tier ' || n, n * 100000000, '#aabbcc', 'A note' from generate_series(1, 4) n`;

const purchasesSql = (scale: ConsoleScale): string => `
  insert into purchases (id, user_id, key, total_ath_hundredths, created_at) overriding system value
  select n + 1, n + 1, ${transferKey('number', scale)}, ${PURCHASE_ATH_HUNDREDTHS}, ${transferTime('number', scale)}
    from generate_series(0::bigint, ${scale.customers - 1}) n, lateral (select ${purchaseNumber('n', scale)} as number) bought`;

const LINES_SQL = `
  insert into purchase_lines (purchase_id, line, offer_id, item_count, price_ath_hundredths, title, note, img, kind, merchant_id)
  select id, 0, offer, 2, ${PURCHASE_ATH_HUNDREDTHS / 2}, 'Offer ' || offer, 'A note', '/art/offer.svg', 0, ${merchantOfOffer('offer')}
    from purchases, lateral (select 1 + id % ${OFFERS} as offer) sold`;

const REDEMPTIONS_SQL = `
  insert into redemptions (id, user_id, key, request_hash, venue_id, answer, created_at) overriding system value
  select id, 1, key, sha256(id::text::bytea), 1 + id % ${VENUES}, '{"redeemed_count": 2}', created_at from purchases where id % 2 = 0`;

const ITEMS_SQL = `
  insert into purchase_items (purchase_id, line, redeemed_at, redemption_id)
  select id, 0, case when id % 2 = 0 then created_at end, case when id % 2 = 0 then id end from purchases, generate_series(1, 2)`;

const SCANS_SQL = `
  insert into scans (user_id, venue_id, at, action, outcome, code_hash, holder_user_id, item_count, redeemed_count, titles)
  select user_id, venue_id, created_at, action, 'ok', request_hash, id, 2, case action when 'redeem' then 2 else 0 end, '{Offer}'
    from redemptions, (values ('scan'), ('redeem')) by (action)`;

const OTHERS_SQL = [
  `insert into code_claims (code_hash, user_id, venue_id, claimed_at)
   select request_hash, user_id, venue_id, created_at from redemptions`,
  `insert into tips (user_id, key, offer_id, amount_ath_hundredths, tip_from, note, offer_title, offer_note, offer_img, beneficiary_user_id,
     created_at)
   select user_id, key, 1, 100, '', '', 'Tip', '', '', 1 + user_id % 100, created_at from purchases where id % 20 = 0`,
];

export async function fillShop(client: pg.Client, scale: ConsoleScale): Promise<void> {
  await client.query(CATALOGUE_SQL);
  await withoutIndexes(client, 'purchases', purchasesSql(scale));
  await withoutIndexes(client, 'purchase_lines', LINES_SQL);
  await withoutIndexes(client, 'redemptions', REDEMPTIONS_SQL);
  await withoutIndexes(client, 'purchase_items', ITEMS_SQL);
  await withoutIndexes(client, 'scans', SCANS_SQL);
  for (const statement of OTHERS_SQL) await client.query(statement);
  for (const table of ['purchases', 'redemptions']) {
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), ${scale.customers})`,
    );
  }
}
