import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFreezableProxy, type FreezableProxy } from '../../test/freezable-proxy.ts';
import { createLedgerBooks, send, type LedgerBooks } from '../../test/ledger-books.ts';
import { createLog } from '../platform/log/log.ts';
import { SETTLE_LIMIT_MS } from './group-commit.ts';
import {
  createLedger,
  systemAccountId,
  TransferKind,
  type GroupTransferRequest,
  type LedgerAccountId,
} from './index.ts';

/** The deadline of every request, even if the database does not respond, plus 5 s for a busy machine. */
const OPEN_LIMIT_MS = SETTLE_LIMIT_MS + 5_000;

let books: LedgerBooks;
let proxy: FreezableProxy;
let from: LedgerAccountId;
let to: LedgerAccountId;
beforeEach(async () => {
  books = await createLedgerBooks(async (url) => {
    proxy = await createFreezableProxy(url);
    return proxy.url;
  });
  [from, to] = [await books.openUser(1n, 1_000n), await books.openUser(2n)];
  await books.ledger.transfer(send(from, to, 1n));
});
afterEach(async () => {
  await books.close();
  await proxy.close();
});

async function timed<T>(
  work: Promise<T>,
): Promise<{ result: PromiseSettledResult<T>; ms: number }> {
  const startMs = performance.now();
  const [result] = await Promise.allSettled([work]);
  return { result, ms: performance.now() - startMs };
}

describe('when the database does not respond', () => {
  it('settles every transfer and every read at its deadline, including those that arrive later', async () => {
    proxy.freeze();
    const early = Array.from({ length: 50 }, () =>
      timed(books.ledger.transfer(send(from, to, 1n))),
    );
    const reads = [timed(books.ledger.balances([from])), timed(books.ledger.balances([to]))];
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const late = Array.from({ length: 50 }, () => timed(books.ledger.transfer(send(from, to, 1n))));
    for (const { result, ms } of await Promise.all([...early, ...late, ...reads])) {
      expect(ms).toBeLessThan(OPEN_LIMIT_MS);
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { name: 'LedgerUnavailableError' },
      });
    }
    proxy.cutAndHeal();
    await books.expectBooksBalance();
  });

  it('refuses a transfer at once when too many wait', async () => {
    proxy.freeze();
    const waiting = Array.from({ length: 10_600 }, () =>
      timed(books.ledger.transfer(send(from, to, 1n))),
    );
    const refused = timed(books.ledger.transfer(send(from, to, 1n)));
    const first = await Promise.race([refused, waiting[0]]);
    expect(first?.result).toMatchObject({ status: 'rejected', reason: { reason: 'overloaded' } });
    proxy.cutAndHeal();
    for (const { ms } of await Promise.all(waiting)) expect(ms).toBeLessThan(OPEN_LIMIT_MS);
  });

  it('posts a transfer once if its result is lost after the commit, and retries it with its key', async () => {
    const request = send(from, to, 100n);
    const answered = proxy.swallowAnswersTo('post_batch');
    const outcome = books.ledger.transfer(request);
    await answered;
    proxy.cutAndHeal();
    // The ledger itself retried with the same key.
    expect(await outcome).toMatchObject({ outcome: 'replayed', creditAfterUnits: 101n });
    expect(await books.ledger.transfer(request)).toEqual(await outcome);
    expect(await books.balance(to)).toBe(101n);
    await books.expectBooksBalance();
  });

  it.each([0, 20])(
    'goes on over its other connection, whose answers take %i ms, when one freezes',
    async (delayMs) => {
      proxy.delayAnswers(delayMs);
      const isFrozen = proxy.freezeOneBefore('post_batch');
      const [first, second] = [send(from, to, 1n), send(from, to, 1n)];
      const stuck = timed(books.ledger.transfer(first));
      await isFrozen;
      // The next batch is sent before the first one is late. If barriers took long so far, it goes over the other connection at once.
      const next = timed(books.ledger.transfer(second));
      await new Promise((resolve) => setImmediate(resolve));
      for (let count = 0; count < 20; count++) {
        const others = Array.from({ length: 5 }, () =>
          timed(books.ledger.transfer(send(from, to, 1n))),
        );
        for (const { result, ms } of await Promise.all(others)) {
          expect(result).toMatchObject({ value: { outcome: 'done' } });
          expect(ms).toBeLessThan(2_000);
        }
      }
      expect((await stuck).result).toMatchObject({ reason: { reason: 'outcome_unknown' } });
      const { result } = await next;
      if (result.status === 'fulfilled') expect(result.value).toMatchObject({ outcome: 'done' });
      else expect(result.reason).toMatchObject({ reason: 'outcome_unknown' });
      for (const { ms } of [await stuck, await next]) expect(ms).toBeLessThan(OPEN_LIMIT_MS);
      expect(await books.ledger.transfer(first)).toMatchObject({ outcome: 'done' });
      await books.ledger.transfer(second);
      expect(await books.balance(to)).toBe(103n);
      await books.expectBooksBalance();
    },
  );

  it('continues after the server has ended all connections', async () => {
    const outcomes = Promise.all(
      Array.from({ length: 100 }, () => books.ledger.transfer(send(from, to, 1n))),
    );
    await books.admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'athos-ledger%'`,
    );
    for (const { outcome } of await outcomes) expect(['done', 'replayed']).toContain(outcome);
    expect(await books.balance(to)).toBe(101n);
    await books.expectBooksBalance();
  });

  it('repeats a read that was in flight when the server ended its connection', async () => {
    const answered = proxy.swallowAnswers();
    const read = books.balance(from);
    await answered;
    proxy.cutAndHeal();
    expect(await read).toBe(999n);
  });

  it('repeats a read that was sent on a connection the server was about to end', async () => {
    const release = proxy.holdBefore('balances');
    const reads = [books.balance(from), books.balance(to)];
    const pass = await release;
    await books.admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'athos-ledger-reads %'`,
    );
    pass();
    expect(await Promise.all(reads)).toEqual([999n, 1n]);
  });

  it('reports that nothing was sent if there is no database', async () => {
    const ledger = createLedger({
      databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
      log: createLog('silent'),
    });
    const { result, ms } = await timed(ledger.transfer(send(from, to, 1n)));
    expect(result).toMatchObject({ status: 'rejected', reason: { reason: 'not_sent' } });
    expect(ms).toBeLessThan(OPEN_LIMIT_MS);
    await ledger.close();
  });

  it('settles requests in flight before it closes, and refuses new ones', async () => {
    const ledger = createLedger({ databaseUrl: books.databaseUrl, log: createLog('silent') });
    const under = ledger.transfer(send(from, to, 1n));
    const closed = ledger.close();
    await expect(ledger.transfer(send(from, to, 1n))).rejects.toMatchObject({ reason: 'closing' });
    expect(await under).toMatchObject({ outcome: 'done' });
    await closed;
  });
});

