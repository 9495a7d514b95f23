/** Refreshing the token at the start of the app (spec 4, decisions "Sessions"). */
import { ApiError, isTemporary } from '@athos/client/errors';
import { log } from '../state/log.ts';
import { isNetworkLost, isReadingOffline, isStartDelayed } from '../state/network.ts';
import { session } from '../state/session.ts';
import { client } from './http.ts';

const PAUSE_FIRST_MS = 1000;
const PAUSE_MAX_MS = 30_000;

/** Over at once when the network is back. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    const unsubscribe = isNetworkLost.subscribe(() => {
      if (isNetworkLost.get()) return;
      unsubscribe();
      resolve();
    });
  });

/** Decision "Refresh failure at start": these alone mean that the server refused the token. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && [400, 401, 403].includes(error.status);

/** Refreshes until the server takes or refuses the token. Waits with growing pauses while it does neither. */
async function refreshUntilAnswered(onDelay: () => void): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const token = session.token();
    if (token === undefined) {
      session.end('refused');
      return;
    }
    try {
      const fresh = await client.call('refreshJwt', { query: { token } });
      // Signed out, or in as somebody else, while this was on its way: the answer is of no more use.
      if (session.token() === token) session.begin(fresh);
      return;
    } catch (error) {
      if (isRefusal(error)) {
        if (session.token() === token || session.token() === undefined) session.end('refused');
        return;
      }
      if (!isTemporary(error)) log('refresh_failed', { error: String(error) });
      onDelay();
    }
    await pause(Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** attempt));
  }
}

/** Spec 4: a stored token is refreshed; without one, or with the marker, the app starts signed out. */
export async function startSession(): Promise<void> {
  if (session.token() === undefined) {
    session.resume();
    return;
  }
  await refreshUntilAnswered(() => {
    if (isReadingOffline.get()) return;
    isStartDelayed.set(true);
    offerReading();
  });
  isStartDelayed.set(false);
}

/** What was last known can be read meanwhile. Code that cannot be fetched offers nothing. */
const offerReading = (): void =>
  void import('./offline-start.ts').then(
    ({ offerOfflineStart }) => offerOfflineStart(),
    () => undefined,
  );

/** Refreshes at once, as when the server told that it ended the session: its refusal then ends it here. */
export const refreshNow = (): Promise<void> => refreshUntilAnswered(() => undefined);
