import pg from 'pg';
import { PostgresError } from './postgres-error.ts';

const CONNECT_LIMIT_MS = 5_000;
const VERSION_MIN = 180_000;

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no machine of that name',
  EAI_AGAIN: 'the name of the machine cannot be looked up now',
  EHOSTUNREACH: 'the machine cannot be reached',
  ETIMEDOUT: 'the machine does not answer',
  '28P01': 'the password or user is wrong',
  '28000': 'this user may not sign in from here',
  '3D000': 'there is no such database',
  '53300': 'it has no connection left',
  '57P03': 'it is still starting or shutting down',
};

/**
 * Checks that `url` is a usable PostgreSQL, connecting with the options of `connection`.
 * @throws PostgresError with one sentence that names host and database but never the password
 */
export async function checkDatabase(
  url: string,
  connection: pg.ClientConfig = { connectionString: url },
): Promise<void> {
  const place = describePlace(url);
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
  // A connection that breaks after the answer must not end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::integer as version`,
    );
    const version = rows[0]?.version ?? 0;
    if (version >= VERSION_MIN) return;
    throw new PostgresError(
      `The database at ${place} is PostgreSQL ${Math.floor(version / 10_000)}: at least 18 is needed.`,
    );
  } catch (error) {
    if (error instanceof PostgresError) throw error;
    throw new PostgresError(`The database at ${place} cannot be used: ${describeFault(error)}.`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => {});
  }
}

function describePlace(url: string): string {
  const { host, pathname } = URL.parse(url) ?? {};
  return host === undefined ? 'DATABASE_URL' : `${host}${pathname}`;
}

function describeFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return SENTENCES[code ?? ''] ?? (message || code || 'unknown fault').replace(/\.$/, '');
}
