/** Refreshes the token halfway through its lifetime (D-061). */
import { refreshToken, type TokenUse } from './refresh.ts';

/** Minimum time between two refreshes, even if the token is very short-lived or a clock is wrong. */
const REFRESH_EVERY_MIN_MS = 5000;
/** The server's clock is known to within about half a second. */
const CLOCK_TOLERANCE_MS = 2000;
/** The longest delay of a browser timer; a longer one fires immediately. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Refreshes the token halfway through its lifetime, starting after `first`, a refresh that is already running. Returns
 * a function that stops.
 */
export function keepTokenFresh(use: TokenUse, first: Promise<void> = Promise.resolve()) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isRefreshing = false;

  /** Returns `undefined` without a token. */
  function untilHalfLifeMs(): number | undefined {
    const claims = use.session.claims();
    if (claims === undefined) return undefined;
    return (claims.issuedAtMs + claims.expiresAtMs) / 2 - use.client.serverNowMs();
  }

  function schedule(): void {
    clearTimeout(timer);
    const leftMs = untilHalfLifeMs();
    if (isOver || isRefreshing || leftMs === undefined) return;
    const waitMs = Math.max(REFRESH_EVERY_MIN_MS, leftMs);
    timer = setTimeout(handleTimer, Math.min(waitMs, TIMER_MAX_MS));
  }

  function follow(refresh: Promise<void>): void {
    isRefreshing = true;
    void refresh.then(() => {
      isRefreshing = false;
      schedule();
    });
  }

  function handleTimer(): void {
    // Another tab may have refreshed the shared token.
    const isDue = (untilHalfLifeMs() ?? Infinity) <= CLOCK_TOLERANCE_MS;
    if (isDue) follow(refreshToken(use));
    else schedule();
  }

  /** Timers do not run while a device sleeps. */
  function handleWake(): void {
    if (document.visibilityState === 'visible') schedule();
  }

  follow(first);
  document.addEventListener('visibilitychange', handleWake);
  return (): void => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', handleWake);
  };
}
