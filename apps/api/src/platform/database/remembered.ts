import type { Notifications } from './notifications.ts';

interface RememberedOptions<T> {
  readonly notifications: Notifications;
  /** The channel on which every change is announced, in the transaction that makes it. */
  readonly channel: string;
  readonly read: () => Promise<T>;
}

/**
 * A value of the database, kept in memory until a notification says that it has changed, so that asking for it costs no query. The value
 * is not cached while notifications may be lost. Concurrent callers share one query, because after a gap all of them ask at once.
 */
export function createRemembered<T>({
  notifications,
  channel,
  read,
}: RememberedOptions<T>): () => Promise<T> {
  let known: { readonly value: T } | undefined;
  let reading: Promise<T> | undefined;
  // Counts notifications, so that a value read before one is not remembered after it.
  let newsCount = 0;

  const forget = (): void => {
    known = undefined;
    reading = undefined;
    newsCount += 1;
  };
  notifications.on(channel, forget);
  notifications.onGap(forget);

  async function readAndRemember(): Promise<T> {
    const newsBefore = newsCount;
    const value = await read();
    // A caller that asked after the notification must see the change. The value is cached by the next call.
    if (newsCount !== newsBefore) return read();
    if (notifications.isListening()) known = { value };
    return value;
  }

  return () => {
    if (known !== undefined && notifications.isListening()) return Promise.resolve(known.value);
    if (reading !== undefined) return reading;
    const own = readAndRemember().finally(() => {
      if (reading === own) reading = undefined;
    });
    reading = own;
    return own;
  };
}
