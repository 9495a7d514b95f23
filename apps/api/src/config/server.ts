import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import { verifiedAddress } from '../platform/database/address.ts';
import {
  isLive,
  isProduction,
  isReadable,
  list,
  topic,
  webUrl,
  wholeNumber,
  type Given,
} from './topic.ts';

/** Whether the text is an IP address, optionally with the prefix length of a network. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : 0;
  const isPrefix =
    prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && parseInt(prefix, 10) <= bits);
  return bits > 0 && isPrefix && rest.length === 0;
}

export const NETWORK_LIST =
  'must be addresses or networks such as "10.0.0.1, 10.1.0.0/16", separated by commas';

/** Twice the interval at which an edge asks for readiness (docs/operating.md), and a second to spare. */
const DRAIN_SECONDS = 3;

function productionFaults(given: Given): string[] {
  const faults: string[] = [];
  if (given['DEMO'] === '1') faults.push('DEMO: demo data is never part of a production start');
  if (given['DEMO_HISTORY'] === 'on') {
    faults.push('DEMO_HISTORY: the past of the demo is never part of a production start');
  }
  if (isLive(given) && given['PUBLIC_URL']?.startsWith('https://') !== true) {
    faults.push('PUBLIC_URL: must be the https address under which people reach the wallet');
  }
  return [...faults, ...optionFaults(given), ...(isLive(given) ? databaseFaults(given) : [])];
}

/** The driver prefers options in the address, so they would replace those that make commits durable. */
const optionFaults = (given: Given): string[] =>
  ['DATABASE_URL', 'DATABASE_REPLICA_URL']
    .filter((variable) => URL.parse(given[variable] ?? '')?.searchParams.has('options'))
    .map(
      (variable) =>
        `${variable}: must not have "options", which would replace what makes commits durable; set them for the role in PostgreSQL (alter role … set …)`,
    );

/** Balances and password hashes cross the network, and an impostor of the server could read them. */
const databaseFaults = ({ DATABASE_CA_FILE: authorityFile }: Given): string[] =>
  authorityFile === undefined
    ? [
        'DATABASE_CA_FILE: is missing; production reaches its database over TLS and verifies the server',
      ]
    : [];

/** Only DATABASE_CA_FILE says how the server is verified; an address could weaken that. */
function addressFaults(given: Given): string[] {
  const { DATABASE_CA_FILE: authorityFile, DATABASE_SERVER_NAME: serverName } = given;
  const saysTls = (variable: string): boolean =>
    [...(URL.parse(given[variable] ?? '')?.searchParams.keys() ?? [])].some((name) =>
      name.startsWith('ssl'),
    );
  return [
    ...['DATABASE_URL', 'DATABASE_REPLICA_URL']
      .filter((variable) => authorityFile !== undefined && saysTls(variable))
      .map((variable) => `${variable}: must not say how TLS is verified; DATABASE_CA_FILE does`),
    ...(authorityFile === undefined && serverName !== undefined
      ? ['DATABASE_SERVER_NAME: is verified with DATABASE_CA_FILE, which is missing']
      : []),
  ];
}

/** The address, with the settings that verify its server. */
export function secureAddress({
  databaseUrl,
  databaseCaFile,
  databaseServerName,
}: DatabaseSettings): string {
  if (databaseCaFile === undefined) return databaseUrl;
  return verifiedAddress(databaseUrl, {
    authorityFile: databaseCaFile,
    serverName: databaseServerName,
  });
}

interface DatabaseSettings {
  readonly databaseUrl: string;
  readonly databaseCaFile?: string | undefined;
  readonly databaseServerName?: string | undefined;
}

const databaseAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a postgres:// address',
});

export const server = topic(
  {
    mode: ['NODE_ENV', z.enum(['production', 'development', 'test']).default('development')],
    host: ['HOST', z.string().default('127.0.0.1')],
    port: ['PORT', wholeNumber(0, 65_535).default(8080)],
    publicUrl: ['PUBLIC_URL', webUrl.optional()],
    /** The port on which the process serves its metrics to Prometheus; off if unset. */
    metricsPort: ['METRICS_PORT', wholeNumber(0, 65_535).optional()],
    metricsHost: ['METRICS_HOST', z.string().default('127.0.0.1')],
    databaseUrl: ['DATABASE_URL', databaseAddress],
    /** A standby, or a proxy that knows the standbys: history pages with a cursor are read there (decision 0056). */
    databaseReplicaUrl: ['DATABASE_REPLICA_URL', databaseAddress.optional()],
    /** The certificate of the authority that signed the database server's. If set, the connection uses TLS and the server is verified. */
    databaseCaFile: [
      'DATABASE_CA_FILE',
      z.string().refine(isReadable, 'must name a file that can be read').optional(),
    ],
    /** The name in the server's certificate if it differs from the host of DATABASE_URL, as behind a proxy on this machine. */
    databaseServerName: ['DATABASE_SERVER_NAME', z.string().optional()],
    /** Addresses of the proxies whose X-Forwarded-For header is trusted. */
    trustedProxies: [
      'TRUSTED_PROXIES',
      list.refine((parts) => parts.every(isNetwork), NETWORK_LIST),
    ],
    /** How long a process that was asked to stop reports itself unready but still serves: longer than the edge needs to notice. */
    drainSeconds: ['DRAIN_SECONDS', wholeNumber(0, 60).optional()],
    logLevel: [
      'LOG_LEVEL',
      z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
    ],
    /** Demo mode: demo data, card sandbox and mailbox. Refused in production. */
    demo: ['DEMO', z.enum(['0', '1']).default('0')],
    /** Whether the demo data includes a history of 90 days. */
    demoHistory: ['DEMO_HISTORY', z.enum(['on', 'off']).default('on')],
  },
  {
    faults: (given) => [
      ...addressFaults(given),
      ...(isProduction(given) ? productionFaults(given) : []),
    ],
    build: ({
      mode,
      demo,
      demoHistory,
      publicUrl,
      drainSeconds,
      databaseUrl,
      databaseReplicaUrl: replicaUrl,
      databaseCaFile,
      databaseServerName,
      ...server
    }) => ({
      ...server,
      databaseUrl: secureAddress({ databaseUrl, databaseCaFile, databaseServerName }),
      databaseReplicaUrl:
        replicaUrl &&
        secureAddress({ databaseUrl: replicaUrl, databaseCaFile, databaseServerName }),
      drainMs: (drainSeconds ?? (mode === 'production' ? DRAIN_SECONDS : 0)) * 1000,
      isProduction: mode === 'production',
      isDemo: demo === '1',
      hasDemoHistory: demo === '1' && demoHistory === 'on',
      /** Without a trailing slash. */
      publicUrl: (publicUrl ?? `http://${server.host}:${server.port}`).replace(/\/+$/, ''),
    }),
  },
);
