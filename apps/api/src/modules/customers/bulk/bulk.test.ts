import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ConsoleBodyOf } from '@athos/contract/console/calls';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import { createTasks } from '../../../capabilities.ts';
import { countOutcomes } from './bulk.sql.ts';

type Preview = ConsoleBodyOf<'previewBulk'>;

const REASON = 'Addresses of a leaked list';
const HOLD: Preview['act'] = { name: 'hold.place', kinds: ['sign_in', 'send'] };

let test: TestApp;
let support: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  support = await consoleAs(test, ['support']);
});
afterAll(async () => {
  await expectBooksBalance(test.deps.config.databaseUrl);
  await test.close();
});

const users = (count: number): Promise<TestUser[]> =>
  Promise.all(Array.from({ length: count }, () => test.createUser()));
const idsOf = (people: readonly TestUser[]) => ({ ids: people.map(({ uuid }) => uuid) });
const preview = (rows: Preview['rows'], act: Preview['act'] = HOLD, caller = support) => {
  // Calls are limited per second.
  test.clock.advance(1_000);
  return caller.call('previewBulk', { body: { act, rows, reason: REASON } });
};
const start = async ({ id, rows_total }: { id: string; rows_total: number }, caller = support) => {
  await caller.prove();
  return caller.call('startBulk', { params: { id }, body: { rows_total } });
};
const stateOf = async (id: string, caller = support) =>
  (await caller.call('bulkRun', { params: { id } })).body;
/** The audit entries of a run. */
const entriesOf = (runId: string) =>
  test.deps.db
    .selectFrom('audit_entries')
    .select(['action', 'subject_id', 'outcome', 'staff_id'])
    .where('request_id', '=', `bulk ${runId}`)
    .orderBy('seq')
    .execute();
const isHeld = async ({ userId }: TestUser) =>
  (
    await test.deps.db
      .selectFrom('account_holds')
      .select('id')
      .where('user_id', '=', userId)
      .execute()
  ).length;

