import { z } from 'zod';
import { isLive, isProduction, list, topic, webUrl, wholeNumber, type Given } from './topic.ts';
import { isNetwork, NETWORK_LIST } from './server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const originOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;

/** Refuses the wallet's origin, because a flaw in the wallet's pages could then use console sessions. */
function addressFaults(given: Given): string[] {
  const { CONSOLE_URL: url, PUBLIC_URL: walletUrl } = given;
  if (url === undefined) return ['CONSOLE_URL: is missing; staff open the console under it'];
  if (isLive(given) && !url.startsWith('https://')) {
    return ['CONSOLE_URL: must be an https address'];
  }
  return originOf(url) === originOf(walletUrl)
    ? ['CONSOLE_URL: must have another origin than the wallet (PUBLIC_URL)']
    : [];
}

function productionFaults(given: Given): string[] {
  const { CONSOLE: mode = 'off', SEAL_MAIL_TO: sealMailTo } = given;
  if (mode === 'off') return [];
  return [
    ...addressFaults(given),
    ...(sealMailTo === undefined
      ? ['SEAL_MAIL_TO: is missing; the seal of each day is mailed to it']
      : []),
  ];
}

function isTimeZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Intl also accepts an offset such as +01:00, but an offset has no summer time.
    return !/^[+-]/.test(timeZone);
  } catch {
    return false;
  }
}

export const operatorConsole = topic(
  {
    /** Which process serves the console: the API, a separate one (programs/console-api.ts), or none. */
    mode: ['CONSOLE', z.enum(['with_api', 'own', 'off']).optional()],
    url: ['CONSOLE_URL', webUrl.optional()],
    /** The address on which the separate process listens. */
    host: ['CONSOLE_HOST', z.string().default('127.0.0.1')],
    port: ['CONSOLE_PORT', wholeNumber(0, 65_535).default(8090)],
    /** Networks from which the console may be used. Empty: all. */
    networks: ['CONSOLE_NETWORKS', list.refine((parts) => parts.every(isNetwork), NETWORK_LIST)],
    staticDir: ['CONSOLE_STATIC_DIR', z.string().optional()],
    /** A session ends after this long without a call, and after this many hours in any case. */
    idleMinutes: ['CONSOLE_IDLE_MINUTES', wholeNumber(1, 24 * 60).default(30)],
    sessionHours: ['CONSOLE_SESSION_HOURS', wholeNumber(1, 168).default(12)],
    /** The time zone in which the console shows times; servers, logs and schedules keep UTC. */
    timeZone: [
      'PROGRAMME_TIME_ZONE',
      z.string().default('UTC').refine(isTimeZone, 'must be a time zone such as "Europe/Berlin"'),
    ],
    /** The mailbox that receives the daily seal. Nobody who can write to the database should have access to it. */
    sealMailTo: ['SEAL_MAIL_TO', z.email('must be one e-mail address').optional()],
  },
  {
    faults: (given) => (isProduction(given) ? productionFaults(given) : []),
    build: ({ mode, url, idleMinutes, sessionHours, ...rest }) => ({
      ...rest,
      mode,
      url,
      idleMs: idleMinutes * MINUTE_MS,
      sessionMs: sessionHours * HOUR_MS,
    }),
  },
);

type ConsoleTopic = NonNullable<ReturnType<typeof operatorConsole>['value']>;

/** Derives the console's settings from those of the server. Production has a console only if it is configured. */
export function consoleSettings(
  { mode, url, ...rest }: ConsoleTopic,
  server: { readonly isProduction: boolean; readonly publicUrl: string },
) {
  // Passkeys need a host name, not an IP address, so the demo's console is at localhost.
  const address = url ?? server.publicUrl.replace('//127.0.0.1', '//localhost');
  return {
    ...rest,
    mode: mode ?? (server.isProduction ? ('off' as const) : ('with_api' as const)),
    /** Scheme, host and port. */
    origin: new URL(address).origin,
  };
}
