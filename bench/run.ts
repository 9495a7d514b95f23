/**
 * `npm run bench`: the ledger's ratios (issue 2, section 2) in one run on one server. Only ratios of one run mean something.
 * `-- --quick` for a look, `-- --long` for 10 million journal rows.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { verifyLedger } from '../apps/api/src/ledger/verify.ts';
import { fillJournal, journalSize, lengthenHistory, walBytes } from './filler.sql.ts';
import type { LoadPlan, LoadUser } from './load-plan.ts';
import { findPgbench, preparePgbench, runPgbench } from './pgbench.ts';
import type { BenchUser } from './population.ts';
import { runLoad, startApi, type ApiProgram } from './programs.ts';
import { formatReport, median, rounded, verdict, writeReport, type BenchReport } from './report.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
  },
});

const CONNECTIONS = 64;
const USERS = 10_000;
/** Each has to sign in once before the measurement, so there are fewer. */
const SENDERS = 1_000;
/** Below one a client TPC-B would wait for its own branches. */
const PGBENCH_SCALE = 64;
const HISTORY_CONNECTIONS = 4;
const ROUNDS = flags.quick ? 1 : 5;
const MEASURE_MS = flags.quick ? 1_500 : 5_000;
const WARM_UP_MS = flags.quick ? 1_500 : 5_000;
const LONG_HISTORY = flags.quick ? 10_000 : 100_000;
const FULL_JOURNAL = flags.long ? 10_000_000 : flags.quick ? 100_000 : 2_000_000;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Measured values by name, one a round. */
const samples = new Map<string, number[]>();
function note(name: string, value: number): void {
  say(`  ${name}: ${value}`);
  samples.set(name, [...(samples.get(name) ?? []), value]);
}
const roundsOf = (name: string): number[] => samples.get(name) ?? [];
const ratios = (above: string, below: string): number[] =>
  roundsOf(above).map((value, round) => value / (roundsOf(below)[round] ?? Number.NaN));

type Request = LoadPlan['request'];
const loadUser = ({ uuid, token }: BenchUser): LoadUser => ({ uuid, token });

const workbench = await openWorkbench();
try {
  const report = await measure(workbench);
  const file = writeReport(report);
  process.stdout.write(`${formatReport(report)}\n\n${file}\n`);
  if (report.ratios.some((ratio) => verdict(ratio) === 'MISSED')) process.exitCode = 1;
} finally {
  await workbench.close();
}

async function measure(bench: Workbench): Promise<BenchReport> {
  say(`users: ${USERS}`);
  const users = await bench.createPopulated('prepared', { count: USERS, senderCount: SENDERS });
  const senders = users.slice(0, SENDERS).map(loadUser);
  const recipientUuids = users.map(({ uuid }) => uuid);
  const everybody: Request = { kind: 'transfer', senders, recipientUuids };
  // The merchant is nobody's sender, so that all pay and none is paid.
  const oneMerchant: Request = { ...everybody, recipientUuids: recipientUuids.slice(-1) };
  const balances: Request = { kind: 'get', path: '/api/account/balance', callers: senders };
  const bare: Request = { kind: 'get', path: '/healthz', callers: senders };

  const pgbench = findPgbench();
  if (pgbench === undefined) {
    say(
      'pgbench is missing (Debian: apt install postgresql-15): nothing to compare transfers with',
    );
  } else {
    await bench.create('pgbench');
    preparePgbench(pgbench, bench.databaseUrl('pgbench'), PGBENCH_SCALE);
  }
  await bench.copy('prepared', 'full');
  say(`journal of ${FULL_JOURNAL} rows`);
  await fillJournal(bench.databaseUrl('full'), { transferCount: FULL_JOURNAL, userCount: USERS });

  for (let round = 1; round <= ROUNDS; round++) {
    say(`round ${round} of ${ROUNDS}`);
    const measures = [
      async () => {
        if (pgbench === undefined) return;
        const options = { clientCount: CONNECTIONS, seconds: Math.ceil(MEASURE_MS / 1000) };
        note('TPC-B tps', runPgbench(pgbench, bench.databaseUrl('pgbench'), options));
      },
      () => onFreshApi(bench, 'product', [['transfers', everybody]]),
      () => onFreshApi(bench, 'product', [['merchant transfers', oneMerchant]]),
      () => onFreshApi(bench, 'naive', [['naive merchant transfers', oneMerchant]]),
      () =>
        onFreshApi(
          bench,
          'product',
          shuffled([
            ['balance reads', balances],
            ['bare reads', bare],
          ]),
        ),
      () => onApi(bench, 'full', 'product', [['transfers at full journal', everybody]]),
    ];
    for (const one of shuffled(measures)) await one();
  }
  await measureHistory(bench, users);
  const size = await journalSize(bench.databaseUrl('full'));
  await proveBooks(bench.databaseUrl('full'));
  return reportOf({
    'journal rows': size.rowCount,
    'journal bytes per transfer, with indexes': size.bytesPerTransfer,
    'journal heap MB': Math.round(size.heapBytes / 1e6),
    'journal indexes MB': Math.round(size.indexBytes / 1e6),
  });
}

