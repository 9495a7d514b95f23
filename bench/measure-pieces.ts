/** The cost of a journal in 24 partitions, against the same journal in one table: alternately, in this process. */
import { readFileSync } from 'node:fs';
import { randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { units } from '@athos/domain/money';
import { uuidv7 } from '@athos/domain/uuid';
import {
  createLedger,
  TransferKind,
  userAccountId,
  type Ledger,
} from '../apps/api/src/ledger/index.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';
import { fillJournal } from './filler.sql.ts';
import type { BenchUser } from './population.ts';
import { median, type MeasuredRatio } from './report.ts';
import { say, shuffled, type Samples } from './samples.ts';
import { CONNECTIONS } from './scale.ts';
import type { Workbench } from './workbench.ts';

const PIECES = 24;
const ROWS_PER_PIECE = 40_000;
const ROUNDS = 11;
const TRANSFERS_MS = 2_500;
const PAGES = 1_000;
const PAGE_ROWS = 20;
const MIGRATIONS = join(import.meta.dirname, '../apps/api/migrations');

/** The migrations that cut the journal, and what stands on them, the newest first. */
const UNDONE = [
  '0136_empty_batches.sql',
  '0093_pieces_of_the_journal.sql',
  '0091_keys_by_time.sql',
] as const;
/** Each new connection of the product begins with an empty batch. */
const TAKE_EMPTY_BATCHES = `do $$
declare definition text := pg_get_functiondef('post_batch'::regproc); refusal text := 'if n = 0 or n > 1023 then raise';
begin
  if position(refusal in definition) = 0 then raise exception 'post_batch has no %', refusal; end if;
  execute replace(definition, refusal, 'if n = 0 then return; end if; if n > 1023 then raise');
end $$`;

interface PiecesBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly users: readonly BenchUser[];
}

const FORMS = ['one table', 'pieces'] as const;
type Form = (typeof FORMS)[number];

export async function measurePieces({ bench, samples, users }: PiecesBench): Promise<void> {
  say(`journals of ${PIECES} x ${ROWS_PER_PIECE} rows`);
  const ledgers = new Map<Form, Ledger>();
  for (const form of FORMS) {
    await bench.copy('prepared', form);
    const databaseUrl = bench.databaseUrl(form);
    await fillPieces(databaseUrl, form, users.length);
    ledgers.set(form, createLedger({ databaseUrl, log: createLog('warn') }));
  }
  // The first round compiles the code of both variants.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [form, ledger] of shuffled([...ledgers])) {
      const half = users.length / 2;
      // These users move nothing during the run, so that their movements stay spread over the partitions.
      const rate = await transfersPerSecond(ledger, users.slice(0, half));
      const pageMs = await pageP50(ledger, users.slice(half));
      if (round === 0) continue;
      samples.note(`transfers per s, ${form}`, Math.round(rate));
      samples.note(`history page p50 ms, ${form}`, pageMs);
    }
  }
  for (const ledger of ledgers.values()) await ledger.close();
}

/** Fills a database's empty journal with the same number of rows in either form. */
export async function fillPieces(
  databaseUrl: string,
  form: Form,
  userCount: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    if (form === 'one table') {
      for (const file of UNDONE) {
        const [, down = ''] = readFileSync(join(MIGRATIONS, file), 'utf8').split(
          '-- Down Migration',
        );
        await client.query(down);
      }
      await client.query(TAKE_EMPTY_BATCHES);
    }
    for (let piece = 1; piece <= PIECES; piece++) {
      await fillJournal(databaseUrl, { transferCount: ROWS_PER_PIECE, userCount });
      if (form === 'pieces' && piece < PIECES) {
        await client.query('select ledger_add_piece(), ledger_begin_piece()');
      }
    }
  } finally {
    await client.end();
  }
}

const newKey = (): string => uuidv7(Date.now(), (bytes) => randomFillSync(bytes));

async function transfersPerSecond(ledger: Ledger, movers: readonly BenchUser[]): Promise<number> {
  const startMs = performance.now();
  let done = 0;
  const send = async (sender: number): Promise<void> => {
    for (let turn = 1; performance.now() - startMs < TRANSFERS_MS; turn++) {
      const [payer, receiver] = [
        movers[sender],
        movers[(sender + turn * CONNECTIONS + 1) % movers.length],
      ];
      if (payer === undefined || receiver === undefined) throw new Error('too few users');
      const { outcome } = await ledger.transfer({
        debitAccountId: userAccountId(payer.userId, 'ATH'),
        creditAccountId: userAccountId(receiver.userId, 'ATH'),
        amountUnits: units(1n),
        kind: TransferKind.Send,
        key: newKey(),
      });
      if (outcome !== 'done') throw new Error(`a transfer was ${outcome}`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, sender) => send(sender)));
  return (done * 1_000) / (performance.now() - startMs);
}

/** The p50 of pages whose movements lie in many partitions. */
async function pageP50(ledger: Ledger, users: readonly BenchUser[]): Promise<number> {
  const times: number[] = [];
  for (let page = 0; page < PAGES; page++) {
    const user = users[(page * 7) % users.length];
    const accountIds = [userAccountId(user?.userId ?? 0n, 'ATH')];
    const startMs = performance.now();
    await ledger.walkHistory({ accountIds, limit: PAGE_ROWS });
    times.push(performance.now() - startMs);
  }
  return Math.round(median(times) * 1_000) / 1_000;
}

export const piecesRatios = ({ samples }: PiecesBench): MeasuredRatio[] => [
  {
    name: '[P-045] transfers/s with 24 pieces ÷ in one table',
    must: 0.95,
    aim: 1,
    sense: 'atLeast',
    rounds: samples.ratios('transfers per s, pieces', 'transfers per s, one table'),
  },
  {
    name: 'history page with 24 pieces ÷ in one table',
    must: 2.5,
    aim: 1.5,
    sense: 'atMost',
    rounds: samples.ratios('history page p50 ms, pieces', 'history page p50 ms, one table'),
  },
];
