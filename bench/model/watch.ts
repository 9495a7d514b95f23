/** The resources that processes use under load: memory, processor, and the delay of their event loops. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { processCpuMs, residentMb } from '../process-usage.ts';
import { median } from '../report.ts';

/** One process is read at a time, because reading the metrics of all at once would itself delay the calls. */
const PAUSE_MS = 1_000;

/** The parts of a run that are compared: its middle and its last fifth. */
const MIDDLE = [0.4, 0.6] as const;
const LAST = [0.8, 1] as const;

export interface Watched {
  readonly name: string;
  readonly pid: number;
  /** The address of its metrics; this process has none, and reads its own event loop. */
  readonly metricsUrl?: string;
}

/** Megabytes at the middle of a run and at its end. */
export interface Growth {
  readonly middleMb: number;
  readonly lastMb: number;
}

export interface Needs {
  readonly name: string;
  /** Memory in use: the least that was read, because garbage had been collected just before. */
  readonly used: Growth;
  /** The resident set, its median. */
  readonly resident: Growth;
  /** The share of one core. */
  readonly cpuShare: number;
  /** The worst p99 of the samples. */
  readonly loopDelayMs: number;
}

interface Sample {
  readonly atMs: number;
  readonly usedMb: number;
  readonly residentMb: number;
  readonly cpuMs: number;
  readonly delayMs: number;
}

/** Watches while `isOn` returns true. */
export async function watch(
  processes: readonly Watched[],
  isOn: () => boolean,
): Promise<readonly Needs[]> {
  const samples = new Map<string, Sample[]>(processes.map(({ name }) => [name, []]));
  const ownDelay = monitorEventLoopDelay();
  ownDelay.enable();
  while (isOn()) {
    for (const { name, pid, metricsUrl } of processes) {
      const { usedMb, delayMs } =
        metricsUrl === undefined ? readOwn(ownDelay) : await readMetrics(metricsUrl);
      const usage = { residentMb: residentMb(pid), cpuMs: processCpuMs(pid) };
      samples.get(name)?.push({ atMs: performance.now(), usedMb, delayMs, ...usage });
      await pause(PAUSE_MS);
    }
  }
  ownDelay.disable();
  return processes.map(({ name }) => needsOf(name, samples.get(name) ?? []));
}

/** Memory in use, and the p99 of the event loop's delay since this was last called. */
function readOwn(
  delay: ReturnType<typeof monitorEventLoopDelay>,
): Pick<Sample, 'usedMb' | 'delayMs'> {
  const { heapUsed, external } = process.memoryUsage();
  const delayMs = delay.percentile(99) / 1e6;
  delay.reset();
  return { usedMb: (heapUsed + external) / 1e6, delayMs };
}

/** Memory in use, and the p99 of the event loop's delay since the metrics were last read. */
async function readMetrics(metricsUrl: string): Promise<Pick<Sample, 'usedMb' | 'delayMs'>> {
  const text = await fetch(metricsUrl).then((answer) => answer.text());
  const valueOf = (name: string): number =>
    Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    usedMb:
      (valueOf('nodejs_heap_size_used_bytes') + valueOf('nodejs_external_memory_bytes')) / 1e6,
    delayMs: valueOf('nodejs_eventloop_lag_p99_seconds') * 1_000,
  };
}

function needsOf(name: string, all: readonly Sample[]): Needs {
  const growthOf = (read: (part: readonly Sample[]) => number): Growth => {
    const within = ([from, to]: readonly [number, number]): number =>
      read(all.slice(Math.floor(all.length * from), Math.ceil(all.length * to)));
    return { middleMb: within(MIDDLE), lastMb: within(LAST) };
  };
  const [first, last] = [all[0], all.at(-1)];
  return {
    name,
    used: growthOf((part) => Math.min(...part.map(({ usedMb }) => usedMb))),
    resident: growthOf((part) => median(part.map((sample) => sample.residentMb))),
    cpuShare:
      first === undefined || last === undefined
        ? Number.NaN
        : (last.cpuMs - first.cpuMs) / (last.atMs - first.atMs),
    loopDelayMs: Math.max(...all.map(({ delayMs }) => delayMs)),
  };
}
