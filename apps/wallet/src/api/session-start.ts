/** Refreshing the token: at the start of the app and at half of its life (spec 4, decisions "Sessions"). */
import { ApiError, isTemporary } from '@athos/client/errors';
import { INVALIDATED_MARKER, usableToken } from '@athos/client/token-store';
import { log } from '../state/log.ts';
import { isNetworkLost, isReadingOffline, isStartDelayed } from '../state/network.ts';
import { beginSession, endSession, session, startSignedOut } from '../state/session.ts';
import { readClaims, type TokenClaims } from '../state/token-claims.ts';
import { tokenStore } from '../state/token.ts';
import { client } from './http.ts';

const PAUSE_FIRST_MS = 1000;
const PAUSE_MAX_MS = 30_000;
/** However short a token lives, or wrong a clock is, this much time lies between two refreshes. */
const REFRESH_EVERY_MIN_MS = 5000;
/** The server's clock is known to about half a second. */
const CLOCK_TOLERANCE_MS = 2000;
/** Longest wait that a browser's timer holds without turning into none. */
const TIMER_MAX_MS = 2 ** 31 - 1;

const halfLifeMs = (claims: TokenClaims): number => (claims.issuedAtMs + claims.expiresAtMs) / 2;

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
    const token = usableToken(tokenStore);
    if (token === undefined) {
      endSession('refused');
      return;
    }
    try {
      const fresh = await client.call('refreshJwt', { query: { token } });
      // Signed out, or in as somebody else, while this was on its way: the answer is of no more use.
      if (tokenStore.read() === token) beginSession(fresh);
      return;
    } catch (error) {
      if (isRefusal(error)) {
        if (tokenStore.read() === token) tokenStore.write(INVALIDATED_MARKER);
        if (usableToken(tokenStore) === undefined) endSession('refused');
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
  if (usableToken(tokenStore) === undefined) {
    startSignedOut();
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

/** Refreshes the token at half of its life for as long as the session lasts. Returns the function that ends this. */
export function keepTokenFresh(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  function schedule(): void {
    if (isOver) return;
    const claims = readClaims(usableToken(tokenStore) ?? '');
    if (claims === undefined) return;
    const waitMs = Math.max(REFRESH_EVERY_MIN_MS, halfLifeMs(claims) - client.serverNowMs());
    timer = setTimeout(refresh, Math.min(waitMs, TIMER_MAX_MS));
  }

  function refresh(): void {
    const claims = readClaims(usableToken(tokenStore) ?? '');
    const leftMs = claims === undefined ? 0 : halfLifeMs(claims) - client.serverNowMs();
    const isDue = claims !== undefined && leftMs <= CLOCK_TOLERANCE_MS;
    // Another tab may have refreshed the token of both.
    if (!isDue) return schedule();
    refreshNow().then(schedule, (error: unknown) =>
      log('refresh_failed', { error: String(error) }),
    );
  }

  /** A sleeping machine runs no timers. */
  function handleWake(): void {
    if (document.visibilityState !== 'visible' || session.get().status !== 'signed_in') return;
    clearTimeout(timer);
    schedule();
  }

  schedule();
  document.addEventListener('visibilitychange', handleWake);
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', handleWake);
  };
}
