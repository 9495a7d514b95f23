import { askHealth, isNetworkLost, pollHealth } from '@athos/app-core/network';
import { openRecentScans } from '../state/recent-scans.ts';
import { session } from '../state/session.ts';
import { openVenue } from '../state/venue.ts';

/** Opens what this device remembers of the signed-in user. */
function openMemory(): void {
  const current = session.get();
  if (current.status !== 'signed_in') return;
  openVenue(current.uuid);
  openRecentScans(current.uuid);
}

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
    session.subscribe(openMemory),
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
