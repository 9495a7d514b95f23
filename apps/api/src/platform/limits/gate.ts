import { AppError } from '../errors.ts';

const RETRY_AFTER_SECONDS = 2;

const overloaded = (): AppError =>
  new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Runs a function when its turn comes. Throws `overloaded` at once if too many are waiting. */
export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

interface GateLimits {
  readonly atOnceMax: number;
  readonly waitingMax: number;
  /** A function whose turn comes later is refused: its caller has given up by then, and others are still waiting. */
  readonly waitMaxMs: number;
}

/** Runs at most `atOnceMax` functions while at most `waitingMax` wait, in the order of arrival. */
export function createGate({ atOnceMax, waitingMax, waitMaxMs }: GateLimits): Gate {
  const waiting: (() => void)[] = [];
  let runningCount = 0;

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
      // The slot is handed to the next function instead of freed, so that nobody skips the queue.
      const next = waiting.shift();
      if (next === undefined) runningCount -= 1;
      else next();
    }
  };
}

/** Runs functions with the same key one at a time, and those with different keys concurrently. */
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

/** A gate for the work of many users. Also throws `overloaded` if the user has too many functions waiting. */
export type FairGate = <T>(userId: bigint, run: () => Promise<T>) => Promise<T>;

interface FairGateLimits extends GateLimits {
  readonly waitingOfOneMax: number;
}

/** Lets each user pass one at a time, so that a user with many requests delays only their own. */
export function createFairGate({ waitingOfOneMax, ...limits }: FairGateLimits): FairGate {
  const pass = createGate(limits);
  const inTurn = createTurns();
  const countOf = new Map<bigint, number>();

  return async (userId, run) => {
    const cameAtMs = performance.now();
    const count = countOf.get(userId) ?? 0;
    if (count > waitingOfOneMax) throw overloaded();
    countOf.set(userId, count + 1);
    try {
      return await inTurn(`${userId}`, () =>
        pass(async () => {
          // The total wait counts; the inner gate knows only its own queue.
          if (performance.now() - cameAtMs > limits.waitMaxMs) throw overloaded();
          return run();
        }),
      );
    } finally {
      const left = (countOf.get(userId) ?? 1) - 1;
      if (left === 0) countOf.delete(userId);
      else countOf.set(userId, left);
    }
  };
}
