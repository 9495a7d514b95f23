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

export interface Needs {
  readonly name: string;
  readonly middleMb: number;
  readonly lastMb: number;
  /** The share of one core. */
  readonly cpuShare: number;
  /** The worst p99 of the samples. */
  readonly loopDelayMs: number;
}

interface Sample {
  readonly atMs: number;
  readonly mb: number;
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
      const delayMs =
        metricsUrl === undefined ? ownDelay.percentile(99) / 1e6 : await readDelayMs(metricsUrl);
      if (metricsUrl === undefined) ownDelay.reset();
      const usage = { mb: residentMb(pid), cpuMs: processCpuMs(pid) };
      samples.get(name)?.push({ atMs: performance.now(), ...usage, delayMs });
      await pause(PAUSE_MS);
    }
  }
  ownDelay.disable();
  return processes.map(({ name }) => needsOf(name, samples.get(name) ?? []));
}

/** The p99 since the metrics were last read. */
async function readDelayMs(metricsUrl: string): Promise<number> {
  const text = await fetch(metricsUrl).then((answer) => answer.text());
  const seconds = /^nodejs_eventloop_lag_p99_seconds(?:\{.*\})? (\S+)$/m.exec(text)?.[1];
  return Number(seconds) * 1_000;
}

function needsOf(name: string, all: readonly Sample[]): Needs {
  const within = ([from, to]: readonly [number, number]): number =>
    median(
      all.slice(Math.floor(all.length * from), Math.ceil(all.length * to)).map(({ mb }) => mb),
    );
  const [first, last] = [all[0], all.at(-1)];
  return {
    name,
    middleMb: within(MIDDLE),
    lastMb: within(LAST),
    cpuShare:
      first === undefined || last === undefined
        ? Number.NaN
        : (last.cpuMs - first.cpuMs) / (last.atMs - first.atMs),
    loopDelayMs: Math.max(...all.map(({ delayMs }) => delayMs)),
  };
}
