/**
 * The last time that an outside service answered this process, and the last time that it failed to. No probes are sent: the process notes
 * the results of its own calls.
 */
import type { Clock } from '../clock.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { traced } from '../traces/spans.ts';

export const OUTSIDES = ['provider', 'mail'] as const;
export type Outside = (typeof OUTSIDES)[number];

export interface Reached {
  readonly okAt: string | null;
  readonly failedAt: string | null;
}

interface NotedCall {
  /** The name of the function, such as `createIntent`. */
  readonly name: string;
  readonly durationMs: number;
}

export interface Reach {
  note(outside: Outside, isOk: boolean, call: NotedCall): void;
  read(): Readonly<Record<Outside, Reached>>;
}

const MS_PER_SECOND = 1_000;

export function createReach(
  clock: Clock,
  { mails, providerSeconds }: Pick<Metrics, 'mails' | 'providerSeconds'>,
): Reach {
  const known: Record<Outside, Reached> = {
    provider: { okAt: null, failedAt: null },
    mail: { okAt: null, failedAt: null },
  };
  return {
    note(outside, isOk, { name, durationMs }) {
      const outcome = isOk ? 'ok' : 'failed';
      if (outside === 'mail') mails.inc({ outcome });
      else providerSeconds.observe({ call: name, outcome }, durationMs / MS_PER_SECOND);
      const at = new Date(clock.nowMs()).toISOString();
      known[outside] = { ...known[outside], ...(isOk ? { okAt: at } : { failedAt: at }) };
    },
    read: () => ({ ...known }),
  };
}

/** Wraps the object so that the results of its promises are noted. `isFailure` tells an unreachable service from a refusal by it. */
export function noting<T extends object>(
  reach: Reach,
  outside: Outside,
  { calls, isFailure }: { readonly calls: T; readonly isFailure: (error: unknown) => boolean },
): T {
  const noted = Object.entries(calls).map(([name, call]: [string, unknown]) => {
    if (typeof call !== 'function') return [name, call];
    const run = (...given: unknown[]): unknown => {
      const startMs = performance.now();
      const answer: unknown = Reflect.apply(call, calls, given);
      if (!(answer instanceof Promise)) return answer;
      void traced(`${outside} ${name}`, () => answer as Promise<unknown>).catch(() => undefined);
      const note = (isOk: boolean): void =>
        reach.note(outside, isOk, { name, durationMs: performance.now() - startMs });
      answer.then(
        () => note(true),
        (error: unknown) => note(!isFailure(error)),
      );
      return answer;
    };
    return [name, run];
  });
  return Object.fromEntries(noted) as T;
}
