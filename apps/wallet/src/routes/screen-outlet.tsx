import { ViewTransition } from 'react';
import { useLocation, useOutlet } from 'react-router';
import { ScreenErrorBoundary } from './screen-error-boundary.tsx';

/**
 * The place of the screen. A change of screen is a view transition of the screen alone (look.md), and the screen before
 * stays until the next one is fetched (so no Suspense here: a new boundary would show its fallback). A screen that fails takes nothing else with it.
 */
export function ScreenOutlet() {
  const { pathname } = useLocation();
  const outlet = useOutlet();
  return (
    <ScreenErrorBoundary key={pathname}>
      <ViewTransition enter="auto" exit="auto" default="none">
        {outlet}
      </ViewTransition>
    </ScreenErrorBoundary>
  );
}
