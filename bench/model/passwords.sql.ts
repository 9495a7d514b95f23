/** Gives users a password. */
import pg from 'pg';

/** Returns the users' e-mail addresses. */
export async function setPasswords(
  databaseUrl: string,
  userIds: readonly bigint[],
  passwordHash: string,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ email: string }>(
      'update users set password_hash = $2 where id = any($1::bigint[]) returning email',
      [userIds.map(String), passwordHash],
    );
    return rows.map(({ email }) => email);
  } finally {
    await client.end();
  }
}
