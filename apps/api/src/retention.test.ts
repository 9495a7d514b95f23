/** Rows that are deleted after a time (docs/operating.md, "What ends when") and that no other test covers. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStaffMember } from '../test/console.ts';
import { createTestApp, type TestApp, type TestUser } from '../test/test-app.ts';
import { enqueueJob } from './platform/jobs/enqueue.ts';

const DAY_MS = 24 * 3_600_000;
/** The job runs a little later than the rows are created. */
const MINUTE_MS = 60_000;

let test: TestApp;
let user: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  user = await test.createUser();
});
afterAll(() => test.close());

/** One row that is just too old, and one that is not. */
const agesAround = (days: number): readonly [Date, Date] => [
  new Date(test.clock.nowMs() - days * DAY_MS - MINUTE_MS),
  new Date(test.clock.nowMs() - days * DAY_MS + MINUTE_MS),
];

async function run(task: string): Promise<void> {
  await enqueueJob(test.deps.db, task, {});
  await test.runJobs();
}

it('holds end 500 days after they were lifted, and standing ones never', async () => {
  const [old, young] = agesAround(500);
  const hold = { user_id: user.userId, kinds: ['send'], cause: 'staff' as const, reason: 'asked' };
  const rows = [
    { ...hold, cause_id: 'old', placed_at: old, lifted_at: old },
    { ...hold, cause_id: 'young', placed_at: old, lifted_at: young },
    { ...hold, cause_id: 'standing', placed_at: old, lifted_at: null },
  ];
  for (const row of rows)
    await sql`
      insert into account_holds (user_id, kinds, cause, reason, cause_id, placed_at, lifted_at)
      values (${row.user_id}, ${row.kinds}, ${row.cause}, ${row.reason}, ${row.cause_id}, ${row.placed_at}, ${row.lifted_at})`.execute(
      test.admin,
    );
  await run('holds_prune');
  const left = await test.admin.selectFrom('account_holds').select('cause_id').execute();
  expect(left.map(({ cause_id: id }) => id).toSorted()).toEqual(['standing', 'young']);
});

it('what is known of mails to a customer ends after 90 days', async () => {
  const [old, young] = agesAround(90);
  const mail = { user_id: user.userId, template: 'receipt' as const, refusal: null };
  await test.admin
    .insertInto('sent_mails')
    .values([
      { ...mail, sent_at: old },
      { ...mail, sent_at: young },
    ])
    .execute();
  await run('customers_prune');
  const left = await test.admin.selectFrom('sent_mails').select('sent_at').execute();
  expect(left).toEqual([{ sent_at: young }]);
});

it('verifications of the ledger end after 500 days', async () => {
  const [old, young] = agesAround(500);
  const rows = [old, young].map((at) => ({
    id: randomUUID(),
    requested_at: at,
    started_at: at,
    finished_at: at,
  }));
  await test.admin.insertInto('ledger_verifications').values(rows).execute();
  await run('bookkeeping_verify_nightly');
  const left = await test.admin.selectFrom('ledger_verifications').select('id').execute();
  const ids = left.map(({ id }) => id);
  expect(rows.map(({ id }) => ids.includes(id))).toEqual([false, true]);
});

it('verifications of the audit end after 400 days', async () => {
  const [old, young] = agesAround(400);
  const { staffId } = await createStaffMember(test, ['provider_owner']);
  const rows = [old, young].map((at) => ({
    id: randomUUID(),
    requested_at: at,
    requested_by: staffId,
    finished_at: at,
    entry_count: 0n,
    emptied_count: 0n,
    head: 'ab'.repeat(32),
  }));
  for (const row of rows)
    await sql`
      insert into audit_verifications (id, requested_at, requested_by, finished_at, entry_count, emptied_count, head)
      values (${row.id}, ${row.requested_at}, ${row.requested_by}, ${row.finished_at}, ${row.entry_count}, ${row.emptied_count}, ${row.head})`.execute(
      test.admin,
    );
  await run('staff_prune');
  const left = await test.admin.selectFrom('audit_verifications').select('id').execute();
  expect(left).toEqual([{ id: rows[1]?.id }]);
});

it('a program that ended without a word is forgotten a day after it was last seen', async () => {
  const [old, young] = agesAround(1);
  for (const [id, at] of [
    ['11111111-1111-4111-8111-111111111111', old],
    ['22222222-2222-4222-8222-222222222222', young],
  ] as const)
    await sql`
      insert into program_processes (id, program, version, started_at, seen_at, memory_bytes, loop_delay_ms, outside)
      values (${id}, 'api', 'one', ${at}, ${at}, 1, 1, '{}')`.execute(test.admin);
  await run('health_watch');
  const left = await test.admin.selectFrom('program_processes').select('id').execute();
  expect(left).toEqual([{ id: '22222222-2222-4222-8222-222222222222' }]);
});
