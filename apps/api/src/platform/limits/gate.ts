import { AppError } from '../errors.ts';

const RETRY_AFTER_SECONDS = 2;

const overloaded = (): AppError =>
  new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });

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

/** The same for the work of many users. Throws `overloaded` also for a user who waits too often already. */
export type FairGate = <T>(userId: bigint, run: () => Promise<T>) => Promise<T>;

interface FairGateLimits extends GateLimits {
  readonly waitingOfOneMax: number;
}

/** A gate that each user passes one at a time: whoever asks for much at once waits for themselves, not everybody for them. */
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
          // Of the whole wait: the gate knows only of its own line.
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
