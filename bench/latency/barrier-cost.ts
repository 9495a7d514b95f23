/** Measures what barriers cost one process without a standby, which gains nothing from an early commit. */
import { join } from 'node:path';
import type { LoadPlan, LoadRequest } from '../load-plan.ts';
import { runLoad, startApi } from '../programs.ts';
import { say, shuffled, type Samples } from '../samples.ts';
import { CONNECTIONS, type BenchScale } from '../scale.ts';
import type { Workbench } from '../workbench.ts';

/**
 * Turns with and without barriers of each process. The ledger's rate varies by a tenth from one second to the next, and the goal is 3 %, so
 * many short turns are compared.
 */
const TURNS = 12;
const TURN = { warmUpMs: 300, measureMs: 1_000 };

const TOGGLED_BARRIERS = join(import.meta.dirname, 'toggled-barriers.ts');

const COMMITS = ['barriers', 'waiting commits'] as const;

interface CostBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
}

/** Notes the rates of `request`, which is a send, on copies of the database `latency`. */
export async function measureBarrierCost(
  { bench, samples, scale }: CostBench,
  request: LoadRequest,
): Promise<void> {
  say('sends without a standby');
  for (let round = 1; round <= scale.rounds; round++) {
    await bench.drop('latency-cost');
    await bench.copy('latency', 'latency-cost');
    const api = await startApi('product', bench.databaseUrl('latency-cost'), {
      preload: TOGGLED_BARRIERS,
    });
    const load = (plan: Pick<LoadPlan, 'warmUpMs' | 'measureMs'>) =>
      runLoad({ url: api.url, connectionCount: CONNECTIONS, request, ...plan });
    try {
      let current: (typeof COMMITS)[number] = 'barriers';
      await load({ warmUpMs: 0, measureMs: scale.warmUpMs });
      for (let turn = 1; turn <= TURNS; turn++) {
        for (const commits of shuffled(COMMITS)) {
          if (commits !== current) process.kill(api.pid, 'SIGUSR2');
          current = commits;
          const { perSecond } = await load(TURN);
          samples.note(`sends with ${commits} per s`, perSecond);
        }
      }
    } finally {
      await api.stop();
    }
  }
}
