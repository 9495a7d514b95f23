/**
 * Where a page was scrolled to, over a reload. The browser would restore it itself, but gives up before the screen is long
 * enough: the session, the splash and the data come first.
 */
import { sessionStore } from '@athos/app-core/storage';

const PLACE_KEY = 'scroll-place';
/** What takes longer to come is no longer waited for. */
const WAIT_MS = 5000;
/** The user goes somewhere else: that counts. */
const INPUT_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

const address = (): string => location.pathname + location.search;

function takePlace(): number {
  const [path, top] = (sessionStore.read(PLACE_KEY) ?? '').split(' ');
  sessionStore.remove(PLACE_KEY);
  return path === address() ? Number(top) : 0;
}

/** Goes to `top` as soon as the page is that long, unless the user scrolls before. Returns the function that gives up. */
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

/** Restores the place of the page before a reload, and keeps that of this one. Ends with the returned function. */
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
