/** Runs loads against one API on one database and records what they measure. */
import { walBytes } from './filler.sql.ts';
import type { LoadPlan } from './load-plan.ts';
import { runLoad, startApi, type ApiProgram } from './programs.ts';
import type { Samples } from './samples.ts';
import { CONNECTIONS, type BenchScale } from './scale.ts';
import type { Workbench } from './workbench.ts';

/** A load with the name under which its samples are recorded. */
export type NamedLoad = readonly [
  name: string,
  load: Pick<LoadPlan, 'request' | 'perSecond' | 'expectedStatus'> &
    Partial<Pick<LoadPlan, 'measureMs'>>,
];

interface Place {
  readonly database: string;
  readonly program: ApiProgram;
}

const MOVING_VALUE: ReadonlySet<string> = new Set(['transfer', 'purchase']);

export class Loads {
  readonly #bench: Workbench;
  readonly #samples: Samples;
  readonly #scale: BenchScale;

  constructor(bench: Workbench, samples: Samples, scale: BenchScale) {
    this.#bench = bench;
    this.#samples = samples;
    this.#scale = scale;
  }

  /** Runs the loads on a new copy of a prepared database. */
  async onCopy({ database, program }: Place, loads: readonly NamedLoad[]): Promise<void> {
    await this.#bench.drop('fresh');
    await this.#bench.copy(database, 'fresh');
    await this.on({ database: 'fresh', program }, loads);
  }

  async on({ database, program }: Place, loads: readonly NamedLoad[]): Promise<void> {
    const databaseUrl = this.#bench.databaseUrl(database);
    const api = await startApi(program, databaseUrl);
    try {
      for (const [name, load] of loads) {
        const walBefore = await walBytes(databaseUrl);
        const result = await runLoad({
          url: api.url,
          connectionCount: CONNECTIONS,
          warmUpMs: this.#scale.warmUpMs,
          measureMs: this.#scale.measureMs,
          ...load,
        });
        this.#samples.note(`${name} per s`, result.perSecond);
        this.#samples.note(`${name} p50 ms`, result.p50Ms);
        this.#samples.note(`${name} p99 ms`, result.p99Ms);
        this.#samples.note(`${name} load, share of one core`, result.loadCpuShare);
        if (!MOVING_VALUE.has(load.request.kind)) continue;
        const walUsed = (await walBytes(databaseUrl)) - walBefore;
        this.#samples.note(`${name} WAL bytes each`, Math.round(walUsed / result.answeredCount));
      }
    } finally {
      await api.stop();
    }
  }
}
