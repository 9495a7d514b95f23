import { askHealth, isNetworkLost, pollHealth } from '@athos/app-core/network';
import { resumeSession } from '../api/session.ts';
import { followKeys } from '../kit/keys.ts';

/** A browser that reports being offline is right. One that reports being online may be wrong, so only that is checked. */
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

/** Starts everything that runs as long as the page lives. Returns a function that stops it, for tests. */
export function startApp(): () => void {
  const stops = [pollHealth(''), followConnection(), followKeys()];
  void resumeSession();
  return () => {
    for (const stop of stops) stop();
  };
}
