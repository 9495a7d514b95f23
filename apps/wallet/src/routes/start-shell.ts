/** What the packaged app does before the wallet starts in it. Fetched there alone. */
import { log } from '@athos/app-core/log';
import { setDevice } from '@athos/ui/theme/device';
import type { Value } from '@athos/app-core/value';
import { followLinks } from '../native/app-links.ts';
import { followBackButton } from '../native/back-button.ts';
import { followKeyboard } from '../native/keyboard.ts';
import { createNativeDevice } from '../native/native-device.ts';
import { followNetwork } from '../native/network-status.ts';
import { isAndroid, splashScreen, textZoom } from '../native/plugins.ts';
import { followTheme } from '../native/system-bars.ts';
import { openVault } from '../native/vault.ts';
import { settings } from '../state/settings.ts';
import { keepTokenIn } from '../state/session.ts';
import { paths } from './paths.ts';

/** From these the back button leaves the app: what lies before them is over. */
const ROOTS: readonly string[] = [paths.start, paths.auth, paths.getStarted, paths.home];

/** What a phone cannot do is logged, and the app starts without it. */
async function attempt<T>(what: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    log('shell_part_failed', { what, error: String(error) });
    return undefined;
  }
}

/** As the browser tells of a step in its history, which the router follows. */
function openPath(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate', { state: null }));
}

/**
 * Reads the token from the phone's secure storage and the link that the app was opened with, then starts. Never rejects.
 * `isNetworkLost` is given, not imported: it would come into a chunk of its own, and home would weigh 0.3 kB more.
 */
export async function startShell(
  startApp: () => void,
  isNetworkLost: Value<boolean>,
): Promise<void> {
  setDevice(createNativeDevice(log));
  // Spec 2: the size of text is the app's, on every phone.
  void attempt('text zoom', () => textZoom.set({ value: 1 }));
  void attempt('keyboard', followKeyboard);
  // Whether it is back the server says, which is asked every 3 s: a phone may have a network that leads nowhere.
  void attempt('network', () => followNetwork(() => isNetworkLost.set(true)));
  void attempt('back button', () => followBackButton((pathname) => ROOTS.includes(pathname)));
  followTheme();
  const walletOrigin = settings().walletUrl ?? location.origin;
  const [path] = await Promise.all([
    attempt('links', () => followLinks(walletOrigin, openPath)),
    openVault(log).then(keepTokenIn),
  ]);
  if (path !== undefined) history.replaceState(null, '', path);
  startApp();
  // On iOS it is shown for its 2000 ms (D-146).
  if (isAndroid()) requestAnimationFrame(() => void attempt('splash', () => splashScreen.hide()));
}
