/**
 * Decides whether this device's clock can be trusted without a network (W-048). Between two responses of the server it must advance as
 * evenly as the monotonic clock. A change is stored, so that a reload does not hide it.
 */
import type { Kept } from './offline-store.ts';

const JUMP_MAX_MS = 30_000;
/** Automatic corrections of a device's clock are smaller than this. */
const STEP_MS = 5_000;

const now = () => ({ wallMs: Date.now(), evenMs: performance.now() });
let since = now();

/** Starts a new comparison, with the page and with each response of the server. */
export const believeClock = (): void => void (since = now());

export function hasClockJumped(): boolean {
  const { wallMs, evenMs } = now();
  return Math.abs(wallMs - since.wallMs - (evenMs - since.evenMs)) > JUMP_MAX_MS;
}

/** Milliseconds since 1970 by the server's clock, as far as this device knows it. */
export const offlineNowMs = ({ clock }: Pick<Kept, 'clock'>): number =>
  Date.now() + (clock?.offsetMs ?? 0);

export function isClockRight(kept: Pick<Kept, 'clock' | 'head'>): boolean {
  const { clock, head } = kept;
  if (clock === undefined || clock.wasChanged || hasClockJumped()) return false;
  const isAfterAnswer = Date.now() >= clock.answeredAtMs - STEP_MS;
  return isAfterAnswer && offlineNowMs(kept) >= (head?.atMs ?? 0) - STEP_MS;
}
