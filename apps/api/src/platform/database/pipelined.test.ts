/** Statements of a transaction that are sent together. */
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import type { Tx } from './database.ts';
import { pipelined } from './pipelined.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  await sql`create table places (name text, visits integer); grant all on places to public`.execute(
    test.admin,
  );
});
afterAll(() => test.close());

const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  test.deps.db.transaction().execute(work);

const visitsOf = async (tx: Tx, name: string) => {
  const { rows } = await sql<{
    visits: number;
  }>`select visits from places where name = ${name}`.execute(tx);
  return rows[0]?.visits;
};

it('sends them before the first is answered, and answers each', async () => {
  const numbers = [1, 2, 3];
  await inTx(async (tx) => {
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    const answers = await pipelined(tx, async (pipe) => {
      const asked = numbers.map((n) => pipe.executeQuery(CompiledQuery.raw(`select ${n} as n`)));
      await asked[0];
      expect(sent.mock.calls).toHaveLength(3);
      return Promise.all(asked);
    });
    sent.mockRestore();
    expect(answers.flatMap(({ rows }) => rows)).toEqual(numbers.map((n) => ({ n })));
  });
});

it('reads after a lock what was committed while the lock was waited for', async () => {
  await sql`delete from places`.execute(test.admin);
  await sql`insert into places values ('door', 1), ('hall', 1)`.execute(test.admin);
  const lock = (tx: Tx) => sql`select from places where name = 'door' for update`.execute(tx);
  const { later } = await inTx(async (first) => {
    await lock(first);
    const waiting = inTx((second) =>
      pipelined(second, async (pipe) => {
        const [, seen] = await Promise.all([lock(pipe), visitsOf(pipe, 'hall')]);
        return seen;
      }),
    );
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`.execute(test.admin);
      return rows.length > 0;
    };
    await expect.poll(isWaiting).toBe(true);
    await sql`update places set visits = 2 where name = 'hall'`.execute(first);
    return { later: waiting };
  });
  expect(await later).toBe(2);
});

/** Reads nothing until the server has answered all that was sent. */
async function allAnswersAtOnce(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

it('throws the error of the statement that failed, and undoes all of them', async () => {
  await sql`delete from places`.execute(test.admin);
  const visit = (tx: Tx, name: string) => sql`insert into places values (${name}, 1)`.execute(tx);
  const failed = inTx((tx) =>
    pipelined(tx, async (pipe) => {
      // Whoever asked hears of it last.
      const divided = sql`select 1 / 0`.execute(pipe).catch(async (error: unknown) => {
        for (let turn = 0; turn < 10; turn++) await Promise.resolve();
        throw error;
      });
      const all = Promise.all([visit(pipe, 'before'), divided, visit(pipe, 'after')]);
      await allAnswersAtOnce();
      return all;
    }),
  );
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  await inTx((tx) => visit(tx, 'next'));
  const { rows } = await sql`select name from places`.execute(test.deps.db);
  expect(rows).toEqual([{ name: 'next' }]);
});

it('lets no statement follow an error of the caller', async () => {
  await sql`delete from places`.execute(test.admin);
  const failed = inTx((tx) =>
    pipelined(tx, async (pipe) => {
      const late = visitsOf(pipe, 'door').then(() =>
        sql`insert into places values ('late', 1)`.execute(pipe),
      );
      await Promise.all([late, Promise.reject(new Error('no'))]);
    }),
  );
  await expect(failed).rejects.toThrow('no');
  const { rows } = await sql`select name from places`.execute(test.deps.db);
  expect(rows).toEqual([]);
});
