/**
 * "Away too long" (decisions "Sessions"): no input for the stored timer ends the session. Activity is shared by all tabs
 * through storage and compared with the clock, because a sleeping machine runs no timers.
 */
import { localStore } from '@athos/app-core/storage';
import { createValue } from '@athos/app-core/value';

const TIMER_KEY = 'timer';
const LAST_ACTIVITY_KEY = 'last-activity';
/** Spec 3: default of the stored timer. */
const TIMER_DEFAULT_MS = 300_000;
/** The dialog comes this long before the end. */
const WARNING_MS = 60_000;
/** Input comes in hundreds of events a second; one note a second is enough. */
const NOTE_EVERY_MS = 1000;
const ACTIVITY_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'touchstart', 'wheel'] as const;

/** When the session ends unless the user says otherwise; `undefined` while there is nothing to warn of. */
export const idleWarning = createValue<{ endsAtMs: number } | undefined>(undefined);

export function timerMs(): number {
  const stored = Number(localStore.read(TIMER_KEY) ?? Number.NaN);
  return Number.isFinite(stored) && stored > 0 ? stored : TIMER_DEFAULT_MS;
}

const lastActivityMs = (): number => Number(localStore.read(LAST_ACTIVITY_KEY) ?? 0);

/** Not without a note: storage was cleared with the account, so the session ended for another reason. */
export function isAwayTooLong(): boolean {
  const lastMs = lastActivityMs();
  return lastMs > 0 && Date.now() - lastMs >= timerMs();
}

const noteActivity = (): void => localStore.write(LAST_ACTIVITY_KEY, String(Date.now()));

const holds = new Set<() => boolean>();

/** Something runs or is shown that counts as activity. */
export const isHeld = (): boolean => [...holds].some((isActive) => isActive());

/** For `holdActivity`: a QR on a locked phone is not displayed. */
export const whileVisible = (): boolean => document.visibilityState === 'visible';

/**
 * Counts as activity while `isActive` says so, until the returned function is called: focus in the card form, a running
 * payment, a displayed QR (decisions "Sessions").
 */
export function holdActivity(isActive: () => boolean = () => true): () => void {
  const hold = (): boolean => isActive();
  holds.add(hold);
  return () => {
    if (!holds.delete(hold)) return;
    // The time begins to run when the hold ends.
    if (!idleWarning.get() && isActive()) noteActivity();
  };
}

/** The user answered the warning: the time begins anew, in every tab. */
export function staySignedIn(): void {
  noteActivity();
  idleWarning.set(undefined);
}

/** Watches until the returned function is called. Calls `onAway` once, when the time is over. */
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
    // Once warned, only the dialog's button counts: a nudged mouse must not answer for the user.
    if (idleWarning.get()) return;
    if (Date.now() - seenAtMs < NOTE_EVERY_MS) return;
    seenAtMs = Date.now();
    // Back after a sleep: the first touch must not hide that the time is over.
    if (isAwayTooLong()) check();
    else noteActivity();
  }

  const handleStorage = (event: StorageEvent): void => {
    if (event.key === LAST_ACTIVITY_KEY && idleWarning.get()) check();
  };

  function stop(): void {
    unfollow();
    clearTimeout(timer);
    idleWarning.set(undefined);
    for (const name of ACTIVITY_EVENTS) removeEventListener(name, handleInput, true);
    removeEventListener('storage', handleStorage);
    removeEventListener('focus', check);
    document.removeEventListener('visibilitychange', check);
  }

  noteActivity();
  for (const name of ACTIVITY_EVENTS) {
    addEventListener(name, handleInput, { capture: true, passive: true });
  }
  addEventListener('storage', handleStorage);
  addEventListener('focus', check);
  document.addEventListener('visibilitychange', check);
  const unfollow = idleWarning.subscribe(() => {
    // Answered in this tab: the next check is due at another time.
    if (idleWarning.get()) return;
    clearTimeout(timer);
    timer = setTimeout(check, 0);
  });
  check();
  return stop;
}
