/** The resources that processes use under load: memory, processor, and the delay of their event loops. */
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../report.ts';

const EVERY_MS = 2_000;
const KB_PER_MB = 1_024;

/** The parts of a run that are compared: its middle and its last fifth. */
const MIDDLE = [0.4, 0.6] as const;
const LAST = [0.8, 1] as const;

export interface Watched {
  readonly name: string;
  readonly pid: number;
  /** The address of its metrics, if it exposes any. */
  readonly metricsUrl?: string;
}

export interface Needs {
  readonly name: string;
  readonly middleMb: number;
  readonly lastMb: number;
  /** The share of one core. */
  readonly cpuShare: number;
  /** The worst p99 of the samples; `undefined` without metrics. */
  readonly loopDelayMs: number | undefined;
}

interface Sample {
  readonly mb: number;
  readonly cpuSeconds: number;
  readonly delayMs: number | undefined;
}

/** Watches while `isOn` returns true. */
export async function watch(
  processes: readonly Watched[],
  isOn: () => boolean,
): Promise<readonly Needs[]> {
  const samples = new Map<string, Sample[]>(processes.map(({ name }) => [name, []]));
  const startMs = performance.now();
  while (isOn()) {
    for (const watched of processes) samples.get(watched.name)?.push(await look(watched));
    await pause(EVERY_MS);
  }
  const seconds = (performance.now() - startMs) / 1_000;
  return processes.map(({ name }) => needsOf(name, samples.get(name) ?? [], seconds));
}

async function look({ pid, metricsUrl }: Watched): Promise<Sample> {
  const text =
    metricsUrl === undefined ? '' : await fetch(metricsUrl).then((answer) => answer.text());
  const delay = /^nodejs_eventloop_lag_p99_seconds(?:\{.*\})? (\S+)$/m.exec(text)?.[1];
  return {
    ...usageOf(pid),
    delayMs: delay === undefined ? undefined : parseFloat(delay) * 1_000,
  };
}

function usageOf(pid: number): Pick<Sample, 'mb' | 'cpuSeconds'> {
  const text = execFileSync('ps', ['-o', 'rss=,times=', '-p', String(pid)], { encoding: 'utf8' });
  const [rss = '0', seconds = '0'] = text.trim().split(/\s+/);
  return { mb: parseInt(rss, 10) / KB_PER_MB, cpuSeconds: parseInt(seconds, 10) };
}

function needsOf(name: string, all: readonly Sample[], seconds: number): Needs {
  const within = ([from, to]: readonly [number, number]): number =>
    median(
      all.slice(Math.floor(all.length * from), Math.ceil(all.length * to)).map(({ mb }) => mb),
    );
  const delays = all.flatMap(({ delayMs }) => delayMs ?? []);
  return {
    name,
    middleMb: within(MIDDLE),
    lastMb: within(LAST),
    cpuShare: ((all.at(-1)?.cpuSeconds ?? 0) - (all[0]?.cpuSeconds ?? 0)) / seconds,
    loopDelayMs: delays.length === 0 ? undefined : Math.max(...delays),
  };
}
