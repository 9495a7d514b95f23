/** The device functions that a page uses. The packaged app replaces some of them (`apps/wallet/src/native`). */
export interface Device {
  /** Copies a text to the clipboard; rejects if that is refused. */
  copyText: (text: string) => Promise<void>;
  /** Saves a file, or lets the user choose where it goes; rejects if it cannot be saved. */
  saveFile: (content: Blob, name: string) => Promise<void>;
  /** Vibrates briefly after a success. */
  tick: () => void;
  /** Keeps the screen on, and in the packaged app at full brightness, until the returned function is called. */
  lightScreen: () => () => void;
}

const TICK_MS = 18;

/**
 * The browser releases a hidden page's lock, so it is requested again when the page becomes visible. If the browser
 * refuses it, for example because of a low battery, the screen goes dark.
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

/** Some engines drop a download whose URL is revoked at once, or while the user is still asked where to put the file. */
const DOWNLOAD_MS = 60_000;

function download(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), DOWNLOAD_MS);
}

const browserDevice: Device = {
  copyText: (text) => navigator.clipboard.writeText(text),
  saveFile: async (content, name) => download(content, name),
  tick() {
    // Without this check Chromium logs an error before the first interaction with the page.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TICK_MS);
  },
  lightScreen: holdWakeLock,
};

let current = browserDevice;

export const device = (): Device => current;

/** Called once by the packaged app, before the first render. */
export function setDevice(next: Device): void {
  current = next;
}
