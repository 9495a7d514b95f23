/** Measures what barriers cost one process without a standby, which gains nothing from an early commit. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadRequest } from '../load-plan.ts';
import { runLoad, startApi } from '../programs.ts';
import { say, type Samples } from '../samples.ts';
import { CONNECTIONS, type BenchScale } from '../scale.ts';
import type { Workbench } from '../workbench.ts';
import { TURN_MS, type TurnRates, type TurnsPlan } from './barrier-turns.ts';

const TOGGLED_BARRIERS = join(import.meta.dirname, 'toggled-barriers.ts');
/** The measurement of a round lasts as long as eight others. */
const DURATION_FACTOR = 8;
/** The load goes on for so long after the last turn should have ended. */
const MARGIN_MS = 2_000;

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
  const folder = await mkdtemp(join(tmpdir(), 'athos-barriers-'));
  const pairCount = Math.ceil((DURATION_FACTOR * scale.measureMs) / (2 * TURN_MS));
  try {
    for (let round = 1; round <= scale.rounds; round++) {
      await bench.drop('latency-cost');
      await bench.copy('latency', 'latency-cost');
      const plan: TurnsPlan = { pairCount, file: join(folder, `${round}.json`) };
      const api = await startApi('product', bench.databaseUrl('latency-cost'), {
        preloads: [TOGGLED_BARRIERS],
        settings: { BENCH_TURNS: JSON.stringify(plan) },
      });
      const load = (measureMs: number) =>
        runLoad({ url: api.url, connectionCount: CONNECTIONS, request, warmUpMs: 0, measureMs });
      try {
        await load(scale.warmUpMs);
        process.kill(api.pid, 'SIGUSR2');
        await load(2 * pairCount * TURN_MS + MARGIN_MS);
      } finally {
        await api.stop();
      }
      const rates = JSON.parse(await readFile(plan.file, 'utf8')) as TurnRates;
      samples.note('sends with barriers per s', rates.early);
      samples.note('sends with waiting commits per s', rates.waiting);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
