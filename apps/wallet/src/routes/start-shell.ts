/** Start-up of the packaged app, before the wallet runs in it. Only the packaged app loads this file. */
import { log } from '@athos/app-core/log';
import { setDevice } from '@athos/ui/theme/device';
import type { Value } from '@athos/app-core/value';
import { followLinks } from '../native/app-links.ts';
import { createNativeDevice } from '../native/native-device.ts';
import {
  followBackButton,
  followKeyboard,
  followNetwork,
  followTheme,
} from '../native/phone-signals.ts';
import { isAndroid, passkeys, splashScreen, textZoom } from '../native/plugins.ts';
import { removeSavedFiles } from '../native/saved-files.ts';
import { phonePasskeys } from '../native/shell.ts';
import { openVault } from '../native/vault.ts';
import { settings } from '../state/settings.ts';
import { rememberRoute } from '../state/intended-route.ts';
import { keepTokenIn, session } from '../state/session.ts';
import { paths } from './paths.ts';

/** On these paths the back button leaves the app, because the user is done with the screens before them. */
const ROOTS: readonly string[] = [paths.start, paths.auth, paths.getStarted, paths.home];

/** Runs a step that the phone may not support. A failure is logged, and the app starts without it. */
async function attempt<T>(what: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    log('shell_part_failed', { what, error: String(error) });
    return undefined;
  }
}

async function findPasskeys(): Promise<void> {
  const { available } = await passkeys.isSupported();
  phonePasskeys.set(available ? passkeys : undefined);
}

/** Navigates like a step in the browser's history, which the router follows. */
function openPath(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate', { state: null }));
}

/**
 * Follows a link that was opened while the app runs. After a deliberate sign-out the guards remember no address, because the user does not
 * want to return there. A link opened after that brings something new, such as a reward, so it is remembered here.
 */
function openLink(path: string): void {
  if (session.get().status === 'signed_out' && path.startsWith(`${paths.home}/`))
    rememberRoute(path);
  openPath(path);
}

/**
 * Reads the token from the phone's secure storage and the link that opened the app, asks whether the phone has passkeys, then starts the app. Never rejects.
 * `isNetworkLost` is a parameter because importing it would create a separate chunk and add 0.3 kB to home.
 */
export async function startShell(
  startApp: () => void,
  isNetworkLost: Value<boolean>,
): Promise<void> {
  setDevice(createNativeDevice(log));
  void removeSavedFiles();
  // Spec 2: the app's text size is the same on every phone.
  void attempt('text zoom', () => textZoom.set({ value: 1 }));
  void attempt('keyboard', followKeyboard);
  // A phone may be connected to a network without internet access, so polling the server every 3 s detects when it is
  // back.
  void attempt('network', () => followNetwork(() => isNetworkLost.set(true)));
  void attempt('back button', () => followBackButton((pathname) => ROOTS.includes(pathname)));
  followTheme();
  const walletOrigin = settings().walletUrl ?? location.origin;
  const [path] = await Promise.all([
    attempt('links', () => followLinks(walletOrigin, openLink)),
    openVault(log).then(keepTokenIn),
    attempt('passkeys', findPasskeys),
  ]);
  if (path !== undefined) history.replaceState(null, '', path);
  startApp();
  // iOS shows its own splash screen for 2000 ms (D-146).
  if (isAndroid()) requestAnimationFrame(() => void attempt('splash', () => splashScreen.hide()));
}
