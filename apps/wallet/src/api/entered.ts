/** What follows a sign-in or verification while its screen still says so: the signed-in app is fetched and begins to live. */
import { log } from '../state/log.ts';

/** Spec 4: fetches the balance and starts polling. The code for it is no part of the signed-out screens. */
export function enterApp(): void {
  import('./live-updates.ts').then(
    ({ startLiveUpdates }) => startLiveUpdates(),
    // Offline in this very moment: the app's own layout starts them.
    (error: unknown) => log('live_updates_delayed', { error: String(error) }),
  );
}
