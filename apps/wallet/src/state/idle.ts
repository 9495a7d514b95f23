/**
 * Watches for "away too long" (D-064): no input for the stored time ends the session. Activity is compared with the clock,
 * because a sleeping machine runs no timers.
 */
import { followKey } from '@athos/app-core/storage';
import { createValue } from '@athos/app-core/value';
import {
  isAwayTooLong,
  LAST_ACTIVITY_KEY,
  lastActivityMs,
  noteActivity,
  timerMs,
} from './activity.ts';

/** The dialog opens this long before the session ends. */
const WARNING_MS = 60_000;
/** Input causes hundreds of events a second. One write a second is enough. */
const NOTE_EVERY_MS = 1000;
const ACTIVITY_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'touchstart', 'wheel'] as const;

/** When the session ends unless the user stays; `undefined` while there is nothing to warn about. */
export const idleWarning = createValue<{ endsAtMs: number } | undefined>(undefined);

const holds = new Set<() => boolean>();

/** Whether something that counts as activity is running or displayed. */
export const isHeld = (): boolean => [...holds].some((isActive) => isActive());

/** For `holdActivity`. A locked phone displays no QR code. */
export const whileVisible = (): boolean => document.visibilityState === 'visible';

/**
 * Counts as activity while `isActive` returns true, until the returned function is called: focus in the card form, a
 * running payment, a displayed QR code (D-181).
 */
export function holdActivity(isActive: () => boolean = () => true): () => void {
  const hold = (): boolean => isActive();
  holds.add(hold);
  return () => {
    if (!holds.delete(hold)) return;
    // The idle time starts when the hold ends.
    if (!idleWarning.get() && isActive()) noteActivity();
  };
}

/** The user responded to the warning, so the idle time starts again in every tab. */
export function staySignedIn(): void {
  noteActivity();
  idleWarning.set(undefined);
}

/** Watches until the returned function is called. Calls `onAway` once, when the time is up. */
export function watchIdle(onAway: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seenAtMs = Date.now();

  function check(): void {
    clearTimeout(timer);
    if (isHeld()) noteActivity();
    const endsAtMs = lastActivityMs() + timerMs();
    const leftMs = endsAtMs - Date.now();
    if (leftMs <= 0) {
      stop();
      onAway();
      return;
    }
    if (leftMs > WARNING_MS) {
      idleWarning.set(undefined);
    } else if (idleWarning.get()?.endsAtMs !== endsAtMs) {
      idleWarning.set({ endsAtMs });
    }
    timer = setTimeout(
      check,
      leftMs > WARNING_MS ? Math.min(leftMs - WARNING_MS, WARNING_MS) : leftMs,
    );
  }

  function handleInput(): void {
    // After the warning only the dialog's button counts. A nudged mouse must not dismiss it for the user.
    if (idleWarning.get()) return;
    if (Date.now() - seenAtMs < NOTE_EVERY_MS) return;
    seenAtMs = Date.now();
    // After a sleep, the first touch must not hide that the time is up.
    if (isAwayTooLong()) check();
    else noteActivity();
  }

  function stop(): void {
    unfollow();
    clearTimeout(timer);
    idleWarning.set(undefined);
    for (const name of ACTIVITY_EVENTS) removeEventListener(name, handleInput, true);
    unfollowTabs();
    removeEventListener('focus', check);
    document.removeEventListener('visibilitychange', check);
  }

  noteActivity();
  for (const name of ACTIVITY_EVENTS) {
    addEventListener(name, handleInput, { capture: true, passive: true });
  }
  const unfollowTabs = followKey(LAST_ACTIVITY_KEY, (isCleared) => {
    if (!isCleared && idleWarning.get()) check();
  });
  addEventListener('focus', check);
  document.addEventListener('visibilitychange', check);
  const unfollow = idleWarning.subscribe(() => {
    // The user responded in this tab, so the next check is due at another time.
    if (idleWarning.get()) return;
    clearTimeout(timer);
    timer = setTimeout(check, 0);
  });
  check();
  return stop;
}
