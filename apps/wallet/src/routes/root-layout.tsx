import { LinkProvider } from '@athos/ui/link';
import { Toaster } from '@athos/ui/toaster';
import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { ReconnectModal } from '../features/overlays/reconnect-modal.tsx';
import { sendPageView } from '../state/page-views.ts';
import { RouterLink } from './router-link.tsx';

/** Around every screen: links, toasts, the lost connection, and what happens at each navigation. */
export function RootLayout() {
  return (
    <LinkProvider link={RouterLink}>
      <NavigationEffects />
      <Outlet />
      <Toaster />
      <ReconnectModal />
      <ScrollRestoration />
    </LinkProvider>
  );
}

/** A page view for each navigation (spec 2), and the focus on the new screen, as a page load would do. */
function NavigationEffects() {
  const { pathname, key } = useLocation();
  const isFirst = useRef(true);

  useEffect(() => {
    sendPageView(pathname);
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    // A screen that put the focus in a field of its own keeps it there.
    const focused = document.activeElement;
    if (focused === null || focused === document.body || !focused.closest('main')) {
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    }
  }, [pathname, key]);

  return null;
}
