import { AppError } from './errors.ts';

const RETRY_AFTER_SECONDS = 2;

/** Runs a function when its turn comes. Throws `overloaded`, at once, when too many wait already. */
export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

/** At most `atOnceMax` functions run and at most `waitingMax` wait, in the order they came. */
export function createGate(atOnceMax: number, waitingMax: number): Gate {
  const waiting: (() => void)[] = [];
  let runningCount = 0;

  return async (run) => {
    if (runningCount < atOnceMax) runningCount += 1;
    else if (waiting.length < waitingMax) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else throw new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    try {
      return await run();
    } finally {
      // The place is handed on rather than freed, so that nobody overtakes the line.
      const next = waiting.shift();
      if (next === undefined) runningCount -= 1;
      else next();
    }
  };
}

/** Runs functions of one key one after another, and those of different keys beside each other. */
export type Turns = <T>(key: string, run: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const lastByKey = new Map<string, Promise<unknown>>();

  return (key, run) => {
    const before = lastByKey.get(key) ?? Promise.resolve();
    const mine = before.then(run, run);
    lastByKey.set(key, mine);
    const leave = (): void => {
      if (lastByKey.get(key) === mine) lastByKey.delete(key);
    };
    mine.then(leave, leave);
    return mine;
  };
}
