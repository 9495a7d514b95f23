import { keepTokenFresh } from '@athos/app-core/token-freshness';
import { useEffect } from 'react';
import { keepCopies } from '../api/offline-copies.ts';
import { client } from '../api/http.ts';
import { IdleWarning } from '../features/overlays/idle-warning.tsx';
import { OfflineBar } from '../features/overlays/offline-bar.tsx';
import { UpdateOffer } from '../features/overlays/update-offer.tsx';
import { keepScrollPlace } from '../state/scroll-place.ts';
import { session } from '../state/session.ts';
import { registerServiceWorker } from '../state/service-worker.ts';

/** What of the signed-in app no first screen needs: fetched when that one is there and the phone has nothing to do. */
export function AppExtras({ userUuid }: { userUuid: string }) {
  useEffect(() => keepTokenFresh({ session, client }), []);
  useEffect(() => keepCopies(userUuid), [userUuid]);
  useEffect(() => void registerServiceWorker(), []);
  useEffect(keepScrollPlace, []);
  return (
    <>
      <OfflineBar />
      <UpdateOffer />
      <IdleWarning />
    </>
  );
}
