import { Splash } from '@athos/ui/layout/splash';
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { matchRoutes, useLocation, useNavigate, useRoutes } from 'react-router';
import type { Location } from 'react-router';
import type { Leave } from './guards.ts';
import { paths } from './paths.ts';
import { routeTable, type RouteHandle } from './route-table.ts';

function decide(location: Location): Leave | undefined {
  const leaf = matchRoutes(routeTable, location)?.at(-1);
  const handle = leaf?.route.handle as RouteHandle | undefined;
  return handle?.guard?.(location);
}

/** The screen of the current address. Its guard is called once per navigation. */
export function GuardedRoutes() {
  const location = useLocation();
  const [asked, setAsked] = useState(() => ({ location, leave: decide(location) }));
  const screens = useRoutes(routeTable);
  if (asked.location !== location) {
    setAsked({ location, leave: decide(location) });
    return null;
  }
  if (asked.leave !== undefined) return <Leaving key={location.key} leave={asked.leave} />;
  // The app's first code loads between two splash screens, so a blank screen would flicker.
  const isAppComing = location.pathname.startsWith(paths.home);
  return (
    <Suspense fallback={isAppComing ? <Splash /> : null}>
      {screens}
      <ShellEnd />
    </Suspense>
  );
}

/** Removes the page's shell (`start-early.ts`) in the same paint in which the first screen appears. */
function ShellEnd() {
  useLayoutEffect(() => document.getElementById('shell')?.remove(), []);
  return null;
}

function Leaving({ leave }: { leave: Leave }) {
  const navigate = useNavigate();
  const hasLeft = useRef(false);

  useEffect(() => {
    if (hasLeft.current) return;
    hasLeft.current = true;
    leave.before?.();
    void navigate(leave.to, { replace: true });
  }, [leave, navigate]);

  return null;
}
