/** Journals of a given size, written by `post_batch` as the product does, so that the books balance. */
import pg from 'pg';

const TRANSFERS_PER_BATCH = 1_000;
const BATCHES_PER_STATEMENT = 20;

/** Batches of transfers between random users. */
const FILL_SQL = `do $fill$
declare answer record; accounts bigint[]; debits int[]; credits int[];
begin
  for batch in 1..BATCHES loop
    select array_agg(picked.id order by picked.id) into accounts
      from (select distinct (1 + floor(random() * USERS))::bigint * 8 as id from generate_series(1, 1500)) picked;
    select array_agg(d), array_agg(case when c = d then c % cardinality(accounts) + 1 else c end) into debits, credits
      from (select 1 + floor(random() * cardinality(accounts))::int as d, 1 + floor(random() * cardinality(accounts))::int as c
              from generate_series(1, ${TRANSFERS_PER_BATCH})) pairs;
    select * into answer from post_batch(accounts, debits, credits,
      array_fill(1000::bigint, array[${TRANSFERS_PER_BATCH}]),
      (select array_agg(uuidv7()) from generate_series(1, ${TRANSFERS_PER_BATCH})),
      array_fill(0::smallint, array[${TRANSFERS_PER_BATCH}]), array_fill(1::smallint, array[${TRANSFERS_PER_BATCH}]), false);
  end loop;
end $fill$`;

export async function fillJournal(
  databaseUrl: string,
  { transferCount, userCount }: { transferCount: number; userCount: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    const text = FILL_SQL.replace('BATCHES', String(BATCHES_PER_STATEMENT)).replace(
      'USERS',
      String(userCount),
    );
    const perStatement = TRANSFERS_PER_BATCH * BATCHES_PER_STATEMENT;
    for (let done = 0; done < transferCount; done += perStatement) await client.query(text);
    await client.query('vacuum analyze ledger_accounts, ledger_transfers, ledger_batches');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/**
 * Adds transfers back and forth between two users, which lengthen the first user's history by `movementCount`
 * entries.
 */
export async function lengthenHistory(
  databaseUrl: string,
  {
    userId,
    otherUserId,
    movementCount,
  }: { userId: bigint; otherUserId: bigint; movementCount: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set synchronous_commit = off');
    const accounts = [userId * 8n, otherUserId * 8n].toSorted((a, b) => (a < b ? -1 : 1));
    for (let done = 0; done < movementCount;) {
      const count = Math.min(TRANSFERS_PER_BATCH, movementCount - done);
      await client.query(
        `select from post_batch($1::bigint[],
           (select array_agg(1 + i % 2) from generate_series(1, $2::int) i),
           (select array_agg(2 - i % 2) from generate_series(1, $2::int) i),
           array_fill(1000::bigint, array[$2::int]), (select array_agg(uuidv7()) from generate_series(1, $2::int)),
           array_fill(0::smallint, array[$2::int]), array_fill(1::smallint, array[$2::int]), false)`,
        [`{${accounts.join(',')}}`, count],
      );
      done += count;
    }
  } finally {
    await client.end();
  }
}

export interface JournalSize {
  readonly rowCount: number;
  readonly bytesPerTransfer: number;
  readonly heapBytes: number;
  readonly indexBytes: number;
}

export async function journalSize(databaseUrl: string): Promise<JournalSize> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string; heap: string; index: string }>(
      `select (select count(*) from ledger_transfers)::text as count,
              sum(pg_relation_size(relid))::text as heap, sum(pg_indexes_size(relid))::text as index
         from pg_partition_tree('ledger_transfers')`,
    );
    const [rowCount = 0, heapBytes = 0, indexBytes = 0] = Object.values(rows[0] ?? {}).map(Number);
    return {
      rowCount,
      heapBytes,
      indexBytes,
      bytesPerTransfer: Math.round((heapBytes + indexBytes) / rowCount),
    };
  } finally {
    await client.end();
  }
}

/** Bytes of write-ahead log that the whole server has written so far. */
export async function walBytes(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`,
    );
    return Number(rows[0]?.bytes);
  } finally {
    await client.end();
  }
}
