import pg from 'pg';
import type { Log } from '../log/log.ts';

/** What processes tell each other through the database. Payloads are ids, never secrets. */
export const CHANNELS = [
  'session_revoked',
  'payment_changed',
  'rate_published',
  'items_redeemed',
] as const;
export type Channel = (typeof CHANNELS)[number];

export interface Notifications {
  on(channel: Channel, listener: (payload: string) => void): void;
  /** Called when the connection stands, first or again: notifications may have been lost before, so caches must be dropped. */
  onGap(listener: () => void): void;
  /** Whether notifications arrive now. */
  isListening(): boolean;
  close(): Promise<void>;
}

const RECONNECT_PAUSE_MIN_MS = 100;
const RECONNECT_PAUSE_MAX_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** A connection that died without a word would count as listening for hours. */
const HEARTBEAT_MS = 3_000;
const HEARTBEAT_ANSWER_MS = 2_000;

/** Listens on a connection of its own and reconnects for as long as the process lives. */
export function listenForNotifications(databaseUrl: string, log: Log): Notifications {
  const listeners = new Map<string, ((payload: string) => void)[]>();
  const gapListeners: (() => void)[] = [];
  let client: pg.Client | undefined;
  let isReady = false;
  let isClosed = false;
  let pauseMs = RECONNECT_PAUSE_MIN_MS;
  let timer: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  function reconnectLater(lost: pg.Client): void {
    if (lost !== client) return;
    client = undefined;
    isReady = false;
    clearInterval(heartbeat);
    if (isClosed) return;
    timer = setTimeout(() => void connect(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, RECONNECT_PAUSE_MAX_MS);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // With `pipeline` a query that times out ends the connection.
      query_timeout: HEARTBEAT_ANSWER_MS,
      pipeline: true,
      keepAlive: true,
      application_name: 'athos-listener',
    });
    client = next;
    next.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload ?? '');
    });
    next.on('error', (error) => {
      log.warn({ err: error }, 'the notification connection was lost');
      reconnectLater(next);
    });
    next.on('end', () => reconnectLater(next));
    try {
      await next.connect();
      await next.query(CHANNELS.map((channel) => `listen ${channel}`).join(';'));
    } catch {
      reconnectLater(next);
      await next.end().catch(() => undefined);
      return;
    }
    isReady = true;
    pauseMs = RECONNECT_PAUSE_MIN_MS;
    heartbeat = setInterval(() => void next.query('select 1').catch(() => undefined), HEARTBEAT_MS);
    for (const listener of gapListeners) listener();
  }

  void connect();
  return {
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    onGap: (listener) => gapListeners.push(listener),
    isListening: () => isReady,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(heartbeat);
      await client?.end().catch(() => undefined);
    },
  };
}
