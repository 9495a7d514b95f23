/** Whether this page runs in the packaged app. Costs the web's start a few bytes: everything else here is fetched in the app alone. */

/** What the app puts into the page before the page's first script. */
interface Bridge {
  readonly isNativePlatform?: () => boolean;
}

export const isInShell = (): boolean =>
  (globalThis as { Capacitor?: Bridge }).Capacitor?.isNativePlatform?.() ?? false;
