/**
 * Whether this device's clock can be believed without a network (W-048). Between two answers of the server it must run as evenly as the
 * clock that nobody can set. A change is kept, so that a reload does not hide it.
 */
import type { Kept } from './offline-store.ts';

const JUMP_MAX_MS = 30_000;
/** A clock is set right by less than this all the time. */
const STEP_MS = 5_000;

const now = () => ({ wallMs: Date.now(), evenMs: performance.now() });
let since = now();

/** Begins anew with the page and with each answer of the server. */
export const believeClock = (): void => void (since = now());

export function hasClockJumped(): boolean {
  const { wallMs, evenMs } = now();
  return Math.abs(wallMs - since.wallMs - (evenMs - since.evenMs)) > JUMP_MAX_MS;
}

/** Milliseconds since 1970 by the server's clock, as well as this device knows it. */
export const offlineNowMs = ({ clock }: Pick<Kept, 'clock'>): number =>
  Date.now() + (clock?.offsetMs ?? 0);

export function isClockRight(kept: Pick<Kept, 'clock' | 'head'>): boolean {
  const { clock, head } = kept;
  if (clock === undefined || clock.wasChanged || hasClockJumped()) return false;
  const isAfterAnswer = Date.now() >= clock.answeredAtMs - STEP_MS;
  return isAfterAnswer && offlineNowMs(kept) >= (head?.atMs ?? 0) - STEP_MS;
}
