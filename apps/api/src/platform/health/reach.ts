/**
 * When something outside last answered this process and last failed to. Nothing is asked for that purpose: the process notes what
 * its own work meets.
 */
import type { Clock } from '../clock.ts';

export const OUTSIDES = ['provider', 'mail'] as const;
export type Outside = (typeof OUTSIDES)[number];

export interface Reached {
  readonly okAt: string | null;
  readonly failedAt: string | null;
}

export interface Reach {
  note(outside: Outside, isOk: boolean): void;
  read(): Readonly<Record<Outside, Reached>>;
}

export function createReach(clock: Clock): Reach {
  const known: Record<Outside, Reached> = {
    provider: { okAt: null, failedAt: null },
    mail: { okAt: null, failedAt: null },
  };
  return {
    note(outside, isOk) {
      const at = new Date(clock.nowMs()).toISOString();
      known[outside] = { ...known[outside], ...(isOk ? { okAt: at } : { failedAt: at }) };
    },
    read: () => ({ ...known }),
  };
}

/** The same object, whose promises are noted. `isFailure` tells a failure to reach it from a refusal by it. */
export function noting<T extends object>(
  reach: Reach,
  outside: Outside,
  { calls, isFailure }: { readonly calls: T; readonly isFailure: (error: unknown) => boolean },
): T {
  const noted = Object.entries(calls).map(([name, call]: [string, unknown]) => {
    if (typeof call !== 'function') return [name, call];
    const run = (...given: unknown[]): unknown => {
      const answer: unknown = Reflect.apply(call, calls, given);
      if (!(answer instanceof Promise)) return answer;
      answer.then(
        () => reach.note(outside, true),
        (error: unknown) => reach.note(outside, !isFailure(error)),
      );
      return answer;
    };
    return [name, run];
  });
  return Object.fromEntries(noted) as T;
}
