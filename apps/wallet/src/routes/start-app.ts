/** Starts the app: first the session, then everything that runs during the page's lifetime. */
import { askHealth, pollHealth } from '@athos/app-core/network';
import { log } from '@athos/app-core/log';
import { sessionStore } from '@athos/app-core/storage';
import { isStartDelayed } from '../state/network.ts';
import { followOtherTabs, session } from '../state/session.ts';
import { apiOrigin } from '../state/settings.ts';
import { paths } from './paths.ts';
import { fetchScreens } from './route-table.ts';

const RELOAD_AFTER_MS = 5000;
const RELOADED_KEY = 'reloaded-at';
/** One reload loads the new build. Another one within this time would load the same build again. */
const RELOAD_PAUSE_MS = 60_000;

const logFailure = (event: string) => (error: unknown) => log(event, { error: String(error) });

/**
 * Spec 4: sign-in, verification and refresh all fetch the balance and start polling. The signed-out pages load neither
 * the code for that nor the screens that follow.
 */
function enterApp(): void {
  import('../api/live-updates.ts').then(
    ({ startLiveUpdates }) => startLiveUpdates(),
    // The network has just been lost, so the app's layout starts them later.
    logFailure('live_updates_delayed'),
  );
  fetchScreens(paths.home);
}

/** A part of this build cannot be fetched. If the server responds, it has a newer build, so the page is reloaded. */
function handleMissingPart(): void {
  const reloadedAtMs = Number(sessionStore.read(RELOADED_KEY));
  if (Date.now() - reloadedAtMs < RELOAD_PAUSE_MS) return;
  void askHealth(apiOrigin()).then((isThere) => {
    if (!isThere) return;
    sessionStore.write(RELOADED_KEY, String(Date.now()));
    location.reload();
  });
}

/**
 * Called before the first render. A visitor's first page needs neither the client nor any response. Returns a function
 * that stops everything, for tests.
 */
export function startApp(): () => void {
  const unfollow = followOtherTabs(() => location.reload());
  const stopPolling = pollHealth(apiOrigin());
  const unsubscribe = session.subscribe(() => {
    if (session.get().status === 'signed_in') enterApp();
  });
  addEventListener('vite:preloadError', handleMissingPart);
  if (session.token() === undefined) session.resume();
  else refreshFirst();
  return () => {
    unfollow();
    stopPolling();
    unsubscribe();
    removeEventListener('vite:preloadError', handleMissingPart);
  };
}

function refreshFirst(): void {
  import('../api/session-start.ts')
    .then(({ startSession }) => startSession())
    .catch((error: unknown) => {
      // The code itself could not be fetched, and only a reload can fetch it again.
      logFailure('session_start_failed')(error);
      isStartDelayed.set(true);
      setTimeout(() => location.reload(), RELOAD_AFTER_MS);
    });
  // Runs in parallel with the refresh, because the server accepts most tokens.
  fetchScreens(location.pathname);
}
