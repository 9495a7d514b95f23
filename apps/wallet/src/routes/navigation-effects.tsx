import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { settings } from '../state/settings.ts';

const PageViews = lazy(async () => ({ default: (await import('./page-views.tsx')).PageViews }));

/** What a page load would do, at every navigation: a page view (spec 2), the focus on the new screen, the top of the page. */
export function NavigationEffects() {
  const { pathname, key } = useLocation();
  const type = useNavigationType();
  const isFirst = useRef(true);

  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    // Going back, the browser restores where the page was.
    if (type !== 'POP') scrollTo(0, 0);
    // A screen that put the focus in a field of its own keeps it there.
    if (!document.activeElement?.closest('main, dialog, [role="dialog"]')) {
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    }
  }, [pathname, key, type]);

  return (
    settings().analyticsUrl && (
      <Suspense>
        <PageViews />
      </Suspense>
    )
  );
}
