/** Statements on the provider's events. */
import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

export type EventRow = Selectable<Tables['card_events']>;

/** Inserts an event. Returns `false` if it is already stored. */
export async function insertEvent(
  tx: Tx,
  event: Insertable<Tables['card_events']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('card_events')
    .values(event)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export const selectEvent = (db: Db, eventId: string): Promise<EventRow | undefined> =>
  db.selectFrom('card_events').selectAll().where('id', '=', eventId).executeTakeFirst();

export async function updateEventProcessed(db: Db, eventId: string, at: Date): Promise<void> {
  await db
    .updateTable('card_events')
    .set({ processed_at: at })
    .where('id', '=', eventId)
    .where('processed_at', 'is', null)
    .execute();
}

/** The time of the newest stored event, by the provider's clock. */
export async function selectNewestEventTime(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('card_events')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}
