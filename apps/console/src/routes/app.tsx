import { BrowserRouter, RouterLink } from '@athos/app-core/browser-router';
import { logScreenFailure } from '@athos/app-core/log';
import { useValue } from '@athos/app-core/value';
import { ScreenErrorBoundary } from '@athos/ui/layout/screen-error-boundary';
import { Splash } from '@athos/ui/layout/splash';
import { Toaster } from '@athos/ui/overlays/toaster';
import { LinkProvider } from '@athos/ui/primitives/link';
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { SignInScreen } from '../features/sign-in/sign-in-screen.tsx';
import { session } from '../state/session.ts';
import { BASE_PATH, paths } from './paths.ts';

/** Loaded after the sign-in, which needs none of it. */
const StaffRoutes = lazy(async () => ({
  default: (await import('./staff-routes.tsx')).StaffRoutes,
}));
const EnrolRoutes = lazy(async () => ({
  default: (await import('./staff-routes.tsx')).EnrolRoutes,
}));
const InviteScreen = lazy(async () => ({
  default: (await import('../features/sign-in/invite-screen.tsx')).InviteScreen,
}));

/** The whole app. While signed out, every address shows the sign-in, afterwards its own screen. */
export function App() {
  return (
    <ScreenErrorBoundary onError={logScreenFailure}>
      <BrowserRouter basename={BASE_PATH}>
        <LinkProvider link={RouterLink}>
          <Toaster />
          <Suspense fallback={<Splash />}>
            <Current />
          </Suspense>
        </LinkProvider>
      </BrowserRouter>
    </ScreenErrorBoundary>
  );
}

function Current() {
  const current = useValue(session);
  const { pathname } = useLocation();
  switch (current.status) {
    case 'starting':
      return <Splash />;
    case 'signed_out':
      return pathname === paths.invite ? <InviteScreen /> : <SignInScreen end={current.end} />;
    case 'enrolling':
      return <EnrolRoutes />;
    case 'signed_in':
      return <StaffRoutes key={current.staff.id} />;
  }
}
