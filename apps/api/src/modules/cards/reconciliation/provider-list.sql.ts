/** Statements on how far a list of the provider has been stored. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

/** The table of a list, whose one row tells how far the list has been stored. */
export type ListMark = 'card_events_listed' | 'card_transactions_listed';

export async function selectListedUntil(db: Db, mark: ListMark): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date }>`
    select listed_until as until from ${sql.table(mark)}`.execute(db);
  return rows[0]?.until;
}

/** Moves the mark on. It never goes back, except to `now` if a clock that was ahead has set it later. */
export async function updateListedUntil(
  tx: Db | Tx,
  mark: ListMark,
  { until, now }: { until: Date; now: Date },
): Promise<void> {
  await sql`
    insert into ${sql.table(mark)} as known (listed_until) values (${until}::timestamptz)
    on conflict (is_only) do update
       set listed_until = least(greatest(known.listed_until, excluded.listed_until), ${now}::timestamptz)`.execute(
    tx,
  );
}
