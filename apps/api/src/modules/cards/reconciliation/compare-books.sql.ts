/** Statements of the comparison with the provider's payments. */
import type { Selectable } from 'kysely';
import type { Db, Tables } from '../../../platform/database/database.ts';
import type { OrderRow } from '../orders/orders.sql.ts';

type ComparisonRow = Selectable<Tables['card_comparisons']>;
export type Reach = ComparisonRow['reach'];

export const selectComparison = (db: Db, reach: Reach): Promise<ComparisonRow | undefined> =>
  db.selectFrom('card_comparisons').selectAll().where('reach', '=', reach).executeTakeFirst();

export async function upsertComparison(db: Db, comparison: ComparisonRow): Promise<void> {
  const { began_at, position } = comparison;
  await db
    .insertInto('card_comparisons')
    .values(comparison)
    .onConflict((conflict) => conflict.column('reach').doUpdateSet({ began_at, position }))
    .execute();
}

export const selectCreditedByIntents = (
  db: Db,
  intentIds: readonly string[],
): Promise<OrderRow[]> =>
  db
    .selectFrom('card_orders')
    .selectAll()
    .where('intent_id', 'in', intentIds)
    .where('state', '=', 'credited')
    .execute();

/** Credited orders created from `from` until before `to` whose intent is not among these, newest first. */
export const selectCreditedBesides = (
  db: Db,
  {
    from,
    to,
    intentIds,
    limit,
  }: { from: Date; to: Date; intentIds: readonly string[]; limit: number },
): Promise<OrderRow[]> =>
  db
    .selectFrom('card_orders')
    .selectAll()
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('state', '=', 'credited')
    .$if(intentIds.length > 0, (query) => query.where('intent_id', 'not in', intentIds))
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();

export async function updateDifference(
  db: Db,
  orderId: string,
  difference: string | null,
): Promise<void> {
  await db.updateTable('card_orders').set({ difference }).where('id', '=', orderId).execute();
}
