/** Reads all rows of a query with a cursor of the database, so that a list of any length takes the memory of one chunk. */
import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import { connectTo, namedHere } from './address.ts';
import { KEEP_ALIVE } from './connection.ts';
import { bigintTypes } from './database.ts';

const ROWS_PER_CHUNK = 1_000;
/** The timeout of one chunk, longer than a request may take. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Longer than the server's own timeout, so it only ends the wait for a server that has vanished. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** Reads in one snapshot, on a connection of its own: the pool's connections time out statements and idle transactions much sooner. */
export async function* readInChunks<Row>(
  databaseUrl: string,
  { sql, parameters }: CompiledQuery<Row>,
): AsyncGenerator<Row[]> {
  const client = new pg.Client({
    ...connectTo(databaseUrl),
    application_name: namedHere('athos-exports'),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    ...KEEP_ALIVE,
    types: bigintTypes,
  });
  // Outside of a query, an error without a listener would end the process. The next query reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`declare chunks no scroll cursor for ${sql}`, [...parameters]);
    for (;;) {
      const { rows } = await client.query<Row & pg.QueryResultRow>(
        `fetch ${ROWS_PER_CHUNK} from chunks`,
      );
      if (rows.length > 0) yield rows;
      if (rows.length < ROWS_PER_CHUNK) return;
    }
  } finally {
    await client.end();
  }
}