async function onFreshApi(
  bench: Workbench,
  program: ApiProgram,
  requests: readonly (readonly [string, Request])[],
): Promise<void> {
  await bench.drop('fresh');
  await bench.copy('prepared', 'fresh');
  await onApi(bench, 'fresh', program, requests);
}

async function onApi(
  bench: Workbench,
  database: string,
  program: ApiProgram,
  requests: readonly (readonly [string, Request])[],
): Promise<void> {
  const url = bench.databaseUrl(database);
  const api = await startApi(program, url);
  try {
    for (const [name, request] of requests) {
      const walBefore = await walBytes(url);
      const result = await runLoad({
        url: api.url,
        connectionCount: CONNECTIONS,
        warmUpMs: WARM_UP_MS,
        measureMs: MEASURE_MS,
        request,
      });
      note(`${name} per s`, result.perSecond);
      note(`${name} p50 ms`, result.p50Ms);
      note(`${name} p99 ms`, result.p99Ms);
      const answered = Object.values(result.statusCounts).reduce((sum, count) => sum + count, 0);
      if (request.kind === 'transfer') {
        note(`${name} WAL bytes each`, Math.round(((await walBytes(url)) - walBefore) / answered));
      }
    }
  } finally {
    await api.stop();
  }
}

/** A page of the newest 20 of someone with a long history and of someone with 20 movements, by turns. */
async function measureHistory(bench: Workbench, users: readonly BenchUser[]): Promise<void> {
  const [busy, quiet, other] = users;
  if (busy === undefined || quiet === undefined || other === undefined)
    throw new Error('too few users');
  say(`history of ${LONG_HISTORY} movements`);
  await bench.drop('fresh');
  await bench.copy('prepared', 'fresh');
  const url = bench.databaseUrl('fresh');
  const lengthen = (userId: bigint, movementCount: number): Promise<void> =>
    lengthenHistory(url, { userId, otherUserId: other.userId, movementCount });
  await lengthen(busy.userId, LONG_HISTORY);
  // The opening balance is no entry of the history.
  await lengthen(quiet.userId, 20);
  const api = await startApi('product', url);
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [name, user] of shuffled([
        ['long', busy],
        ['short', quiet],
      ] as const)) {
        const result = await runLoad({
          url: api.url,
          connectionCount: HISTORY_CONNECTIONS,
          warmUpMs: MEASURE_MS / 4,
          measureMs: MEASURE_MS / 2,
          request: { kind: 'get', path: '/api/all_history?limit=20', callers: [loadUser(user)] },
        });
        note(`${name} history page p50 ms`, result.p50Ms);
      }
    }
  } finally {
    await api.stop();
  }
}

/** A fast ledger that is wrong is not fast. */
async function proveBooks(databaseUrl: string): Promise<void> {
  say('books');
  const { fault } = await verifyLedger({ databaseUrl });
  if (fault !== undefined) throw new Error(`the books are wrong: ${fault.row} ${fault.reason}`);
}

function reportOf(sizes: Readonly<Record<string, number>>): BenchReport {
  const medians = [...samples].map(([name, values]) => [name, rounded(median(values))] as const);
  return {
    at: new Date().toISOString(),
    machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    settings: {
      rounds: ROUNDS,
      measureMs: MEASURE_MS,
      connections: CONNECTIONS,
      users: USERS,
      pgbenchScale: PGBENCH_SCALE,
    },
    ratios: [
      {
        name: 'POST account/transfer /s ÷ pgbench TPC-B tps',
        must: 3.5,
        aim: 5,
        sense: 'atLeast',
        rounds: ratios('transfers per s', 'TPC-B tps'),
      },
      {
        name: 'the same, all to one merchant ÷ one transaction each',
        must: 12,
        aim: 20,
        sense: 'atLeast',
        rounds: ratios('merchant transfers per s', 'naive merchant transfers per s'),
      },
      {
        name: 'GET account/balance /s ÷ bare route',
        must: 0.5,
        aim: 0.75,
        sense: 'atLeast',
        rounds: ratios('balance reads per s', 'bare reads per s'),
      },
      {
        name: `p99 of transfers, journal of ${FULL_JOURNAL / 1e6} million ÷ empty`,
        must: 1.5,
        aim: 1.25,
        sense: 'atMost',
        rounds: ratios('transfers at full journal p99 ms', 'transfers p99 ms'),
      },
      {
        name: `history page, ${LONG_HISTORY} movements ÷ 20`,
        must: 2,
        aim: 1.5,
        sense: 'atMost',
        rounds: ratios('long history page p50 ms', 'short history page p50 ms'),
      },
    ],
    figures: { ...Object.fromEntries(medians), ...sizes },
  };
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
