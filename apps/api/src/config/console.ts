import { z } from 'zod';
import { isProduction, list, topic, webUrl, wholeNumber, type Given } from './topic.ts';
import { isNetwork, NETWORK_LIST } from './server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const originOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;

/** The wallet's own cookies and scripts must not reach the console: a fault in the wallet's pages would ride on its session. */
function addressFaults({ CONSOLE_URL: url, PUBLIC_URL: walletUrl }: Given): string[] {
  if (url === undefined) return ['CONSOLE_URL: is missing; staff open the console under it'];
  if (!url.startsWith('https://')) return ['CONSOLE_URL: must be an https address'];
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

export const operatorConsole = topic(
  {
    /** Whether the API also serves the console, a process of its own does (programs/console-api.ts), or none. */
    mode: ['CONSOLE', z.enum(['with_api', 'own', 'off']).optional()],
    url: ['CONSOLE_URL', webUrl.optional()],
    /** Where the process of its own listens. */
    host: ['CONSOLE_HOST', z.string().default('127.0.0.1')],
    port: ['CONSOLE_PORT', wholeNumber(0, 65_535).default(8090)],
    /** Networks from which the console may be used; every one if empty. */
    networks: ['CONSOLE_NETWORKS', list.refine((parts) => parts.every(isNetwork), NETWORK_LIST)],
    staticDir: ['CONSOLE_STATIC_DIR', z.string().optional()],
    /** A session ends after so long without a call, and after so many hours at the latest. */
    idleMinutes: ['CONSOLE_IDLE_MINUTES', wholeNumber(1, 24 * 60).default(30)],
    sessionHours: ['CONSOLE_SESSION_HOURS', wholeNumber(1, 168).default(12)],
    /** Where the seal of each day is mailed: a mailbox outside the reach of whoever can write to the database. */
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

/** Completes the settings with what follows from those of the server. In production, a console is named or there is none. */
export function consoleSettings(
  { mode, url, ...rest }: ConsoleTopic,
  server: { readonly isProduction: boolean; readonly publicUrl: string },
) {
  // A passkey belongs to a name, never to an IP address, so the demo's console is at localhost.
  const address = url ?? server.publicUrl.replace('//127.0.0.1', '//localhost');
  return {
    ...rest,
    mode: mode ?? (server.isProduction ? ('off' as const) : ('with_api' as const)),
    /** Scheme, host and port. */
    origin: new URL(address).origin,
  };
}
