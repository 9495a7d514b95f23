import { registerServiceWorker } from '@athos/app-core/service-worker';
import { keepTokenFresh } from '@athos/app-core/token-freshness';
import { lazy, Suspense, useEffect, type ComponentType } from 'react';
import { tellArrivals } from '../api/arrivals.ts';
import { keepContactsShared } from '../api/contact-sync.ts';
import { keepCopies } from '../api/offline-copies.ts';
import { client } from '../api/http.ts';
import { ConfirmationGate } from '../features/overlays/confirmation-gate.tsx';
import { IdleWarning } from '../features/overlays/idle-warning.tsx';
import { OfflineBar } from '../features/overlays/offline-bar.tsx';
import { RecoveryBar } from '../features/overlays/recovery-bar.tsx';
import { StoppedBar } from '../features/overlays/stopped-bar.tsx';
import { TermsGate } from '../features/overlays/terms-gate.tsx';
import { UpdateOffer } from '../features/overlays/update-offer.tsx';
import { UndoBar } from '../features/overlays/undo-bar.tsx';
import { isInShell } from '../native/shell.ts';
import { isPasskeyInvited } from '../state/own-choices.ts';
import { keepScrollPlace } from '../state/scroll-place.ts';
import { session } from '../state/session.ts';

/** Matches `shells.ts` of packages/app-build. */
const WORKER = { url: '/sw.js', page: '/app', cachePrefix: 'shell-' };

/** Shown to few users. It renders nothing if it cannot be loaded, because the settings offer the same. */
const PasskeyInvitation = lazy<ComponentType>(() =>
  import('../features/security/passkey-invitation.tsx').then(
    (invitation) => ({ default: invitation.PasskeyInvitation }),
    () => ({ default: () => null }),
  ),
);

/** Parts of the signed-in app that no first screen needs, fetched when that screen is shown and the device is idle. */
export function AppExtras({ userUuid }: { userUuid: string }) {
  useEffect(() => keepTokenFresh({ session, client }), []);
  useEffect(() => keepCopies(userUuid), [userUuid]);
  useEffect(() => tellArrivals(userUuid), [userUuid]);
  useEffect(() => keepContactsShared(userUuid), [userUuid]);
  useEffect(() => {
    // The packaged app contains its build.
    if (!isInShell()) void registerServiceWorker(WORKER);
  }, []);
  useEffect(keepScrollPlace, []);
  return (
    <>
      <OfflineBar />
      <RecoveryBar />
      <StoppedBar />
      <UndoBar />
      {isPasskeyInvited(userUuid) && (
        <Suspense>
          <PasskeyInvitation />
        </Suspense>
      )}
      <TermsGate />
      <ConfirmationGate />
      <UpdateOffer />
      <IdleWarning />
    </>
  );
}
