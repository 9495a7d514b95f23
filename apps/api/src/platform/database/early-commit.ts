/**
 * Commit early, acknowledge late (decision 0041). A transaction that moves value commits without waiting for the disk or a standby, so
 * that its locks are free again. Then a barrier, a small commit that does wait, follows on the same connection: once the barrier is
 * stored, so is everything before it. No answer is sent before the barrier has returned. Another connection would not do, since a
 * failover ends them all, and a new one may reach a server that never had the transaction.
 */
import {
  CompiledQuery,
  PostgresDialect,
  PostgresDriver,
  sql,
  type DatabaseConnection,
  type PostgresDialectConfig,
  type QueryExecutorProvider,
  type QueryResult,
  type RawBuilder,
} from 'kysely';
import { barrierPassed } from '../metrics/events.ts';
import { Batcher } from './batcher.ts';
import { ConnectionFault, isLostConnection, NOT_REPLICATED } from './connection.ts';
import type { LastingConnection } from './lasting-connection.ts';
import { named } from './prepared.ts';
import { traced } from '../traces/spans.ts';

/** Server options for a connection on which every transaction commits early. Its owner must call `passBarrier` after each transaction. */
export const EARLY_OPTIONS = '-c synchronous_commit=off';

/** A statement in its own transaction. It returns when everything before it has been stored as safely as the server can. */
export const BARRIER = {
  name: 'barrier',
  text: `select pg_logical_emit_message(true, 'barrier', ''), set_config('synchronous_commit', 'on', true)`,
} as const;

const BARRIER_QUERY = named(BARRIER.name, CompiledQuery.raw(BARRIER.text));
const TURN_EARLY = CompiledQuery.raw('set local synchronous_commit = off');

/**
 * What a statement for `executeEarly` computes for the rows that it writes, so that it commits early. A statement that leaves it out waits
 * for its own commit, which is slower and just as safe.
 */
export const earlyCommit: RawBuilder<unknown> = sql`set_config('synchronous_commit', 'off', true)`;

/** What to do once the current transaction of a connection is stored. A connection without an entry does not commit early. */
const early = new WeakMap<DatabaseConnection, (() => void)[]>();

/**
 * Makes the transaction commit early and end with a barrier, after which it calls `onStored`. Every transaction that posts to the ledger must
 * call this, and so must one that repeats an answer without writing: the rows that it read may not be stored safely yet.
 */
export const commitEarly = (tx: QueryExecutorProvider, onStored?: () => void): Promise<void> =>
  tx.getExecutor().provideConnection((connection) => {
    const others = early.get(connection) ?? [];
    early.set(connection, onStored === undefined ? others : [...others, onStored]);
    return Promise.resolve();
  });

const MS_PER_SECOND = 1_000;

/**
 * Waits for a barrier, and for `executed`, the work before it. Returns the milliseconds between the two. Throws that the outcome is unknown
 * if the barrier failed: that work may or may not last.
 */
async function requirePassed(
  barrier: Promise<unknown>,
  executed: Promise<unknown>,
): Promise<number> {
  const executedMs = executed.then(
    () => performance.now(),
    () => undefined,
  );
  try {
    await traced('barrier', () => barrier);
  } catch (cause) {
    throw new ConnectionFault(NOT_REPLICATED, 'the barrier after a commit failed', { cause });
  }
  const startMs = await executedMs;
  if (startMs === undefined) return 0;
  const tookMs = performance.now() - startMs;
  barrierPassed.tell(tookMs / MS_PER_SECOND);
  return tookMs;
}

/**
 * Passes a barrier on a connection with `EARLY_OPTIONS`, and returns how long it took, in milliseconds. May be called while `executed`, the
 * transaction before it, is under way.
 */
export const passBarrier = (
  connection: LastingConnection,
  deadlineMs: number,
  executed: Promise<unknown>,
): Promise<number> => requirePassed(connection.query(BARRIER, deadlineMs), executed);

type Settled = PromiseSettledResult<QueryResult<unknown>>;

/**
 * Runs statements on one connection, each as a transaction of its own, and one barrier for all of them. Everything is sent at once, so that
 * nothing holds its locks for a round trip.
 */
const executeTogether = (
  db: QueryExecutorProvider,
  statements: readonly CompiledQuery[],
): Promise<readonly Settled[]> =>
  db.getExecutor().provideConnection(async (connection) => {
    const sent = statements.map((statement) => connection.executeQuery<unknown>(statement));
    const settled = Promise.allSettled(sent);
    await requirePassed(connection.executeQuery(BARRIER_QUERY), settled);
    return settled;
  });

/** More batches at once would only make each of them smaller. `waitMaxMs` is below the timeout of a request. */
const STATEMENTS = { batchesInFlightMax: 3, batchSizeMax: 32, waitingMax: 2_000, waitMaxMs: 3_500 };

/** The batcher of each database. */
const lanes = new WeakMap<QueryExecutorProvider, Batcher<CompiledQuery, Settled>>();

function laneOf(db: QueryExecutorProvider): Batcher<CompiledQuery, Settled> {
  const known = lanes.get(db);
  if (known !== undefined) return known;
  const lane = new Batcher<CompiledQuery, Settled>({
    name: 'statements',
    send: (statements) => executeTogether(db, statements),
    ...STATEMENTS,
  });
  lanes.set(db, lane);
  return lane;
}

/**
 * Runs one statement as a transaction of its own, which commits early if the statement computes `earlyCommit`. Statements that arrive while
 * others are under way share a barrier, so a few connections serve all of them, however long a commit takes. If one fails, the others still
 * succeed.
 */
export async function executeEarly<Row>(
  db: QueryExecutorProvider,
  statement: CompiledQuery<Row>,
): Promise<readonly Row[]> {
  const settled = await laneOf(db).ask(statement);
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value.rows as readonly Row[];
}

class EarlyCommitDriver extends PostgresDriver {
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const onStored = early.get(connection);
    early.delete(connection);
    if (onStored === undefined) return super.commitTransaction(connection);
    // Everything is sent at once, so the barrier costs no round trip.
    const turned = connection.executeQuery(TURN_EARLY);
    const committed = super.commitTransaction(connection);
    const passed = requirePassed(connection.executeQuery(BARRIER_QUERY), committed);
    await Promise.allSettled([turned, committed, passed]);
    await committed;
    await passed;
    for (const tell of onStored) tell();
  }

  override async rollbackTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    early.delete(connection);
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      // A lost connection has rolled back, and what lost it says more to the caller.
      if (!isLostConnection(error)) throw error;
    });
  }
}

/** A dialect for pools with `pipeline`. */
export class EarlyCommitDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new EarlyCommitDriver(this.#config);
  }
}
