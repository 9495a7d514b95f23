/** The two builds that are compared: ours, whose transactions commit early, and one whose transactions wait for their commits. */
import { join } from 'node:path';
import { freePort, startApi, type RunningApi } from '../programs.ts';
import type { Samples } from '../samples.ts';
import type { BenchScale } from '../scale.ts';
import type { Workbench } from '../workbench.ts';

export const BUILDS = ['early', 'waiting'] as const;
export type Build = (typeof BUILDS)[number];

const WAITING_COMMITS = join(import.meta.dirname, 'waiting-commits.ts');

/** The longest response time of a nearby standby. */
export const LATENCY_MS = 4;
export interface LatencyBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
}

/** Starts processes of one build on a copy of the database whose commits take `latencyMs`. */
export async function startBuild(
  { bench }: LatencyBench,
  build: Build,
  { count, latencyMs }: { readonly count: number; readonly latencyMs: number },
): Promise<RunningApi[]> {
  const database = `latency-${build}-${latencyMs}`;
  await bench.drop(database);
  await bench.copy('latency', database);
  await bench.delayCommits(database, latencyMs);
  const preloads = build === 'waiting' ? [WAITING_COMMITS] : [];
  const apis: RunningApi[] = [];
  for (let index = 0; index < count; index++) {
    const port = await freePort();
    apis.push(await startApi('product', bench.databaseUrl(database), { port, preloads }));
  }
  return apis;
}
