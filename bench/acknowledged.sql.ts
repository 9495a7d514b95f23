import pg from 'pg';

/**
 * Returns a line for each acknowledged transfer that is not in the journal exactly once under its acknowledged
 * number.
 */
export async function missingOrDoubled(
  databaseUrl: string,
  acknowledged: ReadonlyMap<string, number>,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: string; told: string; found: string[] | null }>(
      `select told.key::text, told.id::text as told, array_agg(t.id::text) filter (where t.id is not null) as found
         from unnest($1::uuid[], $2::bigint[]) told (key, id) left join ledger_transfers t on t.key = told.key
        group by told.key, told.id
       having count(t.id) <> 1 or min(t.id) <> told.id`,
      [[...acknowledged.keys()], [...acknowledged.values()]],
    );
    return rows.map(
      ({ key, told, found }) => `${key}: told ${told}, found ${found?.join() ?? 'nothing'}`,
    );
  } finally {
    await client.end();
  }
}
