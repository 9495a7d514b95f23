/** Queries by which the test audits the database itself. */
import pg from 'pg';
import { LOCK_SPACE } from '../../apps/api/src/platform/jobs/job-keeper.ts';
import type { Acknowledged, IntentKind } from './load.ts';

/** For each kind, a query of the rows created with one of its keys. Each intent must have created exactly one. */
const MADE: Readonly<Record<Exclude<IntentKind, 'sign_up'>, string>> = {
  send: `select key, id::text as id from ledger_transfers where kind = 1`,
  held_send: `select held.key, held.id::text from send_holds held
                join ledger_transfers taken on taken.key = held.key and taken.kind = 14`,
  // An undo names the held send by the key of the only movement that settles it.
  undo: `select key, case kind when 15 then 'posted' when 16 then 'taken_back' end as id
           from ledger_transfers where kind in (15, 16)`,
  cart: `select bought.key, bought.id::text from purchases bought
           join ledger_transfers paid on paid.key = bought.key and paid.kind = 3`,
  claim: `select claim.key, claim.id::text from reward_claims claim
            join ledger_transfers credit on credit.key = claim.id`,
  redemption: `select key, id::text from redemptions where answer ->> 'redeemed_count' <> '0'`,
  card: `select quote.key, card_order.id::text from card_quotes quote
           join card_orders card_order on card_order.id = quote.order_id and card_order.state = 'credited'
           join ledger_transfers credit on credit.key = card_order.id and credit.kind = 2`,
};

const REDEEMED_TWICE = `
  select result ->> 'item_id' as item, count(*)::int as count
    from redemptions, jsonb_array_elements(answer -> 'results') result
   where result ->> 'outcome' = 'redeemed' group by 1 having count(*) > 1`;

/** Orders whose tokens were credited more or less often than they were paid. */
const WRONG_CREDITS = `
  select card_order.id::text as id, count(credit.id)::int as count
    from card_orders card_order left join ledger_transfers credit on credit.key = card_order.id and credit.kind = 2
   group by card_order.id, card_order.state
  having count(credit.id) <> case card_order.state when 'credited' then 1 else 0 end`;

/** How long after its time a held send may arrive. */
const ARRIVES_WITHIN_S = 25;

/** Held sends that were settled more or less often than their row says, or that should have arrived. */
const WRONG_HOLDS = `
  select held.id::text as id, held.state, count(settled.id)::int as count
    from send_holds held left join ledger_transfers settled on settled.key = held.id
   group by held.id, held.state, held.post_at
  having count(settled.id) <> case held.state when 'held' then 0 else 1 end
      or held.state = 'held' and held.post_at < now() - interval '${ARRIVES_WITHIN_S} s'`;

export interface Findings {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly redeemedTwice: readonly string[];
  readonly wrongCredits: readonly string[];
  readonly wrongHolds: readonly string[];
}

async function withClient<T>(
  databaseUrl: string,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}

export async function findWrong(
  databaseUrl: string,
  acknowledged: readonly Acknowledged[],
): Promise<Findings> {
  return withClient(databaseUrl, async (client) => {
    const wrong = { lost: [] as string[], doubled: [] as string[] };
    for (const [kind, made] of Object.entries(MADE)) {
      const told = acknowledged.filter((one) => one.kind === kind);
      const keys = told.flatMap((one, intent) => one.keys.map((key) => ({ intent, key })));
      const { rows } = await client.query<{ intent: number; count: number; id: string | null }>(
        `select told.intent, count(made.id)::int as count, min(made.id) as id
           from unnest($1::int[], $2::uuid[]) told (intent, key) left join (${made}) made on made.key = told.key
          group by told.intent`,
        [keys.map(({ intent }) => intent), keys.map(({ key }) => key)],
      );
      for (const { intent, count, id } of rows) {
        const one = told[intent];
        const isOther = one?.told !== undefined && count === 1 && id !== one.told;
        if (count === 0 || isOther) wrong.lost.push(`${kind} ${one?.keys.join()}`);
        if (count > 1) wrong.doubled.push(`${kind} ${one?.keys.join()}: ${count} times`);
      }
    }
    const twice = await client.query<{ item: string; count: number }>(REDEEMED_TWICE);
    const credits = await client.query<{ id: string; count: number }>(WRONG_CREDITS);
    const holds = await client.query<{ id: string; state: string; count: number }>(WRONG_HOLDS);
    return {
      ...wrong,
      redeemedTwice: twice.rows.map(({ item, count }) => `item ${item}: ${count} times`),
      wrongCredits: credits.rows.map(({ id, count }) => `order ${id}: ${count} credits`),
      wrongHolds: holds.rows.map(({ id, state, count }) => `${id}: ${state}, moved ${count} times`),
    };
  });
}

/** One line for each job that is overdue by more than the limit and has not failed before: a worker has taken it and not done it. */
export async function findLateJobs(databaseUrl: string, ageSecondsMax: number): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; seconds: number }>(
      `select id::text, extract(epoch from now() - run_at)::int as seconds from graphile_worker._private_jobs
        where run_at < now() - $1 * interval '1 second' and attempts < max_attempts`,
      [ageSecondsMax],
    );
    return rows.map(({ id, seconds }) => `job ${id} has been waiting for ${seconds} s`);
  });
}

/** How many jobs the worker with this process id runs at the moment. It holds a lock for each name under which it takes jobs (job-keeper.ts). */
export async function countHeldJobs(databaseUrl: string, workerPid: number): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from graphile_worker._private_jobs job
         join pg_locks held on held.locktype = 'advisory' and held.classid = $1
          and held.objid::bigint = hashtext(job.locked_by)::bigint & 4294967295
         join pg_stat_activity holder on holder.pid = held.pid and holder.application_name like $2`,
      [LOCK_SPACE, `% ${workerPid}@%`],
    );
    return rows[0]?.count ?? 0;
  });
}

/** How far PostgreSQL's clock is ahead of this program's. */
export async function readClockLead(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ ms: number }>(
      `select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
    );
    return ((rows[0]?.ms ?? 0) - Date.now()) / 1000;
  });
}

/** Begins a new segment of the WAL, 16 MB that PostgreSQL then has on its disk. */
export async function beginWalSegment(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('select pg_switch_wal()');
    await client.query(`select pg_logical_emit_message(true, 'first', '')`);
  });
}

/** Cancels every commit that waits for a standby. Such a commit then succeeds, with notice 01000, but no standby has it. */
export async function cancelCommits(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 1_000 });
  // A server that stops breaks the connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
    );
  } finally {
    await client.end();
  }
}
