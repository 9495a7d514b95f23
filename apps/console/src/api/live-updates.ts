/** Live events: a changed object is read again at once. They only shorten the wait, since every screen polls as well. */
import { log } from '@athos/app-core/log';
import { queryClient } from '@athos/app-core/query-client';
import { readEvents } from '@athos/client/event-stream';
import type { ConsoleCallName } from '@athos/contract/console/calls';
import type { ConsoleEvent, ConsoleTopic } from '@athos/contract/console/events';
import { noteSessionEnd } from '../state/session.ts';
import { openEventStream } from './call.ts';

/** Reads that change when an approval request is decided, while its requester may be looking at the screen. */
const DECIDED = ['campaign', 'consoleOffer', 'rateNow'] as const;

/**
 * The reads that a topic makes stale. Reads that write an audit entry, such as `consoleDispute`, are left out, because nobody has asked for
 * them again.
 */
const READS: Readonly<Record<ConsoleTopic, readonly ConsoleCallName[]>> = {
  approvals: ['approvals', 'approval', ...DECIDED],
  bulk: ['bulkRun', 'bulkRuns', 'bulkFailures'],
  disputes: ['consoleDisputes', 'consoleDebts', 'consoleDebt', 'consoleWarnings'],
  exports: ['exports', 'export'],
  payments: ['consolePayments', 'consolePayment', 'consoleRefunds', 'consoleRefund'],
};

/** Reads whose every change is reported by an event. Of payments, only reviews and refunds are, not the customers' own purchases. */
const TOLD = new Set<ConsoleCallName>([
  'approvals',
  'approval',
  ...READS.bulk,
  ...READS.exports,
  ...READS.disputes,
  'consoleRefunds',
  'consoleRefund',
]);
const CONNECTED_POLL_FACTOR = 5;
/** Shorter intervals belong to screens on which somebody waits for work in progress, so they are kept. */
const SLOWED_FROM_MS = 30_000;

let isConnected = false;

/** The polling interval: longer while the server reports changes. A lost event delays the screen by at most one such interval. */
export const pollPause = (name: ConsoleCallName, pauseMs: number): number =>
  isConnected && TOLD.has(name) && pauseMs >= SLOWED_FROM_MS
    ? pauseMs * CONNECTED_POLL_FACTOR
    : pauseMs;

function readAgain(names: readonly ConsoleCallName[]): void {
  for (const name of names) void queryClient.invalidateQueries({ queryKey: [name] });
}

async function follow(signal: AbortSignal, onOpen: () => void): Promise<void> {
  await readEvents<ConsoleEvent>(
    {
      onEvent: ({ topic }) => readAgain(READS[topic]),
      onOpen: () => {
        isConnected = true;
        onOpen();
      },
      signal,
    },
    {
      request: (given) => {
        isConnected = false;
        return openEventStream(given);
      },
      onRefused: noteSessionEnd,
      log,
    },
  );
}

/**
 * Keeps a stream open while the page is visible. A hidden tab closes its stream, because HTTP/1.1 limits a browser to six
 * connections per host. Returns a function that closes it.
 */
export function followEvents(): () => void {
  let reading: AbortController | undefined;
  let hasOpened = false;
  /**
   * When the first stream opens, the screens have just been read. Changes between two streams were not reported, so everything is read
   * again.
   */
  const onOpen = (): void => {
    if (hasOpened) readAgain(Object.values(READS).flat());
    hasOpened = true;
  };
  const close = (): void => {
    reading?.abort();
    reading = undefined;
    isConnected = false;
  };
  const update = (): void => {
    if (document.visibilityState === 'hidden') close();
    else if (reading === undefined) {
      reading = new AbortController();
      void follow(reading.signal, onOpen);
    }
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    close();
  };
}
