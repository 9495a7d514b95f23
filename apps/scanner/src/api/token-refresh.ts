/** Refreshes the token at the start and at half of its life (decisions "Sessions"), so that no shift ends in the middle. */
import { ApiError, isTemporary } from '@athos/client/errors';
import { log } from '../state/log.ts';
import { session } from '../state/session.ts';
import { client } from './http.ts';

const PAUSE_FIRST_MS = 1000;
const PAUSE_MAX_MS = 30_000;
/** However short a token lives, or wrong a clock is, this much time lies between two refreshes. */
const REFRESH_EVERY_MIN_MS = 5000;
/** Longest wait that a browser's timer holds without turning into none. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Decision "Refresh failure at start": these alone mean that the server refused the token. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && [400, 401, 403].includes(error.status);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until the server takes or refuses the token, or `isOver`. */
async function refresh(isOver: () => boolean): Promise<void> {
  for (let attempt = 0; !isOver(); attempt += 1) {
    const token = session.token();
    if (token === undefined) return session.end('refused');
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
    }
    await pause(Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** attempt));
  }
}

/** Refreshes now and from then on at half of each token's life. Returns the function that ends this. */
export function keepTokenFresh(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isRefreshing = false;

  function refreshNow(): void {
    if (isRefreshing) return;
    isRefreshing = true;
    void refresh(() => isOver).finally(() => {
      isRefreshing = false;
      schedule();
    });
  }

  function schedule(): void {
    clearTimeout(timer);
    const claims = session.claims();
    if (isOver || claims === undefined) return;
    const halfLifeMs = (claims.issuedAtMs + claims.expiresAtMs) / 2;
    const waitMs = Math.max(REFRESH_EVERY_MIN_MS, halfLifeMs - client.serverNowMs());
    timer = setTimeout(refreshNow, Math.min(waitMs, TIMER_MAX_MS));
  }

  /** A sleeping phone runs no timers. */
  function handleWake(): void {
    if (document.visibilityState === 'visible' && !isRefreshing) schedule();
  }

  refreshNow();
  document.addEventListener('visibilitychange', handleWake);
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', handleWake);
  };
}
