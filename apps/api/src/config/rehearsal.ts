/**
 * `REHEARSAL=1`: a production start with the card sandbox, the mailbox and test keys, to try a programme out before it is live. It cannot
 * be reached from outside the machine, and it reaches no card provider and no mail server.
 */
import { z } from 'zod';
import { isProduction, isRehearsal, topic, type Given } from './topic.ts';

/** The addresses on which the programs listen and are reached, without the database's. */
const OWN_ADDRESSES = ['HOST', 'CONSOLE_HOST', 'PUBLIC_URL', 'CONSOLE_URL'] as const;
/** The addresses of the stand-ins. Without the first two, the card provider itself would be called. */
const STAND_INS = ['STRIPE_API_URL', 'STRIPE_SCRIPT_URL', 'SMTP_URL'] as const;
const KEYS = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'] as const;

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

const isLoopbackUrl = (url: string): boolean =>
  URL.canParse(url) && LOOPBACK_HOST.test(new URL(url).hostname);

/** The address of a Unix socket has no host, and a `host` in the query takes precedence over the host in front. */
function isLoopbackDatabase(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { hostname, searchParams } = new URL(url);
  const hosts = [hostname, ...searchParams.getAll('host')];
  return hosts.every((host) => host === '' || host.startsWith('/') || LOOPBACK_HOST.test(host));
}

function rehearsalFaults(given: Given): string[] {
  if (!isProduction(given)) {
    return ['REHEARSAL: belongs to a production start (NODE_ENV=production)'];
  }
  const isLoopback = (variable: string, address: string): boolean =>
    variable.endsWith('HOST') ? LOOPBACK_HOST.test(address) : isLoopbackUrl(address);
  const outside = [
    ...OWN_ADDRESSES.filter((name) => given[name] !== undefined && !isLoopback(name, given[name])),
    ...STAND_INS.filter((name) => !isLoopback(name, given[name] ?? '')),
    ...(isLoopbackDatabase(given['DATABASE_URL'] ?? '') ? [] : ['DATABASE_URL']),
  ];
  return [
    ...outside.map(
      (name) => `${name}: must be an address of this machine (127.0.0.1, localhost) in a rehearsal`,
    ),
    ...KEYS.filter((name) => given[name]?.includes('_live_')).map(
      (name) => `${name}: is a live key; a rehearsal takes test keys, which move no money`,
    ),
  ];
}

export const rehearsal = topic(
  { rehearsal: ['REHEARSAL', z.enum(['0', '1']).default('0')] },
  {
    faults: (given) => (isRehearsal(given) ? rehearsalFaults(given) : []),
    build: (values) => ({ isRehearsal: values.rehearsal === '1' }),
  },
);
