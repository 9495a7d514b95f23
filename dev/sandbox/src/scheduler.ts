import type { Sandbox } from './sandbox.ts';
import { nextTimerMs, runDueTimers } from './timers.ts';
import type { TimerHandlers } from './timers.ts';
import { createOutbox } from './webhooks/outbox.ts';

const sleepMaxMs = 60_000;

export interface Scheduler {
  wake(): void;
  /** Resolves when deliveries in flight have finished. */
  stop(): Promise<void>;
}

/** Runs timers and outbox in one loop that sleeps until something is due, or until it is woken. */
export function startScheduler(sandbox: Sandbox, handlers: TimerHandlers): Scheduler {
  const outbox = createOutbox(sandbox);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const sleep = (waitMs: number): void => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(run, waitMs);
  };
  const run = (): void => {
    runDueTimers(sandbox, handlers);
    outbox.startDue();
    const dues = [nextTimerMs(sandbox), outbox.nextDueMs()].filter((due) => due !== null);
    const waitMs = Math.min(sleepMaxMs, ...dues.map((due) => due - sandbox.clock.nowMs()));
    sleep(Math.max(0, waitMs));
  };
  sleep(0);
  return {
    // Deferred, because the caller's transaction is still open.
    wake: () => sleep(0),
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await outbox.settle();
    },
  };
}
