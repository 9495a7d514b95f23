/**
 * Counts of events whose own rows are deleted soon, after they have served their purpose or with the person whom they name. The counts
 * name nobody and stay.
 */
import { sql } from 'kysely';
import type { Tx } from '../database/database.ts';
import { hourOf, selectFirstAt, type StatRow, type StatSource } from './stat-source.ts';

const COUNTED_EVENTS = ['signed_up', 'declined'] as const;
type CountedEvent = (typeof COUNTED_EVENTS)[number];

interface EventCount {
  readonly event: CountedEvent;
  /** The value by which the event is split; empty for none. It comes from a short list and is never text that a customer wrote. */
  readonly dimension?: string;
  readonly at: Date;
}

/** Counts one event. Its row stays locked until the transaction ends, so call it late. */
export async function countEvent(tx: Tx, { event, dimension = '', at }: EventCount): Promise<void> {
  await sql`
    insert into event_counts as known (event, dimension, quarter, count)
    values (${event}, ${dimension}, date_bin('15 minutes', ${at}::timestamptz, '2000-01-01Z'), 1)
    on conflict (event, quarter, dimension) do update set count = known.count + 1`.execute(tx);
}

export const eventStats: StatSource = {
  name: 'events',
  metrics: COUNTED_EVENTS,
  firstAt: (db) => selectFirstAt(db, 'event_counts', 'quarter'),
  async count(db, { from, to, timeZone }) {
    const { rows } = await sql<StatRow>`
      select event as metric, dimension, ${hourOf(sql`quarter`, timeZone)} as bucket,
             sum(count)::bigint as count, 0::bigint as units
        from event_counts
       where event = any(${COUNTED_EVENTS}::text[]) and quarter >= ${from}::timestamptz and quarter < ${to}::timestamptz
       group by event, dimension, bucket`.execute(db);
    return rows;
  },
};
