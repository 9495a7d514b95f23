import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';

/** The sale that a transfer paid for: a cart line or a tip. Key and line are those of the transfer. */
export interface SaleRow {
  readonly key: string;
  readonly line: number;
  readonly item_count: number;
  readonly kind: number;
  readonly title: string;
  readonly img: string;
  readonly note: string;
}

/** Presents a tip as one item of an offer of kind 3, and as line 0 of its key. */
export async function selectSales(
  db: Db,
  userId: bigint,
  keys: readonly string[],
): Promise<SaleRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<SaleRow>`
    select purchases.key, lines.line, lines.item_count, lines.kind, lines.title, lines.img, lines.note
      from purchases join purchase_lines lines on lines.purchase_id = purchases.id
     where purchases.user_id = ${userId} and purchases.key = any(${keys}::uuid[])
    union all
    select key, 0, 1, 3, offer_title, offer_img, offer_note
      from tips
     where user_id = ${userId} and key = any(${keys}::uuid[])`.execute(db);
  return rows;
}

/** The titles of a user's purchases and of the tips that the user gave, the newest `limit` of each. */
export async function selectTitles(
  db: Db,
  userId: bigint,
  limit: number,
): Promise<Pick<SaleRow, 'key' | 'line' | 'title'>[]> {
  const { rows } = await sql<Pick<SaleRow, 'key' | 'line' | 'title'>>`
    (select purchases.key, lines.line, lines.title
       from purchases join purchase_lines lines on lines.purchase_id = purchases.id
      where purchases.user_id = ${userId} order by purchases.id desc limit ${limit})
    union all
    (select key, 0, offer_title from tips where user_id = ${userId} order by id desc limit ${limit})`.execute(
    db,
  );
  return rows;
}

/** The name and note that a giver wrote with a tip. */
export interface TipWords {
  readonly giverId: bigint;
  readonly key: string;
  readonly tipFrom: string;
  readonly note: string;
}

/** The words of the tips that the user received. */
export async function selectTipWords(
  db: Db,
  beneficiaryId: bigint,
  tips: readonly { readonly giverId: bigint; readonly key: string }[],
): Promise<TipWords[]> {
  if (tips.length === 0) return [];
  const { rows } = await sql<TipWords>`
    select tips.user_id as "giverId", tips.key, tips.tip_from as "tipFrom", tips.note
      from unnest(${tips.map(({ giverId }) => giverId)}::bigint[], ${tips.map(({ key }) => key)}::uuid[])
           wanted (giver_id, key)
      join tips on tips.user_id = wanted.giver_id and tips.key = wanted.key
     where tips.beneficiary_user_id = ${beneficiaryId}`.execute(db);
  return rows;
}

/** The ids of purchases by `<buyer> <key>`. */
export async function selectPurchaseIds(
  db: Db,
  sales: readonly { readonly userId: bigint; readonly key: string }[],
): Promise<ReadonlyMap<string, bigint>> {
  if (sales.length === 0) return new Map();
  const { rows } = await sql<{ id: bigint; user_id: bigint; key: string }>`
    select purchases.id, purchases.user_id, purchases.key
      from unnest(${sales.map(({ userId }) => userId)}::bigint[], ${sales.map(({ key }) => key)}::uuid[])
           wanted (user_id, key)
      join purchases on purchases.user_id = wanted.user_id and purchases.key = wanted.key`.execute(
    db,
  );
  return new Map(rows.map(({ id, user_id: userId, key }) => [`${userId} ${key}`, id]));
}
