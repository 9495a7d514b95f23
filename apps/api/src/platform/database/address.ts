/** The way to the database: an address, and for TLS who vouches for the server and under which name. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { checkServerIdentity } from 'node:tls';
import type pg from 'pg';

/** Ours. Behind a proxy of this machine, the name in the certificate is not the one that is connected to. */
const SERVER_NAME = 'servername';
const AUTHORITY_FILE = 'sslrootcert';
const MODE = 'sslmode';

interface Verification {
  /** The file with the authority's certificate. */
  readonly authorityFile: string;
  /** Default: the host of the address. */
  readonly serverName?: string | undefined;
}

/** The address of a database that is reached over verified TLS alone. */
export function verifiedAddress(
  databaseUrl: string,
  { authorityFile, serverName }: Verification,
): string {
  const url = new URL(databaseUrl);
  url.searchParams.set(MODE, 'verify-full');
  url.searchParams.set(AUTHORITY_FILE, authorityFile);
  if (serverName !== undefined) url.searchParams.set(SERVER_NAME, serverName);
  return url.href;
}

/** PostgreSQL cuts longer names off. */
const NAME_LENGTH_MAX = 63;

/** What `pg_stat_activity` calls a connection: its purpose, the machine and the process. */
export const namedHere = (purpose: string): string =>
  `${purpose} ${process.pid}@${hostname()}`.slice(0, NAME_LENGTH_MAX);

/** The driver's settings for an address. It can be told of another name than the host only here. */
export function connectTo(databaseUrl: string): pg.ClientConfig {
  const url = URL.parse(databaseUrl);
  const authorityFile = url?.searchParams.get(AUTHORITY_FILE);
  const serverName = url?.searchParams.get(SERVER_NAME);
  if (!url || !authorityFile || !serverName) return { connectionString: databaseUrl };
  for (const name of [MODE, AUTHORITY_FILE, SERVER_NAME]) url.searchParams.delete(name);
  return {
    connectionString: url.href,
    ssl: {
      ca: readFileSync(authorityFile, 'utf8'),
      checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
    },
  };
}
