/** Stock and its moves. */
import { sql, type Insertable } from 'kysely';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

export async function insertMove(tx: Tx, move: Insertable<Tables['stock_moves']>): Promise<void> {
  await tx.insertInto('stock_moves').values(move).execute();
}

/** Newest first. */
export const selectMoves = (db: Db | Tx, offerId: number, limit: number) =>
  db
    .selectFrom('stock_moves as move')
    .innerJoin('staff as person', 'person.id', 'move.staff_id')
    .select([
      'move.id',
      'move.kind',
      'move.before',
      'move.after',
      'move.reason',
      'move.at',
      'person.id as staff_id',
      'person.name as staff_name',
    ])
    .where('move.offer_id', '=', offerId)
    .orderBy('move.id', 'desc')
    .limit(limit)
    .execute();

/** The stock left of these offers, which the caller has locked. */
export async function selectLeft(
  tx: Tx,
  offerIds: readonly number[],
): Promise<ReadonlyMap<number, number | null>> {
  const rows = await tx
    .selectFrom('offers')
    .select(['id', 'stock_left'])
    .where('id', '=', sql<number>`any(${offerIds}::integer[])`)
    .execute();
  return new Map(rows.map(({ id, stock_left: left }) => [id, left]));
}

export async function updateLeft(tx: Tx, offerId: number, left: number | null): Promise<void> {
  await tx.updateTable('offers').set({ stock_left: left }).where('id', '=', offerId).execute();
}

export async function updateAlert(tx: Tx, offerId: number, alertMax: number | null): Promise<void> {
  await tx
    .updateTable('offers')
    .set({ stock_alert_max: alertMax })
    .where('id', '=', offerId)
    .execute();
}
