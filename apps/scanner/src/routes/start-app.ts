import { askHealth, isNetworkLost, pollHealth } from '@athos/app-core/network';
import { session } from '../state/session.ts';

/**
 * A browser that reports being offline is right. One that reports being online may be wrong, so only that is checked.
 */
function followConnection(): () => void {
  const handleOffline = (): void => isNetworkLost.set(true);
  const handleOnline = (): void => void askHealth('');
  addEventListener('offline', handleOffline);
  addEventListener('online', handleOnline);
  return () => {
    removeEventListener('offline', handleOffline);
    removeEventListener('online', handleOnline);
  };
}

/**
 * Starts everything that runs as long as the page lives, before the first render. Returns a function that stops it, for
 * tests.
 */
export function startApp(): () => void {
  const stops = [
    session.followOtherTabs({ endOf: () => 'left', reload: () => location.reload() }),
    pollHealth(''),
    followConnection(),
  ];
  // A bar's network may be slow, so the session resumes without a refresh. The first call shows whether the token is
  // valid.
  session.resume();
  return () => {
    for (const stop of stops) stop();
  };
}
