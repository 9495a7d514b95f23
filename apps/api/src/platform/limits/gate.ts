import { AppError } from '../errors.ts';

const RETRY_AFTER_SECONDS = 2;

const overloaded = (): AppError =>
  new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Runs a function when its turn comes. Throws `overloaded` at once if too many wait. */
export type Gate = <T>(run: () => Promise<T>) => Promise<T>;

interface GateLimits {
  readonly atOnceMax: number;
  readonly waitingMax: number;
  /** A function whose turn comes later is refused: its caller has stopped listening, and others still wait. */
  readonly waitMaxMs: number;
}

/** At most `atOnceMax` functions run and at most `waitingMax` wait, in the order of their arrival. */
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
      // The place is handed to the next one instead of freed, so that nobody overtakes the line.
      const next = waiting.shift();
      if (next === undefined) runningCount -= 1;
      else next();
    }
  };
}

/** Runs functions with the same key one after the other, and those with different keys concurrently. */
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

/** A gate for the work of many users. Throws `overloaded` also for a user who waits too often already. */
export type FairGate = <T>(userId: bigint, run: () => Promise<T>) => Promise<T>;

interface FairGateLimits extends GateLimits {
  readonly waitingOfOneMax: number;
}

/** Each user passes one at a time, so a user with many requests waits for their own, and nobody else does. */
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
          // The whole wait counts; the gate knows only its own line.
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
