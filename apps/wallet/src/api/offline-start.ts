/** A start without a network: whoever was signed in may look at what was last known. */
import { isNetworkLost } from '@athos/app-core/network';
import { isStartDelayed, startReadingOffline } from '../state/network.ts';
import { session } from '../state/session.ts';
import { hasCopies, readOffline } from './offline-copies.ts';

/**
 * Offers it, where the network is what is missing, the token is not past its end, and there is something to read. The
 * refresh goes on: it is the server that decides as soon as it answers.
 */
export function offerOfflineStart(): void {
  const claims = session.claims();
  if (!isNetworkLost.get() || session.get().status !== 'starting' || claims === undefined) return;
  if (claims.expiresAtMs <= Date.now() || !hasCopies(claims.sub)) return;
  const begin = (): void => {
    readOffline(claims.sub);
    isStartDelayed.set(false);
    session.resume();
  };
  startReadingOffline.set(begin);
  // The start is over. Left standing, a later loss would offer an ended session to whoever is there.
  const unsubscribe = session.subscribe(() => {
    unsubscribe();
    if (startReadingOffline.get() === begin) startReadingOffline.set(undefined);
  });
}
