/** Starts with a stored token, which is refreshed before the first signed-in screen (spec 4). */
import { refreshToken } from '@athos/app-core/refresh';
import { isReadingOffline, isStartDelayed } from '../state/network.ts';
import { session } from '../state/session.ts';
import { client } from './http.ts';

export async function startSession(): Promise<void> {
  // Another tab may have signed out while this code was loading.
  if (session.token() === undefined) return session.resume();
  await refreshToken({ session, client }, () => {
    if (isReadingOffline.get()) return;
    isStartDelayed.set(true);
    offerReading();
  });
  isStartDelayed.set(false);
  // Another tab changed the token during the refresh, so the response was discarded.
  if (session.get().status === 'starting') session.resume();
}

/** Offers the last known data in the meantime, unless the code for that cannot be loaded. */
const offerReading = (): void =>
  void import('./offline-copies.ts').then(
    ({ offerOfflineStart }) => offerOfflineStart(),
    () => undefined,
  );
