/** What the device does for a page. The packaged app does some of it in its own way (`apps/wallet/src/native`). */
export interface Device {
  /** Puts a text on the clipboard. Rejects where that is refused. */
  copyText: (text: string) => Promise<void>;
  /** A tick that is felt: something succeeded. */
  tick: () => void;
  /** Keeps the screen lit, in the app as bright as it gets, until the returned function is called. For a code to be scanned. */
  lightScreen: () => () => void;
}

const TICK_MS = 18;

/**
 * The browser drops the lock of a hidden page, so it is asked for again when the page is looked at. Where it cannot be
 * had, as on a low battery, the screen goes dark.
 */
function holdWakeLock(): () => void {
  let lock: WakeLockSentinel | undefined;
  let isOver = false;
  async function ask(): Promise<void> {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    const granted = await navigator.wakeLock.request('screen').catch(() => undefined);
    if (isOver) void granted?.release();
    else lock = granted;
  }
  const handleVisibility = (): void => void ask();
  void ask();
  document.addEventListener('visibilitychange', handleVisibility);
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', handleVisibility);
    void lock?.release();
  };
}

const browserDevice: Device = {
  copyText: (text) => navigator.clipboard.writeText(text),
  tick() {
    // Chromium logs an error for a page that was never touched.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TICK_MS);
  },
  lightScreen: holdWakeLock,
};

let current = browserDevice;

export const device = (): Device => current;

/** Called once, by the shell of the packaged app, before anything is drawn. */
export function setDevice(next: Device): void {
  current = next;
}
