/** The address of the database and, for TLS, the authority that signed its certificate and the name in it. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { checkServerIdentity } from 'node:tls';
import type pg from 'pg';

/** A parameter of our own. Behind a proxy on this machine, the name in the certificate differs from the host that is connected to. */
const SERVER_NAME = 'servername';
const AUTHORITY_FILE = 'sslrootcert';
const MODE = 'sslmode';

interface Verification {
  /** The file with the authority's certificate. */
  readonly authorityFile: string;
  /** Default: the host of the address. */
  readonly serverName?: string | undefined;
}

/** The address of a database that is reached only over verified TLS. */
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

/** PostgreSQL truncates longer names. */
const NAME_LENGTH_MAX = 63;

/** The name of a connection in `pg_stat_activity`: its purpose, the process and the machine. */
export const namedHere = (purpose: string): string =>
  `${purpose} ${process.pid}@${hostname()}`.slice(0, NAME_LENGTH_MAX);

/** The driver's settings for an address. A server name other than the host can be passed to the driver only here. */
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
