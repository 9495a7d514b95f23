/** Bulk loading of rows. */
import type pg from 'pg';

/** Fills a table while it has only the indexes of its constraints, and creates the others afterwards. */
export async function withoutIndexes(
  client: pg.Client,
  table: string,
  insert: string,
): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(insert);
  for (const { definition } of indexes) await client.query(definition);
}
