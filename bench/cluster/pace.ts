/** The rate of the load, which leaves the machine room for what a fault adds. */
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Also the rate of the controls, which lose more the more is under way. */
export const PER_SECOND_MAX = 40;
/** Below this, a trial has too few requests for a p99. */
const PER_SECOND_MIN = 10;
/**
 * The share of the processors that the load may keep busy together with the cluster at rest. Whoever was refused during an outage of 25 s
 * comes back within half a minute, beside everybody else: twice the load, while a node that comes back takes its own share. All machines
 * of the cluster share the processors of one; in production each has its own.
 */
const BUSY_SHARE_MAX = 0.3;

interface Busy {
  /** Without load. */
  readonly atRest: number;
  /** Under `PER_SECOND_MAX`. */
  readonly atMost: number;
}

/** The highest rate up to `PER_SECOND_MAX` that leaves room, given the shares of the processors that were busy. */
export function rateThatLeavesRoom({ atRest, atMost }: Busy): number {
  // Where others keep the processors busy, both shares are 1, and say nothing about an intent.
  if (atRest >= BUSY_SHARE_MAX) return PER_SECOND_MIN;
  const perIntent = (atMost - atRest) / PER_SECOND_MAX;
  const rate = perIntent <= 0 ? PER_SECOND_MAX : Math.floor((BUSY_SHARE_MAX - atRest) / perIntent);
  return Math.min(PER_SECOND_MAX, Math.max(PER_SECOND_MIN, rate));
}

/** The share of all processors that is busy during the time, from 0 to 1. */
export async function busyShare(durationMs: number): Promise<number> {
  const before = processorTimes();
  await pause(durationMs);
  const after = processorTimes();
  return (after.busyMs - before.busyMs) / (after.totalMs - before.totalMs);
}

function processorTimes(): { readonly busyMs: number; readonly totalMs: number } {
  let [busyMs, totalMs] = [0, 0];
  for (const { times } of cpus()) {
    const ownMs = times.user + times.nice + times.sys + times.irq;
    busyMs += ownMs;
    totalMs += ownMs + times.idle;
  }
  return { busyMs, totalMs };
}