describe('a bulk act', () => {
  it('[O-053] counts the rows exactly before it starts, and is about these rows only', async () => {
    const [ada, ben] = (await users(2)) as [TestUser, TestUser];
    const to = new Date(test.clock.nowMs() + 60_000).toISOString();
    const from = new Date(test.clock.nowMs() - 3_600_000).toISOString();
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from users where created_at >= ${from} and created_at < ${to}`.execute(
      test.deps.db,
    );
    const { status, body } = await preview({ filters: { from, to } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'previewed', rows_total: rows[0]?.count, rows_done: 0 });
    const late = await test.createUser();
    await test.runJobs();
    expect(await isHeld(ada)).toBe(0);

    expect((await start({ ...body, rows_total: body.rows_total + 1 })).status).toBe(400);
    expect((await start(body)).body).toMatchObject({ state: 'waiting' });
    expect((await start(body)).status).toBe(400);
    await test.runJobs();
    expect(await stateOf(body.id)).toMatchObject({
      state: 'done',
      rows_done: body.rows_total,
      rows_failed: 0,
    });
    expect([await isHeld(ada), await isHeld(ben), await isHeld(late)]).toEqual([1, 1, 0]);
    expect(await entriesOf(body.id)).toHaveLength(body.rows_total);
  });

  it('[O-054] reports each row that failed, with its reason, and does the others', async () => {
    const people = await users(3);
    const [ada, own, closed] = people as [TestUser, TestUser, TestUser];
    await sql`update users set closed_at = now(), email = null where id = ${closed.userId}`.execute(
      test.deps.db,
    );
    const caller = await consoleAs(test, ['support'], { walletUuid: own.uuid });
    const unknown = randomUUID();
    const { body } = await preview(
      { ids: [...idsOf(people).ids, unknown, ada.uuid] },
      { name: 'customer.note', text: 'Called back on 3 March' },
      caller,
    );
    expect(body.rows_total).toBe(4);
    await start(body, caller);
    await test.runJobs();
    expect(await stateOf(body.id, caller)).toMatchObject({
      state: 'done',
      rows_done: 1,
      rows_failed: 3,
    });
    const { body: failures } = await caller.call('bulkFailures', { params: { id: body.id } });
    expect(
      failures.items.map((row: { customer_uuid: string; code: string }) => [
        row.customer_uuid,
        row.code,
      ]),
    ).toEqual([
      [own.uuid, 'own_account'],
      [closed.uuid, 'not_found'],
      [unknown, 'not_found'],
    ]);
    expect(failures.items[0].reason).not.toBe('');
    expect((await entriesOf(body.id)).map(({ action, outcome }) => [action, outcome])).toEqual([
      ['customer.note', 'done'],
      ['customer.note', 'failed'],
      ['customer.note', 'failed'],
      ['customer.note', 'failed'],
    ]);
    // Other staff cannot see which customers the run was about.
    expect((await support.call('bulkRun', { params: { id: body.id } })).status).toBe(404);
    expect((await support.call('bulkFailures', { params: { id: body.id } })).status).toBe(404);
    expect((await start(body)).status).toBe(404);
  });

  it('does no row twice after a failure in the middle, nor with two workers', async () => {
    const people = await users(8);
    const { body } = await preview(idsOf(people), { name: 'customer.end_sessions' });
    await start(body);
    const task = createTasks(test.deps).upkeep['bulk_run'];
    const run = async () => task?.({ id: body.id }, undefined as never);
    const { sessions } = test.deps;
    const endAll = sessions.revokeAll.bind(sessions);
    let count = 0;
    const revokeAll = vi.spyOn(sessions, 'revokeAll').mockImplementation((...given) => {
      count += 1;
      return count === 4 ? Promise.reject(new Error('the database went away')) : endAll(...given);
    });
    await expect(run()).rejects.toThrow('went away');
    expect(await stateOf(body.id)).toMatchObject({ state: 'running', rows_done: 3 });
    revokeAll.mockRestore();
    await Promise.all([run(), run()]);
    expect(await stateOf(body.id)).toMatchObject({ state: 'done', rows_done: 8, rows_failed: 0 });
    const subjects = (await entriesOf(body.id)).map(({ subject_id }) => subject_id);
    expect(subjects.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      idsOf(people).ids.toSorted((a, b) => (a < b ? -1 : 1)),
    );
    await test.runJobs();
    expect(await entriesOf(body.id)).toHaveLength(8);
  });

  it('ends for somebody who may not do it any more', async () => {
    const people = await users(2);
    const caller = await consoleAs(test, ['support']);
    const { body } = await preview(idsOf(people), HOLD, caller);
    await start(body, caller);
    await sql`update staff set state = 'suspended' where id = ${caller.staffId}::uuid`.execute(
      test.deps.db,
    );
    await test.runJobs();
    const { rows } = await sql<{ code: string }>`
      select failure_code as code from bulk_rows where run_id = ${body.id}::uuid`.execute(
      test.deps.db,
    );
    expect(rows.map(({ code }) => code)).toEqual(['permission_missing', 'permission_missing']);
    expect(await Promise.all(people.map(isHeld))).toEqual([0, 0]);
  });

  it('does no further row once the person is suspended, in the middle of a run', async () => {
    const people = await users(8);
    const caller = await consoleAs(test, ['support']);
    const { body } = await preview(idsOf(people), { name: 'customer.end_sessions' }, caller);
    await start(body, caller);
    const { sessions } = test.deps;
    const endAll = sessions.revokeAll.bind(sessions);
    let count = 0;
    const revokeAll = vi.spyOn(sessions, 'revokeAll').mockImplementation(async (...given) => {
      count += 1;
      if (count === 3) {
        await sql`update staff set state = 'suspended' where id = ${caller.staffId}::uuid`.execute(
          test.deps.db,
        );
      }
      return endAll(...given);
    });
    await test.runJobs();
    revokeAll.mockRestore();
    expect(await countOutcomes(test.deps.db, body.id)).toEqual({ done: 3, failed: 5 });
    expect(count).toBe(3);
  });

  it('stops before the next row, and says how many were done', async () => {
    const people = await users(8);
    const { body } = await preview(idsOf(people), { name: 'customer.end_sessions' });
    const stop = (caller = support) => caller.call('stopBulk', { params: { id: body.id } });
    expect((await stop()).status).toBe(400);
    await start(body);
    const other = await consoleAs(test, ['support']);
    expect((await stop(other)).status).toBe(404);
    const { sessions } = test.deps;
    const endAll = sessions.revokeAll.bind(sessions);
    let count = 0;
    let stopped: ReturnType<typeof stop> | undefined;
    const revokeAll = vi.spyOn(sessions, 'revokeAll').mockImplementation(async (...given) => {
      count += 1;
      if (count === 3) {
        stopped = stop();
        await waitForLock(test);
      }
      return endAll(...given);
    });
    await test.runJobs();
    revokeAll.mockRestore();
    // The row in progress is finished and counted, and no row begins after the answer, except one that had already taken its lock.
    const answer = (await stopped)?.body;
    const doneCount = answer?.rows_done ?? 0;
    expect([3, 4, 5, 6]).toContain(doneCount);
    const told = { state: 'stopped', rows_done: doneCount, rows_failed: 0, rows_total: 8 };
    expect(answer).toMatchObject(told);
    expect(await stateOf(body.id)).toMatchObject(told);
    expect(await countOutcomes(test.deps.db, body.id)).toEqual({ done: doneCount, failed: 0 });
    expect(await entriesOf(body.id)).toHaveLength(doneCount);
    const { rows } = await sql<{ details: string }>`
      select details from audit_entries join audit_details using (seq)
       where action = 'bulk.stop' and subject_id = ${body.id} and outcome = 'done'`.execute(
      test.deps.db,
    );
    expect(rows[0]?.details).toContain(`"rows_done":${doneCount}`);
    expect((await stop()).status).toBe(400);
    expect((await start(body)).status).toBe(400);
  });

  it('never begins once it was stopped while it waited, nor ends as done', async () => {
    const [ada] = (await users(1)) as [TestUser];
    const { body } = await preview(idsOf([ada]));
    await start(body);
    const { body: stopped } = await support.call('stopBulk', { params: { id: body.id } });
    expect(stopped).toMatchObject({ state: 'stopped', rows_done: 0, rows_failed: 0 });
    await test.runJobs();
    expect(await stateOf(body.id)).toMatchObject({ state: 'stopped', rows_done: 0 });
    expect(await isHeld(ada)).toBe(0);
  });

  it('is in the list of whoever started it, newest first, page by page', async () => {
    const caller = await consoleAs(test, ['support']);
    const rows = idsOf(await users(1));
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      // One pass of the queue may leave the second run for the next pass.
      await test.runJobs();
      const { body } = await preview(rows, { name: 'customer.end_sessions' }, caller);
      await start(body, caller);
      ids.unshift(body.id);
    }
    await preview(rows, HOLD, caller);
    await caller.call('stopBulk', { params: { id: ids[0] ?? '' } });
    await test.runJobs();
    const { body: first } = await caller.call('bulkRuns', { query: { limit: 2 } });
    expect(first.count).toEqual({ value: 3, is_at_least: false });
    const { body: rest } = await caller.call('bulkRuns', {
      query: { limit: 2, cursor: first.next_cursor },
    });
    const shown = [...first.items, ...rest.items];
    expect(shown.map(({ id, state, rows_done: done }) => [id, state, done])).toEqual([
      [ids[0], 'stopped', 0],
      [ids[1], 'done', 1],
      [ids[2], 'done', 1],
    ]);
    const theirs = await (await consoleAs(test, ['support'])).call('bulkRuns');
    expect(theirs.body.items).toEqual([]);
  });

  it('is no way round a permission, a proof or a vote', async () => {
    const rows = idsOf(await users(1));
    const brand = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    const refused = await preview(rows, HOLD, brand);
    expect(refused.status).toBe(403);
    expect(refused.body.permission).toBe('customers.hold');
    const { body } = await preview(rows);
    await sql`update staff_sessions set proved_at = null where id = ${support.sessionId}`.execute(
      test.deps.db,
    );
    const unproved = await support.call('startBulk', {
      params: { id: body.id },
      body: { rows_total: 1 },
    });
    expect(unproved.body.code).toBe('confirmation_required');
    for (const name of ['hold.release', 'customer.credit', 'customer.erase', 'payment.refund']) {
      expect((await preview(rows, { name } as never)).status, name).toBe(400);
    }
  });

  it('takes 10,000 customers at most, some at least, and an hour to decide', async () => {
    await sql`
      insert into users (email, password_hash)
      select 'many-' || n || '@athos.example', 'none' from generate_series(1, 10001) n`.execute(
      test.deps.db,
    );
    expect((await preview({ filters: {} })).status).toBe(400);
    expect((await preview({ filters: { from: '2055-01-01T00:00:00Z' } })).status).toBe(400);
    expect((await preview({ ids: [] })).status).toBe(400);
    const many = Array.from({ length: 10_001 }, () => randomUUID());
    expect((await preview({ ids: many })).status).toBe(400);
    const most = await preview({ ids: many.slice(1) });
    expect(most.body.rows_total).toBe(10_000);
    await sql`update bulk_runs set created_at = created_at - interval '61 minutes' where id = ${most.body.id}::uuid`.execute(
      test.deps.db,
    );
    expect((await start(most.body)).status).toBe(400);
    await createTasks(test.deps).upkeep['bulk_prune']?.({}, undefined as never);
    expect((await support.call('bulkRun', { params: { id: most.body.id } })).status).toBe(404);
    const { rows } = await sql`select from bulk_rows where run_id = ${most.body.id}::uuid`.execute(
      test.deps.db,
    );
    expect(rows).toHaveLength(0);
  });
});
