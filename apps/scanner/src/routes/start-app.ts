import { askHealth, isNetworkLost, pollHealth } from '@athos/app-core/network';
import { session } from '../state/session.ts';

/** The browser is right about being offline and optimistic about being online, so only the latter is checked. */
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
 * Starts, before the first rendering, everything that runs as long as the page lives. Returns a function that stops it, for
 * tests.
 */
export function startApp(): () => void {
  const stops = [
    session.followOtherTabs({ endOf: () => 'left', reload: () => location.reload() }),
    pollHealth(''),
    followConnection(),
  ];
  // The network at a bar may be slow: the first call tells whether the token is still valid.
  session.resume();
  return () => {
    for (const stop of stops) stop();
  };
}
