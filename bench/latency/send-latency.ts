/** Measures how long sends take through several processes at a fixed rate. */
import { busyShare } from '../cluster/pace.ts';
import type { LoadPlan, LoadRequest } from '../load-plan.ts';
import { runLoad, type RunningApi } from '../programs.ts';
import { say, shuffled } from '../samples.ts';
import { CONNECTIONS } from '../scale.ts';
import { BUILDS, LATENCY_MS, startBuild, type Build, type LatencyBench } from './builds.ts';

const PROCESSES_MAX = 4;
export const PROCESS_COUNTS = [1, 2, PROCESSES_MAX];
/** Sends a second of all processes together: the peak of decision 0055. A slow machine gets fewer. */
const PER_SECOND_MAX = 750;
/**
 * The share of the processors that four processes may keep busy. Spread over more processes, more sends are a batch of their own, which
 * costs several times as much as one of many, and on busy processors p99 tells of them and not of the commits.
 */
const BUSY_SHARE_MAX = 0.5;
const PACE_ATTEMPTS_MAX = 6;
/** A turn lasts as long as two other measurements: in less time, the 1 % that decides is one moment of the machine. */
const DURATION_FACTOR = 2;
/** As many sends as a process needs until its code and that of its load are compiled. */
const SENDS_WARM_UP_MS = 2_000;

/** The series that are compared: both builds with a delay, and early commits without any. */
const SEND_SERIES: readonly {
  readonly build: Build;
  readonly latencyMs: number;
  readonly counts: readonly number[];
}[] = [
  ...BUILDS.map((build) => ({ build, latencyMs: LATENCY_MS, counts: PROCESS_COUNTS })),
  { build: 'early', latencyMs: 0, counts: [1] },
];

/**
 * The latency of the same sends a second through 1, 2 and 4 processes: what it costs to spread a programme's load. All series are up at the
 * same time and take turns, because the speed of a machine and its disk varies over minutes.
 */
export async function measureSends(given: LatencyBench, request: LoadRequest): Promise<void> {
  const { samples, scale } = given;
  const started: RunningApi[] = [];
  try {
    const turns: { readonly series: string; readonly processes: readonly RunningApi[] }[] = [];
    for (const { build, latencyMs, counts } of SEND_SERIES) {
      const apis = await startBuild(given, build, { count: Math.max(...counts), latencyMs });
      started.push(...apis);
      for (const count of counts) {
        turns.push({
          series: `${build} sends at ${latencyMs} ms of ${count}`,
          processes: apis.slice(0, count),
        });
      }
    }
    const perSecond = await paceOfSends(given, request, started);
    for (let round = 1; round <= scale.rounds; round++) {
      say(`sends, round ${round} of ${scale.rounds}`);
      await given.bench.checkpoint();
      for (const { series, processes } of shuffled(turns)) {
        const { p50Ms, p99Ms } = await loadSends(given, request, spread(perSecond, processes));
        samples.note(`${series}, p50 ms`, p50Ms);
        samples.note(`${series}, p99 ms`, p99Ms);
      }
    }
  } finally {
    await Promise.all(started.map((api) => api.stop()));
  }
}

/** Gives each of the processes an equal part of `perSecond` sends a second. */
function spread(
  perSecond: number,
  apis: readonly RunningApi[],
): Pick<LoadPlan, 'url' | 'besideUrls' | 'perSecond'> {
  const [url = '', ...besideUrls] = apis.map((api) => api.url);
  return { url, besideUrls, perSecond: perSecond / apis.length };
}

const loadSends = (
  given: LatencyBench,
  request: LoadRequest,
  plan: Pick<LoadPlan, 'url'> & Partial<LoadPlan>,
) =>
  runLoad({
    connectionCount: CONNECTIONS,
    request,
    warmUpMs: SENDS_WARM_UP_MS,
    measureMs: DURATION_FACTOR * given.scale.measureMs,
    ...plan,
  });

/** The sends a second of all processes together. Runs every process at full rate first, so that none is measured while it compiles. */
async function paceOfSends(
  given: LatencyBench,
  request: LoadRequest,
  apis: readonly RunningApi[],
): Promise<number> {
  const { samples, scale } = given;
  say('sends at full rate');
  for (const { url } of apis) {
    await loadSends(given, request, { url, measureMs: scale.warmUpMs / 2 });
  }
  let pace = PER_SECOND_MAX;
  for (let attempt = 1; attempt <= PACE_ATTEMPTS_MAX; attempt++) {
    const [busy] = await Promise.all([
      busyShare(SENDS_WARM_UP_MS + DURATION_FACTOR * scale.measureMs),
      loadSends(given, request, spread(pace, apis.slice(0, PROCESSES_MAX))),
    ]);
    samples.note(`processors busy at ${pace} sends per s`, busy);
    if (busy <= BUSY_SHARE_MAX) break;
    // Fewer sends share fewer batches, so each takes more time of the processors than before.
    pace = Math.round((pace * BUSY_SHARE_MAX) / busy);
  }
  samples.note('offered sends per s', pace);
  return pace;
}
