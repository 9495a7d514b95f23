import { hostname } from 'node:os';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AUTHORITY_FILE,
  offerTls,
  OTHER_AUTHORITY_FILE,
  SERVER_NAME,
} from '../../../test/offer-tls.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { copyTemplate, type TestDatabase } from '../../../test/test-database.ts';
import { connectTo, namedHere, verifiedAddress } from './address.ts';
import { openDatabase } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await copyTemplate();
  await offerTls(database.adminUrl);
});
afterAll(() => database.drop());

async function isEncrypted(url: string): Promise<boolean | undefined> {
  const client = new pg.Client(connectTo(url));
  await client.connect();
  try {
    const { rows } = await client.query<{ ssl: boolean }>(
      'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
    );
    return rows[0]?.ssl;
  } finally {
    await client.end();
  }
}

const addressWith = (authorityFile: string, serverName?: string): string =>
  verifiedAddress(database.url, { authorityFile, serverName });

describe('a connection over verified TLS', () => {
  it('reaches a server by another name than its host, as through a proxy of this machine', async () => {
    expect(await isEncrypted(addressWith(AUTHORITY_FILE, SERVER_NAME))).toBe(true);
    expect(await isEncrypted(database.url)).toBe(false);
  });

  it('refuses a certificate of another name', async () => {
    const others = ['db.example', undefined].map((name) => addressWith(AUTHORITY_FILE, name));
    for (const url of others) {
      await expect(isEncrypted(url)).rejects.toMatchObject({
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      });
    }
  });

  it('refuses a certificate of another authority', async () => {
    await expect(isEncrypted(addressWith(OTHER_AUTHORITY_FILE, SERVER_NAME))).rejects.toThrow(
      /certificate/,
    );
  });
});

describe('the name of a connection', () => {
  it('tells the purpose, the process and the machine', async () => {
    const opened = openDatabase(database.url, recordLog().log);
    try {
      const { rows } = await sql<{ name: string }>`
        select application_name as name from pg_stat_activity where pid = pg_backend_pid()`.execute(
        opened.db,
      );
      expect(rows).toEqual([{ name: `athos-api ${process.pid}@${hostname()}`.slice(0, 63) }]);
    } finally {
      await opened.close();
    }
  });

  it('is as long as PostgreSQL keeps it, however long the purpose', () => {
    expect(namedHere('a'.repeat(80))).toHaveLength(63);
  });
});
