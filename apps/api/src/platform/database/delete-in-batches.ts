import { sql, type RawBuilder } from 'kysely';
import type { Db, Tables } from './database.ts';

/** Of a statement. A few ms each; all at once, a table that grew in an attack would pass the limit of a statement for ever. */
const ROWS_MAX = 5_000;

/** Deletes the rows that `condition` holds of, in as many statements as it takes. Rows that come meanwhile may stay. */
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
