/**
 * React Router on the browser's history. Its own `BrowserRouter` and `Link` include code that only its framework mode
 * uses (prefetching, masks, forms): 5 kB of gzip on an app's first page (decision 0014).
 */
import { startTransition, useLayoutEffect, useState } from 'react';
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { createPath, Router, useHref, useLocation, useNavigate } from 'react-router';
import type { Location, NavigationType, Navigator, To } from 'react-router';

type Action = `${NavigationType}`;

interface Place {
  readonly action: Action;
  readonly location: Location;
}

/** The state of a history entry: the router's state for it and its key, in React Router's format. */
interface Entry {
  readonly usr?: unknown;
  readonly key?: string;
}

function currentLocation(): Location {
  const { pathname, search, hash } = window.location;
  const { usr = null, key = 'default' } = (history.state as Entry | null) ?? {};
  return { pathname, search, hash, state: usr, key };
}

const createKey = (): string => Math.random().toString(36).slice(2, 10);
const hrefOf = (to: To): string => (typeof to === 'string' ? to : createPath(to));

function createNavigator(onMove: (place: Place) => void): Navigator {
  const move = (action: Action): void => onMove({ action, location: currentLocation() });
  const entryOf = (usr: unknown): Entry => ({ usr, key: createKey() });
  return {
    createHref: hrefOf,
    // Percent-encodes the path as the address bar does.
    encodeLocation: (to) => new URL(hrefOf(to), window.location.origin),
    go: (delta) => history.go(delta),
    push(to, state) {
      try {
        history.pushState(entryOf(state), '', hrefOf(to));
      } catch {
        // Safari refuses more than 100 entries in 30 s. A page load gets there anyway.
        window.location.assign(hrefOf(to));
      }
      move('PUSH');
    },
    replace(to, state) {
      history.replaceState(entryOf(state), '', hrefOf(to));
      move('REPLACE');
    },
  };
}

/**
 * Provides the current location. Every navigation is a transition: the old screen stays until the next one is ready.
 */
export function BrowserRouter(props: { basename?: string; children: ReactNode }) {
  const [place, setPlace] = useState<Place>(() => ({ action: 'POP', location: currentLocation() }));
  const [navigator] = useState(() =>
    createNavigator((next) => startTransition(() => setPlace(next))),
  );

  useLayoutEffect(() => {
    const handlePop = (): void =>
      startTransition(() => setPlace({ action: 'POP', location: currentLocation() }));
    addEventListener('popstate', handlePop);
    return () => removeEventListener('popstate', handlePop);
  }, []);

  return (
    <Router
      {...props}
      location={place.location}
      navigationType={place.action as NavigationType}
      navigator={navigator}
    />
  );
}

interface RouterLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** Path inside the app. */
  to: string;
}

/** Only the plain left button. With a modifier key the browser opens a tab or a window, or downloads the target. */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey);

/** A link inside the app, for `LinkProvider` of `packages/ui`. */
export function RouterLink({ to, onClick, children, ...rest }: RouterLinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  const location = useLocation();

  function handleClick(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    const opensElsewhere = rest.target !== undefined && rest.target !== '_self';
    if (event.defaultPrevented || opensElsewhere || !isPlainClick(event)) return;
    event.preventDefault();
    // As in a browser, a link to the current page adds no history entry.
    void navigate(to, { replace: createPath(location) === to });
  }

  return (
    <a {...rest} href={href} onClick={handleClick}>
      {children}
    </a>
  );
}
