import { sql, type RawBuilder } from 'kysely';
import type { Db, Tables } from './database.ts';

/** Deleting this many takes a few ms per statement. A single statement would time out forever on a table that has grown in an attack. */
const ROWS_MAX = 5_000;

/** Deletes the rows that meet `condition`, in as many statements as needed. Rows that are added meanwhile may stay. */
export async function deleteInBatches(
  db: Db,
  table: keyof Tables,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const rows = sql.table(table);
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${rows} where ctid = any(array(
        select ctid from ${rows} where ${condition} limit ${ROWS_MAX}
      ))`.execute(db);
    if (numAffectedRows < BigInt(ROWS_MAX)) return;
  }
}
