import { AppError } from '../errors.ts';
import type { Caller } from './caller.ts';
import { FairQueue } from './fair-queue.ts';

const RETRY_AFTER_SECONDS = 2;
/** The delay before a refusal: otherwise refused clients would retry at once, and refusing costs as much as serving. */
const REFUSED_AFTER_MS = 1_000;

export const overloaded = (): AppError =>
  new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Calls `refuse` with `overloaded`, after a pause. */
export function refuseLater(refuse: (error: AppError) => void): void {
  setTimeout(() => refuse(overloaded()), REFUSED_AFTER_MS).unref();
}

/** Runs a function when the turn of its caller comes. Throws `overloaded` if too many are waiting. */
export type Gate = <T>(caller: Caller, run: () => Promise<T>) => Promise<T>;

interface GateLimits {
  readonly atOnceMax: number;
  /** Above this number, the newest function of the caller with the most waiting functions is refused. */
  readonly waitingMax: number;
  /** A function whose turn comes later is refused: its caller has given up by then, and others are still waiting. */
  readonly waitMaxMs: number;
  /**
   * The maximum number of running functions of one caller, so that no caller takes all the places. With 1, no function waits for a lock
   * that its own caller holds.
   */
  readonly ofCallerMax?: number;
}

interface Waiting {
  readonly name: string;
  readonly cameAtMs: number;
  readonly start: () => void;
  readonly refuse: (error: AppError) => void;
}

/** Runs at most `atOnceMax` functions while at most `waitingMax` wait, and gives every caller a fair share of both. */
export function createGate({
  atOnceMax,
  waitingMax,
  waitMaxMs,
  ofCallerMax = atOnceMax,
}: GateLimits): Gate {
  const queue = new FairQueue<Waiting>();
  /** The number of running functions by the name of the caller. */
  const runningOf = new Map<string, number>();
  let runningCount = 0;

  const mayStart = ({ name }: Pick<Waiting, 'name'>): boolean =>
    (runningOf.get(name) ?? 0) < ofCallerMax;

  function occupy(name: string): void {
    runningCount += 1;
    runningOf.set(name, (runningOf.get(name) ?? 0) + 1);
  }

  function free(name: string): void {
    runningCount -= 1;
    const left = (runningOf.get(name) ?? 1) - 1;
    if (left === 0) runningOf.delete(name);
    else runningOf.set(name, left);
    while (runningCount < atOnceMax) {
      const next = queue.take(mayStart);
      if (next === undefined) return;
      if (performance.now() - next.cameAtMs > waitMaxMs) next.refuse(overloaded());
      else {
        occupy(next.name);
        next.start();
      }
    }
  }

  function wait(caller: Caller, name: string): Promise<void> {
    return new Promise((start, refuse) => {
      queue.push(caller, { name, cameAtMs: performance.now(), start, refuse });
      if (queue.size <= waitingMax) return;
      const refused = queue.takeNewestOfFullest();
      if (refused !== undefined) refuseLater(refused.refuse);
    });
  }

  return async (caller, run) => {
    const name = caller.at(-1) ?? '';
    // While a place is free, a waiting function waits only for an earlier function of its own caller.
    if (runningCount < atOnceMax && mayStart({ name })) occupy(name);
    else await wait(caller, name);
    try {
      return await run();
    } finally {
      free(name);
    }
  };
}
