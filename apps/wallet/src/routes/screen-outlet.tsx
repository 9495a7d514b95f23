import { logScreenFailure } from '@athos/app-core/log';
import { ScreenErrorBoundary } from '@athos/ui/layout/screen-error-boundary';
import { ViewTransition } from 'react';
import { useOutlet } from 'react-router';
import { useScreenPlace } from './screen-place.ts';

/**
 * Renders the current screen. A change of screen is a view transition of the screen alone. The old screen stays until
 * the next one is loaded, so there is no Suspense boundary here, which would show its fallback instead. If a screen
 * fails, the rest of the page remains usable.
 */
export function ScreenOutlet() {
  const place = useScreenPlace();
  const outlet = useOutlet();
  return (
    <ScreenErrorBoundary key={place} onError={logScreenFailure}>
      <ViewTransition enter="auto" exit="auto" default="none">
        {outlet}
      </ViewTransition>
    </ScreenErrorBoundary>
  );
}
