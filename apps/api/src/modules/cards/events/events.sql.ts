/** Statements on the provider's events. */
import { sql, type Insertable, type Selectable } from 'kysely';
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

/** The maximum number of events that is counted. */
const EVENTS_COUNTED_MAX = 10_000;
const DAY_SECONDS = 24 * 60 * 60;

interface EventCounts {
  readonly received: number;
  readonly unprocessed: number;
  readonly lastReceivedAt: Date | null;
  readonly unprocessedSince: Date | null;
}

/** The events received within 24 hours, by outcome. An event that is never processed raises an alarm of its own. */
export async function selectEventCounts(db: Db): Promise<EventCounts> {
  const { rows } = await sql<EventCounts>`
    select count(*)::int as received, (count(*) filter (where processed_at is null))::int as unprocessed,
      max(received_at) as "lastReceivedAt", min(received_at) filter (where processed_at is null) as "unprocessedSince"
    from (select received_at, processed_at from card_events
           where created_at > now() - make_interval(secs => ${DAY_SECONDS})
           order by created_at desc limit ${EVENTS_COUNTED_MAX}) looked`.execute(db);
  return rows[0] ?? { received: 0, unprocessed: 0, lastReceivedAt: null, unprocessedSince: null };
}
