import type { Log } from '../log/log.ts';
import { LastingConnection } from './lasting-connection.ts';

/** Messages between processes through the database. Payloads are ids, never secrets. */
export interface Notifications {
  on(channel: string, listener: (payload: string) => void): void;
  /**
   * Tells every process about an earlier commit. Unlike `pg_notify` in the transaction itself, it makes no commit wait for another one.
   * It may be lost: announce only what the readers also poll.
   */
  announce(channel: string, payload: string): void;
  /**
   * Called when listening starts, at first and after every interruption: notifications may have been lost before, so cached
   * state must be dropped. `lostAtMs`: when the server was last found missing, on the clock of `performance.now`.
   */
  onGap(listener: (lostAtMs: number) => void): void;
  /** Whether notifications of every channel arrive at the moment. */
  isListening(): boolean;
  close(): Promise<void>;
}

const LISTEN_TIMEOUT_MS = 2_000;
const ANNOUNCE_TIMEOUT_MS = 2_000;
const ANNOUNCE_SQL =
  'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) said (channel, payload)';

/** Listens on a dedicated connection. */
export function listenForNotifications(databaseUrl: string, log: Log): Notifications {
  const listeners = new Map<string, ((payload: string) => void)[]>();
  const gapListeners: ((lostAtMs: number) => void)[] = [];
  let lostAtMs = -Infinity;
  /** The channels that the current connection listens on. */
  const heard = new Set<string>();
  const connection = new LastingConnection({
    databaseUrl,
    applicationName: 'athos-listener',
    log,
    // A notification holds a database-wide lock until its commit has ended, so that commit must not wait.
    serverOptions: '-c synchronous_commit=off',
    onUp(at) {
      lostAtMs = at;
      heard.clear();
      void listenTo([...listeners.keys()]);
    },
    onNotification(channel, payload) {
      for (const listener of listeners.get(channel) ?? []) {
        try {
          listener(payload);
        } catch (error) {
          // Thrown on, it would end the process, and every other one that listens.
          log.error({ err: error, channel }, 'a notification could not be used');
        }
      }
    },
  });

  const isListening = (): boolean => connection.isUp() && heard.size === listeners.size;

  async function listenTo(channels: readonly string[]): Promise<void> {
    try {
      const listen = async (channel: string): Promise<void> => {
        await connection.query({ text: `listen ${channel}` }, LISTEN_TIMEOUT_MS);
        heard.add(channel);
      };
      await Promise.all(channels.map(listen));
    } catch (error) {
      connection.drop(error instanceof Error ? error : new Error(String(error)));
    }
    if (isListening()) for (const listener of gapListeners) listener(lostAtMs);
  }

  const unsaid: { readonly channel: string; readonly payload: string }[] = [];

  async function say(): Promise<void> {
    const said = unsaid.splice(0);
    const values = [said.map(({ channel }) => channel), said.map(({ payload }) => payload)];
    try {
      await connection.query({ name: 'announce', text: ANNOUNCE_SQL, values }, ANNOUNCE_TIMEOUT_MS);
    } catch (error) {
      log.warn({ err: error, count: said.length }, 'announcements were lost');
    }
  }

  return {
    announce(channel, payload) {
      // All announcements of one turn of the event loop share a statement.
      if (unsaid.push({ channel, payload }) === 1) setImmediate(() => void say());
    },
    on(channel, listener) {
      const known = listeners.get(channel);
      listeners.set(channel, [...(known ?? []), listener]);
      if (known === undefined && connection.isUp()) void listenTo([channel]);
    },
    onGap: (listener) => gapListeners.push(listener),
    isListening,
    close: () => connection.close(),
  };
}
