import pg from 'pg';

/** The roles under which our programs have opened their connections. */
export async function connectedRoles(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ role: string }>(
      `select distinct usename::text as role from pg_stat_activity where application_name like 'athos-%' order by role`,
    );
    return rows.map(({ role }) => role);
  } finally {
    await client.end();
  }
}
