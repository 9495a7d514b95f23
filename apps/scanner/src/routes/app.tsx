import { logScreenFailure } from '@athos/app-core/log';
import { LinkProvider } from '@athos/ui/primitives/link';
import { ScreenErrorBoundary } from '@athos/ui/layout/screen-error-boundary';
import { Splash } from '@athos/ui/layout/splash';
import { BrowserRouter, RouterLink } from '@athos/app-core/browser-router';
import { useValue } from '@athos/app-core/value';
import { lazy, Suspense, type ComponentType } from 'react';
import { OfflineBanner } from '../features/overlays/offline-banner.tsx';
import { SignInScreen } from '../features/sign-in/sign-in-screen.tsx';
import { session } from '../state/session.ts';
import { BASE_PATH } from './paths.ts';

/** Loaded after the first page, which does not need the code behind the sign-in. */
const StaffRoutes = lazy(async () => ({
  default: (await import('./staff-routes.tsx')).StaffRoutes,
}));

/** For devices that redeem without a network. The sign-in does not wait for it. */
const WaitingLog = lazy<ComponentType>(() =>
  import('../features/scan/offline-log-section.tsx').then(
    (section) => ({ default: section.WaitingLog }),
    () => ({ default: () => null }),
  ),
);

/** The whole app. While signed out, every address shows the sign-in, afterwards its own screen. */
export function App() {
  const current = useValue(session);
  return (
    <ScreenErrorBoundary onError={logScreenFailure}>
      <BrowserRouter basename={BASE_PATH}>
        <LinkProvider link={RouterLink}>
          <OfflineBanner />
          <Suspense fallback={<Splash />}>
            {current.status === 'signed_in' && (
              <StaffRoutes key={current.uuid} userUuid={current.uuid} />
            )}
            {current.status === 'signed_out' && (
              <SignInScreen end={current.end}>
                <Suspense>
                  <WaitingLog />
                </Suspense>
              </SignInScreen>
            )}
          </Suspense>
        </LinkProvider>
      </BrowserRouter>
    </ScreenErrorBoundary>
  );
}
