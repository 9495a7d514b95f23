/** The resources that processes use under load: memory, processor, and the delay of their event loops. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { processCpuMs, residentMb } from '../process-usage.ts';
import { median } from '../report.ts';

/** One process is read at a time, because reading the metrics of all at once would itself delay the calls. */
const PAUSE_MS = 1_000;

/** The parts of a run whose resident sets are compared: its middle and its last fifth. */
const MIDDLE = [0.4, 0.6] as const;
const LAST = [0.8, 1] as const;
/** When garbage is collected and the memory in use read, in shares of the run. */
const COLLECTED_AT = [0.5, 0.725, 0.95] as const;

export interface Watched {
  readonly name: string;
  readonly pid: number;
  /** The address of its metrics; this process has none, and reads its own event loop. With one, it must collect garbage on SIGUSR2. */
  readonly metricsUrl?: string;
}

/** Megabytes at the middle of a run and at its end. */
export interface Growth {
  readonly middleMb: number;
  readonly lastMb: number;
}

/** The same, and between them. */
export interface UsedGrowth extends Growth {
  readonly laterMb: number;
}

export interface Needs {
  readonly name: string;
  /** Memory in use after a collection of garbage. This process collects none for it. */
  readonly used: UsedGrowth;
  /** The resident set, its median. */
  readonly resident: Growth;
  /** The share of one core. */
  readonly cpuShare: number;
  /** The worst p99 of the samples. */
  readonly loopDelayMs: number;
}

interface Sample {
  readonly atMs: number;
  readonly residentMb: number;
  readonly cpuMs: number;
  readonly delayMs: number;
}

interface Reading {
  readonly usedMb: number;
  readonly delayMs: number;
}

/** Watches a run of `forMs` while `isOn` returns true. */
export async function watch(
  processes: readonly Watched[],
  { forMs, isOn }: { readonly forMs: number; readonly isOn: () => boolean },
): Promise<readonly Needs[]> {
  const startMs = performance.now();
  const usedMbOf = new Map<string, number[]>(processes.map(({ name }) => [name, []]));
  const samples = new Map<string, Sample[]>(processes.map(({ name }) => [name, []]));
  const ownDelay = monitorEventLoopDelay();
  ownDelay.enable();
  while (isOn()) {
    for (const { name, pid, metricsUrl } of processes) {
      const used = usedMbOf.get(name) ?? [];
      const dueShare = COLLECTED_AT[used.length] ?? Infinity;
      const isDue = performance.now() - startMs >= dueShare * forMs;
      if (isDue && metricsUrl !== undefined) {
        process.kill(pid, 'SIGUSR2');
        await pause(PAUSE_MS);
      }
      const { usedMb, delayMs } =
        metricsUrl === undefined ? readOwn(ownDelay) : await readMetrics(metricsUrl);
      const usage = { residentMb: residentMb(pid), cpuMs: processCpuMs(pid) };
      samples.get(name)?.push({ atMs: performance.now(), delayMs, ...usage });
      if (isDue) used.push(usedMb);
      await pause(PAUSE_MS);
    }
  }
  ownDelay.disable();
  return processes.map(({ name }) => {
    const [middleMb = Number.NaN, laterMb = Number.NaN, lastMb = Number.NaN] =
      usedMbOf.get(name) ?? [];
    return { name, used: { middleMb, laterMb, lastMb }, ...needsOf(samples.get(name) ?? []) };
  });
}

/** Memory in use, and the p99 of the event loop's delay since this was last called. */
function readOwn(delay: ReturnType<typeof monitorEventLoopDelay>): Reading {
  const { heapUsed, external } = process.memoryUsage();
  const delayMs = delay.percentile(99) / 1e6;
  delay.reset();
  return { usedMb: (heapUsed + external) / 1e6, delayMs };
}

/** Memory in use, and the p99 of the event loop's delay since the metrics were last read. */
async function readMetrics(metricsUrl: string): Promise<Reading> {
  const text = await fetch(metricsUrl).then((answer) => answer.text());
  const valueOf = (name: string): number =>
    Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    usedMb:
      (valueOf('nodejs_heap_size_used_bytes') + valueOf('nodejs_external_memory_bytes')) / 1e6,
    delayMs: valueOf('nodejs_eventloop_lag_p99_seconds') * 1_000,
  };
}

function needsOf(all: readonly Sample[]): Omit<Needs, 'name' | 'used'> {
  const residentWithin = ([from, to]: readonly [number, number]): number =>
    median(
      all
        .slice(Math.floor(all.length * from), Math.ceil(all.length * to))
        .map((sample) => sample.residentMb),
    );
  const [first, last] = [all[0], all.at(-1)];
  return {
    resident: { middleMb: residentWithin(MIDDLE), lastMb: residentWithin(LAST) },
    cpuShare:
      first === undefined || last === undefined
        ? Number.NaN
        : (last.cpuMs - first.cpuMs) / (last.atMs - first.atMs),
    loopDelayMs: Math.max(...all.map(({ delayMs }) => delayMs)),
  };
}
