/** Lets a test server offer TLS, with a certificate for SERVER_NAME. Connections without TLS stay possible. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectTo, verifiedAddress } from '../src/platform/database/address.ts';

const fileOf = (name: string): string => join(import.meta.dirname, 'tls', name);

export const SERVER_NAME = 'db.athos.example';
export const AUTHORITY_FILE = fileOf('authority.pem');
export const OTHER_AUTHORITY_FILE = fileOf('other-authority.pem');

/** Resolves when the server has reread its settings. */
async function isOffered(databaseUrl: string): Promise<void> {
  const url = verifiedAddress(databaseUrl, {
    authorityFile: AUTHORITY_FILE,
    serverName: SERVER_NAME,
  });
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client(connectTo(url));
    try {
      await client.connect();
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await pause(100);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

export async function offerTls(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // The server writes the files itself: it takes a key only from its own user, and only if nobody else can read it.
  for (const name of ['server.pem', 'server.key']) {
    const text = client.escapeLiteral(readFileSync(fileOf(name), 'utf8').trim());
    await client.query(
      `copy (select regexp_split_to_table(${text}, E'\\n')) to program 'umask 077; cat > ${name}'`,
    );
  }
  await client.query(`alter system set ssl_cert_file = 'server.pem'`);
  await client.query(`alter system set ssl_key_file = 'server.key'`);
  await client.query('alter system set ssl = on');
  await client.query('select pg_reload_conf()');
  await client.end();
  await isOffered(databaseUrl);
}
