import { AppError } from './errors.ts';

const RETRY_AFTER_SECONDS = 2;

/** Runs a function when its turn comes. Throws `overloaded`, at once, when too many wait already. */
export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

interface GateLimits {
  readonly atOnceMax: number;
  readonly waitingMax: number;
  /** Whoever's turn comes later is refused then: nobody listens to the answer any more, and others still wait. */
  readonly waitMaxMs: number;
}

/** At most `atOnceMax` functions run and at most `waitingMax` wait, in the order they came. */
export function createGate({ atOnceMax, waitingMax, waitMaxMs }: GateLimits): Gate {
  const waiting: (() => void)[] = [];
  let runningCount = 0;
  const overloaded = (): AppError =>
    new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });

  return async (run) => {
    const cameAtMs = performance.now();
    if (runningCount < atOnceMax) runningCount += 1;
    else if (waiting.length < waitingMax) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else throw overloaded();
    try {
      if (performance.now() - cameAtMs > waitMaxMs) throw overloaded();
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
