/** The start of the app: the session first, then what follows it for as long as the page lives. */
import { sessionStore } from '@athos/app-core/storage';
import { askHealth } from '../api/health.ts';
import { log } from '../state/log.ts';
import { isStartDelayed } from '../state/network.ts';
import { followOtherTabs, session } from '../state/session.ts';

const RELOAD_AFTER_MS = 5000;
const RELOADED_KEY = 'reloaded-at';
/** One reload brings the new build; a second one so soon would bring nothing else. */
const RELOAD_PAUSE_MS = 60_000;

const logFailure = (event: string) => (error: unknown) => log(event, { error: String(error) });

/**
 * Spec 4: at sign-in, verification and refresh alike the balance is fetched and polling starts. The code for it, and for
 * the screens that come next, is no part of the signed-out pages.
 */
function enterApp(): void {
  import('../api/live-updates.ts').then(
    ({ startLiveUpdates }) => startLiveUpdates(),
    // Offline in this very moment: the layout of the app starts them.
    logFailure('live_updates_delayed'),
  );
  import('./app-layout.tsx').catch(logFailure('app_delayed'));
  import('../features/home/home-screen.tsx').catch(logFailure('home_delayed'));
}

/** A part of this build is no longer to be had, although the server is there: it has a new one. */
function handleMissingPart(): void {
  const reloadedAtMs = Number(sessionStore.read(RELOADED_KEY));
  if (Date.now() - reloadedAtMs < RELOAD_PAUSE_MS) return;
  void askHealth().then((isThere) => {
    if (!isThere) return;
    sessionStore.write(RELOADED_KEY, String(Date.now()));
    location.reload();
  });
}

/**
 * Begins, before the first rendering. A visitor's first page needs neither the client nor any answer. Returns the function
 * that ends it, which the page never calls.
 */
export function startApp(): () => void {
  const unfollow = followOtherTabs(() => location.reload());
  const unsubscribe = session.subscribe(() => {
    if (session.get().status === 'signed_in') enterApp();
  });
  addEventListener('vite:preloadError', handleMissingPart);
  if (session.token() === undefined) session.resume();
  else refreshFirst();
  return () => {
    unfollow();
    unsubscribe();
    removeEventListener('vite:preloadError', handleMissingPart);
  };
}

function refreshFirst(): void {
  import('../api/session-start.ts')
    .then(({ startSession }) => startSession())
    .catch((error: unknown) => {
      // The code itself could not be fetched: nothing but the page can ask for it again.
      logFailure('session_start_failed')(error);
      isStartDelayed.set(true);
      setTimeout(() => location.reload(), RELOAD_AFTER_MS);
    });
  // Side by side with the refresh: most tokens are taken.
  import('./app-layout.tsx').catch(logFailure('app_delayed'));
}
