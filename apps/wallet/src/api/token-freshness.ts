/** Refreshing the token at half of its life (decisions "Sessions"). */
import type { TokenClaims } from '@athos/app-core/session';
import { log } from '../state/log.ts';
import { session } from '../state/session.ts';
import { client } from './http.ts';
import { refreshNow } from './session-start.ts';

/** However short a token lives, or wrong a clock is, this much time lies between two refreshes. */
const REFRESH_EVERY_MIN_MS = 5000;
/** The server's clock is known to about half a second. */
const CLOCK_TOLERANCE_MS = 2000;
/** Longest wait that a browser's timer holds without turning into none. */
const TIMER_MAX_MS = 2 ** 31 - 1;

const halfLifeMs = (claims: TokenClaims): number => (claims.issuedAtMs + claims.expiresAtMs) / 2;

/** Refreshes the token at half of its life for as long as the session lasts. Returns the function that ends this. */
export function keepTokenFresh(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  function schedule(): void {
    if (isOver) return;
    const claims = session.claims();
    if (claims === undefined) return;
    const waitMs = Math.max(REFRESH_EVERY_MIN_MS, halfLifeMs(claims) - client.serverNowMs());
    timer = setTimeout(refresh, Math.min(waitMs, TIMER_MAX_MS));
  }

  function refresh(): void {
    const claims = session.claims();
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
