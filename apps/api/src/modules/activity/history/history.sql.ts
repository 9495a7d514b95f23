import { sql, type Selectable } from 'kysely';
import type { Db, Tables } from '../../../platform/database/database.ts';

type Order = Selectable<Tables['payment_orders']>;
export type PaymentRow = Pick<
  Order,
  | 'state'
  | 'history_id'
  | 'amount_micro_ath'
  | 'total_usd_cents'
  | 'processing_fee_usd_cents'
  | 'product_fee_usd_cents'
  | 'closed_at'
>;

const PAYMENT_COLUMNS = [
  'state',
  'history_id',
  'amount_micro_ath',
  'total_usd_cents',
  'processing_fee_usd_cents',
  'product_fee_usd_cents',
  'closed_at',
] as const;

/** Payments by their place in the history, credited and cancelled ones alike. */
export const selectPayments = (
  db: Db,
  userId: bigint,
  historyIds: readonly bigint[],
): Promise<PaymentRow[]> =>
  db
    .selectFrom('payment_orders')
    .select(PAYMENT_COLUMNS)
    .where('user_id', '=', userId)
    .where('history_id', 'in', historyIds)
    .execute();

interface CanceledRange {
  readonly userId: bigint;
  readonly limit: number;
  readonly beforeId: bigint | undefined;
  readonly afterId: bigint | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** Cancelled payments that had an attempt, newest first. They have no transfer, only a number of the same sequence. */
export const selectCanceledPayments = (
  db: Db,
  { userId, limit, beforeId, afterId, from, to }: CanceledRange,
): Promise<PaymentRow[]> =>
  db
    .selectFrom('payment_orders')
    .select(PAYMENT_COLUMNS)
    .where('user_id', '=', userId)
    .where('state', '=', 'canceled')
    .where('history_id', 'is not', null)
    .$if(beforeId !== undefined, (query) => query.where('history_id', '<', beforeId ?? null))
    .$if(afterId !== undefined, (query) => query.where('history_id', '>', afterId ?? null))
    .$if(from !== undefined, (query) => query.where('closed_at', '>=', from ?? null))
    .$if(to !== undefined, (query) => query.where('closed_at', '<', to ?? null))
    .orderBy('history_id', 'desc')
    .limit(limit)
    .execute();

/** Public addresses of users, closed ones included: the journal keeps them as pseudonyms. */
export async function selectUuids(
  db: Db,
  userIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'uuid'])
    .where('id', 'in', userIds)
    .execute();
  return new Map(rows.map(({ id, uuid }) => [id, uuid]));
}

/** What was paid for: a line of a cart, or a tip, by the key and line of its transfer. */
export interface SaleRow {
  readonly key: string;
  readonly line: number;
  readonly item_count: number;
  readonly kind: number;
  readonly title: string;
  readonly img: string;
  readonly note: string;
}

/** A tip is one of an offer of kind 3 (decisions "API"), and line 0 of its key. */
export async function selectSales(
  db: Db,
  userId: bigint,
  keys: readonly string[],
): Promise<SaleRow[]> {
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

/** What a giver wrote to a tip. */
export interface TipWords {
  readonly giverId: bigint;
  readonly key: string;
  readonly tipFrom: string;
  readonly note: string;
}

/** Of tips that this user received, by who gave them and under which key. */
export async function selectTipWords(
  db: Db,
  beneficiaryId: bigint,
  tips: readonly { readonly giverId: bigint; readonly key: string }[],
): Promise<TipWords[]> {
  const { rows } = await sql<TipWords>`
    select tips.user_id as "giverId", tips.key, tips.tip_from as "tipFrom", tips.note
      from unnest(${tips.map(({ giverId }) => giverId)}::bigint[], ${tips.map(({ key }) => key)}::uuid[])
           wanted (giver_id, key)
      join tips on tips.user_id = wanted.giver_id and tips.key = wanted.key
     where tips.beneficiary_user_id = ${beneficiaryId}`.execute(db);
  return rows;
}
