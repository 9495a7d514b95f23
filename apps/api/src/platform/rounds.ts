/** Work that a process repeats by itself, not as a job of the queue. */

export interface Rounds {
  /** Ends after the round under way. */
  stop(): Promise<void>;
}

/**
 * Makes a round at once, and the next one as many milliseconds after it as it resolves with, until stopped. Two rounds never overlap. A
 * round must handle its own errors: a rejection ends the process.
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
