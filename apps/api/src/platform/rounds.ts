/** Work that a process repeats on its own, not as a job of the queue. */

export interface Rounds {
  /** Stops after the current round. */
  stop(): Promise<void>;
}

/**
 * Runs a round at once. Each round resolves with the pause in milliseconds before the next one. Two rounds never overlap. A round must
 * handle its own errors: a rejection ends the process.
 */
export function startRounds(makeRound: () => Promise<number>): Rounds {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void>;
  const next = (): void => {
    running = makeRound().then((waitMs) => {
      if (!isStopped) timer = setTimeout(next, waitMs);
    });
  };
  next();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
