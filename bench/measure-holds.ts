/** Measures sends that can be undone: their rate beside a worker that completes them, and how late they arrive at a steady rate. */
import pg from 'pg';
import type { LoadRequest, LoadUser } from './load-plan.ts';
import { Loads, type NamedLoad } from './loads.ts';
import type { BenchUser } from './population.ts';
import { startApi } from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import type { Round, Samples } from './samples.ts';
import type { BenchScale } from './scale.ts';
import type { Workbench } from './workbench.ts';

const PACE_PER_SECOND = 100;
/** The shortest time: a user may have 20 pending sends, and a thousand users send as fast as they can. */
const UNDO_SECONDS = 1;
/** At this rate, 5 s are 500 sends, whose p99 would depend on the five latest. */
const PACED_FACTOR = 3;

interface HoldsBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
  readonly users: readonly BenchUser[];
  readonly senders: readonly LoadUser[];
}

/** By the times in the journal, so the movement itself is included. */
const LATENESS_SQL = `
  select (percentile_cont(0.99) within group (order by extract(epoch from arrival.at - held.post_at)))::float8 as p99
    from send_holds held join ledger_transfers arrival on arrival.key = held.id and arrival.kind = 15`;

async function latenessP99(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ p99: number | null }>(LATENESS_SQL);
    return rows[0]?.p99 ?? Number.NaN;
  } finally {
    await client.end();
  }
}

export function holdsRound({ bench, samples, scale, users, senders }: HoldsBench): Round {
  const recipientUuids = users.map(({ uuid }) => uuid);
  const request: LoadRequest = {
    kind: 'transfer',
    senders,
    recipientUuids,
    undoSeconds: UNDO_SECONDS,
  };
  const loads = new Loads(bench, samples, scale);
  const besideWorker = async (load: NamedLoad): Promise<void> => {
    await bench.drop('fresh');
    await bench.copy('prepared', 'fresh');
    const worker = await startApi('worker', bench.databaseUrl('fresh'));
    try {
      await loads.on({ database: 'fresh', program: 'product' }, [load]);
    } finally {
      await worker.stop();
    }
  };
  const paced = { request, perSecond: PACE_PER_SECOND, measureMs: PACED_FACTOR * scale.measureMs };
  return {
    besideTpcB: [() => besideWorker(['held sends', { request }])],
    others: [
      [
        async () => {
          await besideWorker(['held sends at an even pace', paced]);
          samples.note('lateness p99 s', await latenessP99(bench.databaseUrl('fresh')));
        },
      ],
    ],
  };
}

export const holdsRatios = ({ samples }: HoldsBench): MeasuredRatio[] => [
  {
    name: 'POST transfer with undo_seconds /s ÷ pgbench TPC-B tps',
    must: 0.3,
    aim: 1,
    sense: 'atLeast',
    rounds: samples.ratios('held sends per s', 'TPC-B tps'),
  },
  {
    name: `[W-067] p99 of how late sends arrive at ${PACE_PER_SECOND}/s, in s`,
    must: 1,
    aim: 0.4,
    sense: 'atMost',
    rounds: samples.of('lateness p99 s'),
  },
];
