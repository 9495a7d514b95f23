/**
 * Whether this page runs in the packaged app. This file adds a few bytes to the web's start; all other native code is
 * loaded only in the app.
 */

/** The object that the app injects before the page's first script. */
interface Bridge {
  readonly isNativePlatform?: () => boolean;
}

export const isInShell = (): boolean =>
  (globalThis as { Capacitor?: Bridge }).Capacitor?.isNativePlatform?.() ?? false;
