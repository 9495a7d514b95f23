import { logScreenFailure } from '@athos/app-core/log';
import { queryClient } from '@athos/app-core/query-client';
import { useValue } from '@athos/app-core/value';
import type { Permission } from '@athos/contract/console/permissions';
import { m } from '@athos/messages/messages';
import { ScreenErrorBoundary } from '@athos/ui/layout/screen-error-boundary';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { followEvents } from '../api/live-updates.ts';
import { followSessionEnd } from '../api/session-end.ts';
import { followPerson } from '../api/session-person.ts';
import { ProofDialog } from '../features/proof/proof-dialog.tsx';
import { IdleDialog } from '../features/shell/session-ending.tsx';
import { Shell } from '../features/shell/shell.tsx';
import { Forbidden, NotFound } from '../kit/failure.tsx';
import { Page } from '../kit/page.tsx';
import { useHolds } from '../kit/permission.ts';
import { abandonProof } from '../state/proof.ts';
import { session } from '../state/session.ts';
import { FailedScreen } from './failed-screen.tsx';
import { paths } from './paths.ts';
import { SCREENS } from './screens.tsx';
import { permittedSections } from './sections.ts';

// Loaded on demand: otherwise every screen would include them.
const EnrolScreen = lazy(async () => ({
  default: (await import('../features/me/enrol-screen.tsx')).EnrolScreen,
}));
const DashboardScreen = lazy(async () => ({
  default: (await import('../features/dashboard/dashboard-screen.tsx')).DashboardScreen,
}));
const MeScreen = lazy(async () => ({
  default: (await import('../features/me/me-screen.tsx')).MeScreen,
}));

/** The query cache and an act that waits for a proof belong to one person, and end with their session. */
function WithQueries({ children }: { children: ReactNode }) {
  useEffect(() => followSessionEnd(), []);
  useEffect(() => followPerson(() => location.reload()), []);
  useEffect(
    () => () => {
      queryClient.clear();
      abandonProof();
    },
    [],
  );
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <ProofDialog />
      <IdleDialog />
    </QueryClientProvider>
  );
}

export function EnrolRoutes() {
  return (
    <WithQueries>
      <Suspense fallback={<ScreenSkeleton />}>
        <EnrolScreen />
      </Suspense>
    </WithQueries>
  );
}

/** Every screen behind the sign-in, for one signed-in person. */
export function StaffRoutes() {
  const current = useValue(session);
  const { pathname } = useLocation();
  const holds = useHolds();
  const [sections] = useState(() => permittedSections(holds));
  useEffect(() => followEvents(), []);
  if (current.status !== 'signed_in') return null;
  const first = sections[0]?.items[0]?.path ?? paths.me;
  return (
    <WithQueries>
      <Shell staff={current.staff} sections={sections}>
        <ScreenErrorBoundary
          onError={logScreenFailure}
          fallback={<FailedScreen />}
          place={pathname}
        >
          <Suspense fallback={<ScreenSkeleton />}>
            <Routes>
              <Route
                path={paths.home}
                element={
                  holds('dashboard.read') ? <DashboardScreen /> : <Navigate to={first} replace />
                }
              />
              <Route path={paths.invite} element={<Navigate to={first} replace />} />
              <Route path={paths.me} element={<MeScreen />} />
              {SCREENS.map(({ path, permission, screen }) => (
                <Route
                  key={path}
                  path={path}
                  element={holds(permission) ? screen : <ForbiddenScreen permission={permission} />}
                />
              ))}
              <Route
                path="*"
                element={
                  <Page title={m.console_not_found_title()}>
                    <NotFound />
                  </Page>
                }
              />
            </Routes>
          </Suspense>
        </ScreenErrorBoundary>
      </Shell>
    </WithQueries>
  );
}

const ForbiddenScreen = ({ permission }: { permission: Permission }) => (
  <Page title={m.console_forbidden_title()}>
    <Forbidden permission={permission} isTitled />
  </Page>
);

const ScreenSkeleton = () => (
  <div role="status" aria-label={m.common_loading()} className="flex flex-col gap-4">
    <Skeleton className="h-7 w-40" />
    <Skeleton className="h-8 w-64" />
    <Skeleton className="h-72 w-full" />
  </div>
);
