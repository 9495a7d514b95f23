/**
 * Keeps a page's scroll position over a reload. The browser gives up restoring it before the screen is tall enough,
 * because session, splash screen and data come first.
 */
import { sessionStore } from '@athos/app-core/storage';

const PLACE_KEY = 'scroll-place';
/** If the page is not tall enough by then, it stays where it is. */
const WAIT_MS = 5000;
/** Input by which the user may scroll, which takes precedence. */
const INPUT_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

const address = (): string => location.pathname + location.search;

function takePlace(): number {
  const [path, top] = (sessionStore.read(PLACE_KEY) ?? '').split(' ');
  sessionStore.remove(PLACE_KEY);
  return path === address() ? Number(top) : 0;
}

/**
 * Scrolls to `top` as soon as the page is tall enough, unless the user scrolls first. Returns a function that gives up.
 */
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

/**
 * Restores the position from before a reload, and stores this page's for the next one, until the returned function is
 * called.
 */
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
