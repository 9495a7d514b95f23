/** While a QR code is shown it is to be read from the screen: the user is not away, and the screen stays lit. */
import { holdActivity, whileVisible } from './idle.ts';

/**
 * Keeps the screen from going dark until the returned function is called. The browser drops the lock of a hidden page, so
 * it is asked for again when the page is looked at. Where it cannot be had, as on a low battery, the screen goes dark.
 */
function keepScreenLit(): () => void {
  let lock: WakeLockSentinel | undefined;
  let isOver = false;
  async function ask(): Promise<void> {
    if (!whileVisible() || !('wakeLock' in navigator)) return;
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

/** Decisions "Sessions": a displayed QR counts as activity. Ends with the returned function. */
export function holdShownCode(): () => void {
  const ends = [holdActivity(whileVisible), keepScreenLit()];
  return () => {
    for (const end of ends) end();
  };
}
