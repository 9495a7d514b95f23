import { watchNetwork } from '../api/health.ts';
import { openRecentScans } from '../state/recent-scans.ts';
import { session } from '../state/session.ts';
import { openVenue } from '../state/venue.ts';

/** What this device remembers of whoever is signed in. */
function openMemory(): void {
  const current = session.get();
  if (current.status !== 'signed_in') return;
  openVenue(current.uuid);
  openRecentScans(current.uuid);
}

/**
 * Begins, before the first rendering, what runs for as long as the page lives. Returns the function that ends it, which
 * the page never calls.
 */
export function startApp(): () => void {
  const stops = [
    session.subscribe(openMemory),
    session.followOtherTabs({ endOf: () => 'left', reload: () => location.reload() }),
    watchNetwork(),
  ];
  session.resume();
  return () => {
    for (const stop of stops) stop();
  };
}
