import { optionalPart } from '@athos/ui/layout/optional-part';
import { Suspense, useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { settings } from '../state/settings.ts';
import { useScreenPlace } from './screen-place.ts';

const PageViews = optionalPart(async () => (await import('./page-views.tsx')).PageViews);

/**
 * Does at every navigation what a page load would do: counts a page view (spec 2), focuses the new screen and scrolls
 * to the top.
 */
export function NavigationEffects() {
  const { pathname, key } = useLocation();
  const type = useNavigationType();
  const place = useScreenPlace();
  const lastPlace = useRef<string>(undefined);

  useEffect(() => {
    const isFirst = lastPlace.current === undefined;
    const hasStayed = lastPlace.current === place && place !== pathname;
    lastPlace.current = place;
    // Beside a list, the list keeps its position and the focus.
    if (isFirst || hasStayed) return;
    // On the way back the browser restores the scroll position.
    if (type !== 'POP') scrollTo(0, 0);
    // If a screen has focused one of its fields, the focus stays there.
    if (!document.activeElement?.closest('main, dialog, [role="dialog"]')) {
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    }
  }, [pathname, place, key, type]);

  return (
    settings().analyticsUrl && (
      <Suspense>
        <PageViews />
      </Suspense>
    )
  );
}
