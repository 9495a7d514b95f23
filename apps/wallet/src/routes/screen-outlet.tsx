import { logScreenFailure } from '@athos/app-core/log';
import { ScreenErrorBoundary } from '@athos/ui/layout/screen-error-boundary';
import { ViewTransition } from 'react';
import { useLocation, useOutlet } from 'react-router';

/**
 * The place of the screen. A change of screen is a view transition of the screen alone (look.md), and the screen before
 * stays until the next one is fetched (so no Suspense here: a new boundary would show its fallback). A screen that fails takes nothing else with it.
 */
export function ScreenOutlet() {
  const { pathname } = useLocation();
  const outlet = useOutlet();
  return (
    <ScreenErrorBoundary key={pathname} onError={logScreenFailure}>
      <ViewTransition enter="auto" exit="auto" default="none">
        {outlet}
      </ViewTransition>
    </ScreenErrorBoundary>
  );
}
