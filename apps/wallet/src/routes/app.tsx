import { logScreenFailure } from '@athos/app-core/log';
import { LinkProvider } from '@athos/ui/primitives/link';
import { ScreenErrorBoundary } from '@athos/ui/layout/screen-error-boundary';
import { Splash } from '@athos/ui/layout/splash';
import { Toaster } from '@athos/ui/overlays/toaster';
import { BrowserRouter, RouterLink } from '@athos/app-core/browser-router';
import { useValue } from '@athos/app-core/value';
import { useDeferredValue, useState } from 'react';
import { ReconnectModal } from '../features/overlays/reconnect-modal.tsx';
import { session } from '../state/session.ts';
import { GuardedRoutes } from './guarded-routes.tsx';
import { NavigationEffects } from './navigation-effects.tsx';

/** The whole app. Spec 2: the session is initialised before any route is resolved. */
export function App() {
  // The first screens render in slices, so the phone stays responsive.
  const status = useDeferredValue(useValue(session).status);
  const [isStarting, setIsStarting] = useState(status === 'starting');
  if (isStarting && status !== 'starting') setIsStarting(false);
  return (
    <ScreenErrorBoundary onError={logScreenFailure}>
      {isStarting ? <Splash /> : <Screens />}
      <Toaster />
      <ReconnectModal />
    </ScreenErrorBoundary>
  );
}

/**
 * The router without its data layer, which would add 20 kB to the first page's 110. TanStack Query manages server
 * state.
 */
function Screens() {
  return (
    <BrowserRouter>
      <LinkProvider link={RouterLink}>
        <GuardedRoutes />
        <NavigationEffects />
      </LinkProvider>
    </BrowserRouter>
  );
}
