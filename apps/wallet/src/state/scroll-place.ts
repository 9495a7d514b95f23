/**
 * Keeps the scroll position of a page over a reload. The browser would restore it, but gives up before the screen is long
 * enough: session, splash screen and data come first.
 */
import { sessionStore } from '@athos/app-core/storage';

const PLACE_KEY = 'scroll-place';
/** A page that is not long enough by now keeps its position. */
const WAIT_MS = 5000;
/** Input by which the user may scroll: it takes precedence. */
const INPUT_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

const address = (): string => location.pathname + location.search;

function takePlace(): number {
  const [path, top] = (sessionStore.read(PLACE_KEY) ?? '').split(' ');
  sessionStore.remove(PLACE_KEY);
  return path === address() ? Number(top) : 0;
}

/** Scrolls to `top` as soon as the page is long enough, unless the user scrolls first. Returns the function that gives up. */
function goTo(top: number): () => void {
  const observer = new ResizeObserver(tryIt);
  const timer = setTimeout(giveUp, WAIT_MS);
  function giveUp(): void {
    clearTimeout(timer);
    observer.disconnect();
    for (const name of INPUT_EVENTS) removeEventListener(name, giveUp);
  }
  function tryIt(): void {
    if (document.documentElement.scrollHeight < top + innerHeight) return;
    giveUp();
    scrollTo(0, top);
  }
  for (const name of INPUT_EVENTS) addEventListener(name, giveUp, { passive: true });
  observer.observe(document.body);
  tryIt();
  return giveUp;
}

/** Restores the position before a reload, and keeps this page's for the next, until the returned function is called. */
export function keepScrollPlace(): () => void {
  const top = takePlace();
  const giveUp = top > 0 && scrollY === 0 ? goTo(top) : undefined;
  const handleHide = (): void => sessionStore.write(PLACE_KEY, `${address()} ${scrollY}`);
  addEventListener('pagehide', handleHide);
  return () => {
    giveUp?.();
    removeEventListener('pagehide', handleHide);
  };
}
