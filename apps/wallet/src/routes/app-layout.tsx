import { queryClient } from '@athos/app-core/query-client';
import { useHasRoomBeside } from '@athos/ui/layout/room';
import { AppFrame } from '@athos/ui/layout/screen';
import { BottomNav } from '@athos/ui/layout/bottom-nav';
import { Splash } from '@athos/ui/layout/splash';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useValue } from '@athos/app-core/value';
import { QueryClientProvider } from '@tanstack/react-query';
import House from 'lucide-react/icons/house';
import Settings from 'lucide-react/icons/settings';
import ShoppingCart from 'lucide-react/icons/shopping-cart';
import Ticket from 'lucide-react/icons/ticket';
import Wallet from 'lucide-react/icons/wallet';
import { Activity, lazy, startTransition, Suspense, useEffect, useState } from 'react';
import type { ComponentType } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { startLiveUpdates } from '../api/live-updates.ts';
import { signOutAway } from '../api/sign-out.ts';
import { loadStartUpData } from '../api/start-up.ts';
import { AwayModal } from '../features/overlays/away-modal.tsx';
import { cartCount } from '../state/cart-item.ts';
import { useCart } from '../state/cart.ts';
import { watchIdle } from '../state/idle.ts';
import { session, type SessionEnd } from '../state/session.ts';
import { waitForSplash } from '../state/splash.ts';
import { paths } from './paths.ts';
import { ScreenOutlet } from './screen-outlet.tsx';

/** Wraps every signed-in screen and removes it when the session ends. */
export function AppLayout() {
  const current = useValue(session);
  return (
    <QueryClientProvider client={queryClient}>
      {current.status === 'signed_in' ? (
        <SignedIn key={current.uuid} userUuid={current.uuid} />
      ) : (
        <SignedOut end={current.status === 'signed_out' ? current.end : 'never_begun'} />
      )}
    </QueryClientProvider>
  );
}

/** Loads the data of a linked page in parallel with the app's. */
function prepareScreen(pathname: string): void {
  if (!pathname.startsWith(paths.marketplace)) return;
  import('./prepare-screen.ts').then(
    (preparing) => preparing.prepareScreen(pathname),
    () => undefined,
  );
}

/** If these parts cannot be loaded, the app works without them. */
const AppExtras = lazy<ComponentType<{ userUuid: string }>>(async () => {
  await new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
  return import('./app-extras.tsx').then(
    (extras) => ({ default: extras.AppExtras }),
    () => ({ default: () => null }),
  );
});

/** Not shown if it cannot be loaded: the history has the same entries. */
const RecentActivity = lazy<ComponentType>(() =>
  import('../features/history/recent-activity.tsx').then(
    (recent) => ({ default: recent.RecentActivity }),
    () => ({ default: () => null }),
  ),
);

/** `drawn`: the screen is rendered and loads its pictures behind the splash, which is shown for its minimum time. */
type Stage = 'loading' | 'drawn' | 'shown';

function SignedIn({ userUuid }: { userUuid: string }) {
  const [stage, setStage] = useState<Stage>('loading');

  useEffect(() => {
    let isGone = false;
    startLiveUpdates();
    prepareScreen(location.pathname);
    const enter = (next: Stage) => (): void => {
      if (!isGone) startTransition(() => setStage(next));
    };
    const loading = loadStartUpData();
    const showing = Promise.all([loading, waitForSplash()]);
    void loading.then(enter('drawn'));
    void showing.then(enter('shown'));
    const stopWatching = watchIdle(signOutAway);
    return () => {
      isGone = true;
      stopWatching();
    };
  }, []);

  const hasRoom = useHasRoomBeside();
  const isShown = stage === 'shown';
  return (
    <>
      {!isShown && <Splash />}
      {stage !== 'loading' && (
        <Activity mode={isShown ? 'visible' : 'hidden'}>
          <AppFrame
            nav={<MainNavigation />}
            activity={
              hasRoom && (
                <Suspense>
                  <RecentActivity />
                </Suspense>
              )
            }
          >
            {isShown && (
              <Suspense>
                <AppExtras userUuid={userUuid} />
              </Suspense>
            )}
            <ScreenOutlet />
          </AppFrame>
        </Activity>
      )}
    </>
  );
}

/** Spec 2: home, purchases, settings, wallet, cart, in this order. */
function MainNavigation() {
  const { pathname } = useLocation();
  const cartItemCount = cartCount(useCart().cart.items);
  const isBelow = (path: string): boolean => pathname === path || pathname.startsWith(`${path}/`);
  return (
    <BottomNav
      items={[
        {
          to: paths.home,
          label: m.shell_nav_home(),
          icon: <House size={22} />,
          isCurrent: pathname === paths.home || isBelow(paths.marketplace),
        },
        {
          to: paths.myPurchases,
          label: m.shell_nav_purchases(),
          icon: <Ticket size={22} />,
          isCurrent: isBelow(paths.myPurchases),
        },
        {
          to: paths.settings,
          label: m.shell_nav_settings(),
          icon: <Settings size={22} />,
          isCurrent: isBelow(paths.settings),
        },
        {
          to: paths.wallet,
          label: m.shell_nav_wallet(),
          icon: <Wallet size={22} />,
          isCurrent: isBelow(paths.wallet),
        },
        {
          to: paths.cart,
          label: m.shell_nav_cart(),
          icon: <ShoppingCart size={22} />,
          isCurrent: isBelow(paths.cart),
          badgeCount: cartItemCount,
          badgeLabel: m.shell_nav_cart_count({ count: cartItemCount }),
        },
      ]}
    />
  );
}

/** Keeps the address, whose guard then redirects the signed-out user. */
function SignedOut({ end }: { end: SessionEnd }) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const address = pathname + search;

  useEffect(() => {
    if (end === 'away') return;
    if (end === 'refused') toasts.show('info', m.shell_session_ended(), 5000);
    void navigate(address, { replace: true });
  }, [end, address, navigate]);

  return end === 'away' ? <AwayModal /> : null;
}
