/** Measures the ledger: transfers, balances and history. */
import { verifyLedger } from '../apps/api/src/ledger/verify.ts';
import { fillJournal, journalSize, lengthenHistory } from './filler.sql.ts';
import type { LoadRequest, LoadUser } from './load-plan.ts';
import { Loads } from './loads.ts';
import { loadUser, type BenchUser } from './population.ts';
import { runLoad, startApi } from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import { say, shuffled, type Round, type Samples } from './samples.ts';
import type { BenchScale } from './scale.ts';
import type { Workbench } from './workbench.ts';

const HISTORY_CONNECTIONS = 4;

interface LedgerBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
  readonly users: readonly BenchUser[];
  readonly senders: readonly LoadUser[];
}

export function ledgerRound({ bench, samples, scale, users, senders }: LedgerBench): Round {
  const recipientUuids = users.map(({ uuid }) => uuid);
  const everybody: LoadRequest = { kind: 'transfer', senders, recipientUuids };
  // The merchant is not among the senders, so it only receives payments.
  const oneMerchant: LoadRequest = { ...everybody, recipientUuids: recipientUuids.slice(-1) };
  const balances: LoadRequest = { kind: 'get', paths: ['/api/account/balance'], callers: senders };
  const bare: LoadRequest = { kind: 'get', paths: ['/healthz'], callers: senders };
  const loads = new Loads(bench, samples, scale);
  const prepared = { database: 'prepared', program: 'product' } as const;
  const naive = { database: 'prepared', program: 'naive' } as const;
  const full = { database: 'full', program: 'product' } as const;
  return {
    besideTpcB: [
      () => loads.onCopy(prepared, [['transfers', { request: everybody }]]),
      () => loads.on(full, [['transfers at full journal', { request: everybody }]]),
    ],
    others: [
      [
        () => loads.onCopy(prepared, [['merchant transfers', { request: oneMerchant }]]),
        () => loads.onCopy(naive, [['naive merchant transfers', { request: oneMerchant }]]),
      ],
      [
        () =>
          loads.onCopy(
            prepared,
            shuffled([
              ['balance reads', { request: balances }],
              ['bare reads', { request: bare }],
            ]),
          ),
      ],
    ],
  };
}

/** Fills the journal of the database `full`. */
export async function prepareFullJournal({ bench, scale, users }: LedgerBench): Promise<void> {
  await bench.copy('prepared', 'full');
  say(`journal of ${scale.fullJournal} rows`);
  await fillJournal(bench.databaseUrl('full'), {
    transferCount: scale.fullJournal,
    userCount: users.length,
  });
}

/** Reads the newest 20 entries of a user with a long history and of one with 20 entries, in random order. */
export async function measureHistory({ bench, samples, scale, users }: LedgerBench): Promise<void> {
  const [busy, quiet, other] = users;
  if (busy === undefined || quiet === undefined || other === undefined)
    throw new Error('too few users');
  say(`history of ${scale.longHistory} movements`);
  await bench.drop('fresh');
  await bench.copy('prepared', 'fresh');
  const url = bench.databaseUrl('fresh');
  const lengthen = (userId: bigint, movementCount: number): Promise<void> =>
    lengthenHistory(url, { userId, otherUserId: other.userId, movementCount });
  await lengthen(busy.userId, scale.longHistory);
  // The opening balance does not appear in the history.
  await lengthen(quiet.userId, 20);
  const api = await startApi('product', url);
  try {
    for (let round = 1; round <= scale.rounds; round++) {
      for (const [name, user] of shuffled([
        ['long', busy],
        ['short', quiet],
      ] as const)) {
        const result = await runLoad({
          url: api.url,
          connectionCount: HISTORY_CONNECTIONS,
          warmUpMs: scale.measureMs / 4,
          measureMs: scale.measureMs / 2,
          request: {
            kind: 'get',
            paths: ['/api/all_history?limit=20'],
            callers: [loadUser(user)],
          },
        });
        samples.note(`${name} history page p50 ms`, result.p50Ms);
      }
    }
  } finally {
    await api.stop();
  }
}

/** A fast but wrong ledger is worthless. */
export async function proveBooks(databaseUrl: string): Promise<void> {
  say('books');
  const { fault } = await verifyLedger({ databaseUrl });
  if (fault !== undefined) throw new Error(`the books are wrong: ${fault.row} ${fault.reason}`);
}

export async function noteJournal({ bench, samples }: LedgerBench): Promise<void> {
  const size = await journalSize(bench.databaseUrl('full'));
  samples.note('journal rows', size.rowCount);
  samples.note('journal bytes per transfer, with indexes', size.bytesPerTransfer);
  samples.note('journal heap MB', Math.round(size.heapBytes / 1e6));
  samples.note('journal indexes MB', Math.round(size.indexBytes / 1e6));
}

export const ledgerRatios = ({ samples, scale }: LedgerBench): MeasuredRatio[] => [
  {
    name: 'POST account/transfer /s ÷ pgbench TPC-B tps',
    must: 3.5,
    aim: 5,
    sense: 'atLeast',
    rounds: samples.ratios('transfers per s', 'TPC-B tps'),
  },
  {
    name: 'the same, all to one merchant ÷ one transaction per transfer',
    must: 12,
    aim: 20,
    sense: 'atLeast',
    rounds: samples.ratios('merchant transfers per s', 'naive merchant transfers per s'),
  },
  {
    name: 'GET account/balance /s ÷ bare route',
    must: 0.5,
    aim: 0.75,
    sense: 'atLeast',
    rounds: samples.ratios('balance reads per s', 'bare reads per s'),
  },
  {
    name: `p99 of transfers, journal of ${scale.fullJournal / 1e6} million ÷ empty`,
    must: 1.5,
    aim: 1.25,
    sense: 'atMost',
    rounds: samples.ratios('transfers at full journal p99 ms', 'transfers p99 ms'),
  },
  {
    name: `history page, ${scale.longHistory} movements ÷ 20`,
    must: 2,
    aim: 1.5,
    sense: 'atMost',
    rounds: samples.ratios('long history page p50 ms', 'short history page p50 ms'),
  },
];
