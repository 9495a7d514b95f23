/**
 * The time of the user's last activity, shared by all tabs through storage (D-181). Separate from `idle.ts`, which the first signed-out
 * page does not load.
 */
import { localStore } from '@athos/app-core/storage';

const TIMER_KEY = 'timer';
export const LAST_ACTIVITY_KEY = 'last-activity';
/** Spec 3: default for the stored time. */
const TIMER_DEFAULT_MS = 300_000;

export function timerMs(): number {
  const stored = Number(localStore.read(TIMER_KEY) ?? Number.NaN);
  return Number.isFinite(stored) && stored > 0 ? stored : TIMER_DEFAULT_MS;
}

export const lastActivityMs = (): number => Number(localStore.read(LAST_ACTIVITY_KEY) ?? 0);

/** False without a stored time: storage was cleared with the account, so the session ended for another reason. */
export function isAwayTooLong(): boolean {
  const lastMs = lastActivityMs();
  return lastMs > 0 && Date.now() - lastMs >= timerMs();
}

export const noteActivity = (): void => localStore.write(LAST_ACTIVITY_KEY, String(Date.now()));
