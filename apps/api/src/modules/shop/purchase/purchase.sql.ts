/** Statements on purchases with their lines and items, and on tips. */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';
import { prepared } from '../../../platform/database/prepared.ts';
import type { PictureColumns } from '../../../platform/storage/stored-picture.ts';

/** The purchases made with these keys, by user id. */
export async function selectBought(
  tx: Tx,
  wanted: readonly { userId: bigint; key: string }[],
): Promise<ReadonlyMap<bigint, bigint>> {
  const { rows } = await prepared(
    'select_bought',
    sql<{ id: bigint; user_id: bigint }>`
    select purchases.id, purchases.user_id
      from unnest(${wanted.map(({ userId }) => userId)}::bigint[],
                  ${wanted.map(({ key }) => key)}::uuid[]) wanted (user_id, key)
      join purchases on purchases.user_id = wanted.user_id and purchases.key = wanted.key`,
  ).execute(tx);
  return new Map(rows.map(({ id, user_id }) => [user_id, id]));
}

export interface BoughtCount {
  readonly user_id: bigint;
  readonly offer_id: number;
  readonly item_count: number;
}

/** The number of items of an offer that each user has ever bought; there is no row for zero. */
export async function selectBoughtCounts(
  tx: Tx,
  wanted: readonly { userId: bigint; offerId: number }[],
): Promise<BoughtCount[]> {
  const { rows } = await sql<BoughtCount>`
    select purchases.user_id, lines.offer_id, sum(lines.item_count)::int as item_count
      from unnest(${wanted.map(({ userId }) => userId)}::bigint[],
                  ${wanted.map(({ offerId }) => offerId)}::int[]) wanted (user_id, offer_id)
      join purchases on purchases.user_id = wanted.user_id
      join purchase_lines lines
        on lines.purchase_id = purchases.id and lines.offer_id = wanted.offer_id
     group by purchases.user_id, lines.offer_id`.execute(tx);
  return rows;
}

interface NewPurchase {
  readonly userId: bigint;
  readonly key: string;
  readonly totalAthHundredths: number;
  readonly lines: readonly NewLine[];
}

interface NewLine {
  readonly offerId: number;
  readonly itemCount: number;
  readonly priceAthHundredths: number;
}

/** The data of an offer that is stored with a purchase. */
interface SoldOffer {
  readonly id: number;
  readonly title: string;
  readonly note: string;
  readonly img: string;
  readonly kind: number;
  readonly merchant_id: number | null;
}

export interface ItemRow {
  readonly id: bigint;
  readonly purchase_id: bigint;
  readonly line: number;
  readonly user_id: bigint;
}

/** Inserts purchases of different users with lines and items, in one statement. Returns the items, ordered by id. */
export async function insertPurchases(
  tx: Tx,
  purchases: readonly NewPurchase[],
  sold: readonly SoldOffer[],
  at: Date,
): Promise<ItemRow[]> {
  const lines = purchases.flatMap(({ userId, lines: own }) =>
    own.map((line, index) => ({ userId, index, ...line })),
  );
  const { rows } = await prepared(
    'insert_purchases',
    sql<ItemRow>`
    with sold as (
      select * from unnest(
        ${sold.map(({ id }) => id)}::int[], ${sold.map(({ title }) => title)}::text[],
        ${sold.map(({ note }) => note)}::text[], ${sold.map(({ img }) => img)}::text[],
        ${sold.map(({ kind }) => kind)}::smallint[],
        ${sold.map(({ merchant_id: merchantId }) => merchantId)}::int[])
        sold (offer_id, title, note, img, kind, merchant_id)
    ), bought as (
      insert into purchases (user_id, key, total_ath_hundredths, created_at)
      select bought.user_id, bought.key, bought.total, ${at}::timestamptz
        from unnest(${purchases.map(({ userId }) => userId)}::bigint[],
                    ${purchases.map(({ key }) => key)}::uuid[],
                    ${purchases.map(({ totalAthHundredths }) => totalAthHundredths)}::bigint[])
             bought (user_id, key, total)
      returning id, user_id
    ), lines as (
      insert into purchase_lines
        (purchase_id, line, offer_id, item_count, price_ath_hundredths, title, note, img, kind, merchant_id)
      select bought.id, lines.line, offer_id, lines.item_count, lines.price,
             sold.title, sold.note, sold.img, sold.kind, sold.merchant_id
        from unnest(${lines.map(({ userId }) => userId)}::bigint[],
                    ${lines.map(({ index }) => index)}::smallint[],
                    ${lines.map(({ offerId }) => offerId)}::int[],
                    ${lines.map(({ itemCount }) => itemCount)}::smallint[],
                    ${lines.map(({ priceAthHundredths }) => priceAthHundredths)}::int[])
             lines (user_id, line, offer_id, item_count, price)
        join bought using (user_id) join sold using (offer_id)
      returning purchase_id, line, item_count
    ), items as (
      insert into purchase_items (purchase_id, line)
      select lines.purchase_id, lines.line
        from lines, generate_series(1, lines.item_count)
       order by lines.purchase_id, lines.line
      returning id, purchase_id, line
    )
    select items.id, items.purchase_id, items.line, bought.user_id
      from items join bought on bought.id = items.purchase_id
     order by items.id`,
  ).execute(tx);
  return rows;
}

