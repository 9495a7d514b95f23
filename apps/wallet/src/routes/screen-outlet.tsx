import { logScreenFailure } from '@athos/app-core/log';
import { ScreenErrorBoundary } from '@athos/ui/layout/screen-error-boundary';
import { ViewTransition } from 'react';
import { useLocation, useOutlet } from 'react-router';

/**
 * Where the screen is rendered. A change of screen is a view transition of the screen alone, and the old screen stays until
 * the next one is fetched: a Suspense boundary here would show its fallback instead. A screen that fails leaves the rest
 * of the page standing.
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