describe('when a claw-back is cut off', () => {
  const dispute = systemAccountId('dispute_hold', 'ATH');
  const take = (): GroupTransferRequest => ({
    ...send(from, dispute, 1_500n),
    kind: TransferKind.Chargeback,
    line: 0,
  });
  /** Runs as the worker does, on a separate connection through the proxy. */
  async function clawBack(request: GroupTransferRequest): Promise<string> {
    const pool = new pg.Pool({ connectionString: proxy.url, max: 1 });
    // The connection is cut on purpose, so its pending query is rejected too.
    pool.on('connect', (client) => client.on('error', () => undefined));
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    try {
      const work = db.transaction().execute((tx) => books.ledger.clawBackInTx(tx, [request]));
      return (await work).outcome;
    } catch {
      return 'lost';
    } finally {
      await db.destroy();
    }
  }
  const payer = async () => {
    const { rows } = await books.admin.query(
      'select balance_units::text as balance, floor_units::text as floor, state from ledger_accounts where id = $1',
      [from],
    );
    return rows[0];
  };

  // The statements in order: lock, floors, posting, states, commit.
  it.each(['ledger_lock', 'ledger_open_for_taking', 'post_batch', 'ledger_end_taking', 'commit'])(
    'before %s, nothing has happened, and a repeat takes it once',
    async (statement) => {
      await books.inTx((tx) => books.ledger.setAccountState(tx, from, 'frozen'));
      const before = await payer();
      const request = take();
      const reached = proxy.freezeBefore(statement);
      const outcome = clawBack(request);
      await reached;
      proxy.cutAndHeal();
      expect(await outcome).toBe('lost');
      expect(await payer()).toEqual(before);
      await books.expectBooksBalance();
      expect(await clawBack(request)).toBe('done');
      expect(await clawBack(request)).toBe('replayed');
      expect(await payer()).toEqual({ balance: '-501', floor: '-501', state: 2 });
      await books.expectBooksBalance();
    },
  );

  it('has moved everything once committed, and a repeat is a replay', async () => {
    const request = take();
    const answered = proxy.swallowAnswersTo('commit');
    const outcome = clawBack(request);
    await answered;
    proxy.cutAndHeal();
    expect(await outcome).toBe('lost');
    expect(await clawBack(request)).toBe('replayed');
    expect(await payer()).toEqual({ balance: '-501', floor: '-501', state: 0 });
    await books.expectBooksBalance();
  });
});
