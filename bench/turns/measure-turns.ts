/** Measures what a part of the API costs its sends, by turns with and without it in one process. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadRequest } from '../load-plan.ts';
import { runLoad, startApi } from '../programs.ts';
import { say, type Samples } from '../samples.ts';
import { CONNECTIONS, type BenchScale } from '../scale.ts';
import { TURN_MS, type TurnRates, type TurnsPlan } from './take-turns.ts';

const PAIR_MS = 2 * TURN_MS;
/** The measurement of a round lasts as long as eight others. */
const DURATION_FACTOR = 8;
/** The load goes on for so long after the last turn should have ended. */
const MARGIN_MS = 2_000;

interface TurnsBench {
  readonly samples: Samples;
  readonly scale: BenchScale;
}

/** What takes turns, and the toggles that switch it. */
export interface Toggled {
  readonly name: string;
  readonly toggles: readonly ('barriers' | 'metrics' | 'traces' | 'pieces')[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  /** A send. */
  readonly request: LoadRequest;
}

const rateOf = (name: string): string => `sends per s ${name}`;
const cpuOf = (name: string): string => `processor us per send ${name}`;

/** Sends per second with it ÷ without it, of each round. */
export const turnRatios = (samples: Samples, name: string): number[] =>
  samples.ratios(rateOf(`with ${name}`), rateOf(`without ${name}`));

/** Notes the rates of each round, which has a new process. */
export async function measureTurns(
  { samples, scale }: TurnsBench,
  { name, toggles, settings, databaseUrl, request }: Toggled,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'athos-turns-'));
  try {
    for (let round = 1; round <= scale.rounds; round++) {
      say(`sends with and without ${name}, round ${round} of ${scale.rounds}`);
      const plan: TurnsPlan = {
        warmUpPairCount: Math.ceil(scale.warmUpMs / PAIR_MS),
        pairCount: Math.ceil((DURATION_FACTOR * scale.measureMs) / PAIR_MS),
        file: join(folder, `${round}.json`),
      };
      const api = await startApi('product', databaseUrl, {
        preloads: toggles.map((toggle) => join(import.meta.dirname, `toggled-${toggle}.ts`)),
        settings: { ...settings, BENCH_TURNS: JSON.stringify(plan) },
      });
      try {
        process.kill(api.pid, 'SIGUSR2');
        await runLoad({
          url: api.url,
          connectionCount: CONNECTIONS,
          request,
          warmUpMs: 0,
          measureMs: (plan.warmUpPairCount + plan.pairCount) * PAIR_MS + MARGIN_MS,
        });
      } finally {
        await api.stop();
      }
      const { on, off } = JSON.parse(await readFile(plan.file, 'utf8')) as TurnRates;
      for (const [kind, rate] of [
        [`with ${name}`, on],
        [`without ${name}`, off],
      ] as const) {
        samples.note(rateOf(kind), rate.answersPerSecond);
        samples.note(cpuOf(kind), rate.cpuUsPerAnswer);
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