/** An item, with the time and the venue of its redemption. `active` and the picture are the offer's current ones. */
export interface PurchaseItemRow extends PictureColumns {
  readonly id: bigint;
  readonly purchase_id: bigint;
  readonly line: number;
  readonly purchased_at: Date;
  readonly redeemed_at: Date | null;
  readonly redeemed_venue: string | null;
  readonly offer_id: number;
  readonly title: string;
  readonly note: string;
  readonly img: string;
  readonly kind: number;
  readonly price_ath_hundredths: number;
  /** The merchant who received the price at the purchase; null for the programme's own shop. */
  readonly merchant_id: number | null;
  readonly active: boolean;
}

const itemColumns = sql`
  items.id, items.purchase_id, items.line, purchases.created_at as purchased_at, items.redeemed_at,
  venues.name as redeemed_venue, lines.offer_id, lines.title, lines.note, lines.img, lines.kind,
  lines.price_ath_hundredths, lines.merchant_id, offers.active, offers.picture_id, pictures.width as picture_width,
  pictures.height as picture_height, pictures.formats as picture_formats,
  pictures.alternative_text as picture_alternative_text, pictures.crop_x as picture_crop_x,
  pictures.crop_y as picture_crop_y`;

const itemTables = sql`
  join purchases on purchases.id = items.purchase_id
  join purchase_lines lines on lines.purchase_id = items.purchase_id and lines.line = items.line
  join offers on offers.id = lines.offer_id
  left join pictures on pictures.id = offers.picture_id
  left join redemptions on redemptions.id = items.redemption_id
  left join venues on venues.id = redemptions.venue_id`;

/**
 * Newest purchase first, each in the order of its cart. If there are more than `limit` items, redeemed items are left out first; refunded
 * ones are in the history.
 */
export async function selectItemsOfUser(
  db: Db,
  userId: bigint,
  limit: number,
): Promise<PurchaseItemRow[]> {
  const { rows } = await prepared(
    'select_items_of_user',
    sql<PurchaseItemRow>`
    with items as (
      select items.*
        from purchases join purchase_items items on items.purchase_id = purchases.id
       where purchases.user_id = ${userId} and items.voided_at is null
       order by items.redeemed_at is not null, items.purchase_id desc, items.id
       limit ${limit}
    )
    select ${itemColumns} from items ${itemTables}
     order by items.purchase_id desc, items.id`,
  ).execute(db);
  return rows;
}

export async function selectItemsOfPurchase(
  tx: Tx,
  purchaseId: bigint,
): Promise<PurchaseItemRow[]> {
  const { rows } = await sql<PurchaseItemRow>`
    select ${itemColumns} from purchase_items items ${itemTables}
     where items.purchase_id = ${purchaseId}
     order by items.id`.execute(tx);
  return rows;
}

export interface RedeemableItem {
  readonly id: bigint;
  readonly purchaseId: bigint;
  readonly offerId: number;
}

/** The items of the newest purchases that can still be redeemed, at most `limit`, sorted by purchase and id. */
export async function selectRedeemableItems(
  db: Db,
  userId: bigint,
  limit: number,
): Promise<RedeemableItem[]> {
  const { rows } = await sql<RedeemableItem>`
    select items.id, items.purchase_id as "purchaseId", lines.offer_id as "offerId"
      from purchases
      join purchase_items items on items.purchase_id = purchases.id
      join purchase_lines lines on lines.purchase_id = items.purchase_id and lines.line = items.line
     where purchases.user_id = ${userId} and items.redeemed_at is null and items.voided_at is null
     order by items.purchase_id desc, items.id
     limit ${limit}`.execute(db);
  return rows;
}

export type TipRow = Selectable<Tables['tips']>;

export const selectTip = (tx: Tx, userId: bigint, key: string): Promise<TipRow | undefined> =>
  tx
    .selectFrom('tips')
    .selectAll()
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();

export const insertTip = (tx: Tx, tip: Insertable<Tables['tips']>): Promise<TipRow> =>
  tx.insertInto('tips').values(tip).returningAll().executeTakeFirstOrThrow();
