/** Batches of codes: made in a job, downloaded as a file, voided. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { API_PREFIX } from '@athos/contract/call';
import type { ConsoleBodyOf } from '@athos/contract/console/calls';
import { startApiProcess } from '../../../../test/api-process.ts';
import { createCampaign, redeem, redeemAtLast } from '../../../../test/build-reward.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath, balanceOf, refusalOf, twenty } from '../../../../test/shop.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../../../test/test-app.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';

const HOUR_MS = 3_600_000;
const REASON = 'For the bottles of the summer';

let dir: string;
let test: TestApp;
let brand: ConsoleCaller;
let owner: ConsoleCaller;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'batches-'));
  test = await createTestApp({ env: { EXPORT_DIR: dir } });
});
beforeEach(async () => {
  brand = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
  owner = await consoleAs(test, ['provider_owner']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(async () => {
  await test.close();
  await rm(dir, { recursive: true, force: true });
});

/** Creates a running campaign with 25 ATH per claim. */
async function campaignOf(budget = ath(1_000)): Promise<number> {
  await createCampaign(test, { budget, endsAt: new Date(test.clock.nowMs() + 200 * HOUR_MS) });
  const { items } = (await owner.call('campaigns')).body;
  return items[0].id;
}

type Order = Partial<ConsoleBodyOf<'makeBatch'>>;

const order = (campaignId: number, over: Order = {}, by = brand) =>
  by.call('makeBatch', {
    params: { id: campaignId },
    body: { label: 'Bottles', code_count: 5, reason: REASON, ...over },
  });

const batchesOf = async (id: number) =>
  (await owner.call('batches', { params: { id } })).body.items;

/** Requests a batch and lets the worker make it. */
async function made(campaignId: number, over: Order = {}): Promise<string> {
  const { body } = await order(campaignId, over);
  expect(body).toMatchObject({ outcome: 'done', batch_id: expect.any(String) });
  await test.runJobs();
  expect((await batchesOf(campaignId))[0]).toMatchObject({ id: body.batch_id, state: 'ready' });
  return body.batch_id;
}

async function download(id: string, by = brand): Promise<TestAnswer> {
  await by.prove();
  const link = await by.call('batchLink', { params: { id }, body: {} });
  if (link.status !== 200) return link;
  return follow(link.body.path, by);
}

function follow(path: string, by = brand): Promise<TestAnswer> {
  const url = new URL(path, 'http://console');
  return by.ask(
    { method: 'GET', path: url.pathname.slice(API_PREFIX.length) as '/admin/batches' },
    { query: { code: url.searchParams.get('code') ?? '' } },
  );
}

const linesOf = (csv: string): string[][] =>
  csv
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
const codesIn = (csv: string): string[] =>
  linesOf(csv)
    .slice(1)
    .map(([, code = '']) => code);
const files = (): string[] => readdirSync(join(dir, 'batches'));
const voidBatch = (id: string) =>
  brand.call('voidBatch', { params: { id }, body: { reason: REASON } });

async function codeCountOf(batchId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from reward_codes where batch_id = ${batchId}`.execute(
    test.deps.db,
  );
  return rows[0]?.count ?? 0;
}

describe('a batch', () => {
  it(
    '[O-087] of 100,000 codes is made in a job that shows its progress, within 30 s',
    { tags: 'long' },
    async () => {
      const id = await campaignOf(ath(10_000_000));
      const { body } = await order(id, { code_count: 100_000 });
      expect(body.outcome).toBe('requested');
      const params = { id: body.approval_id };
      expect((await owner.call('approveRequest', { params })).body.state).toBe('executed');
      const startedMs = performance.now();
      const job = { isRunning: true };
      const running = test.runJobs().finally(() => (job.isRunning = false));
      const watcher = await consoleAs(test, ['auditor']);
      const seen = new Set<number>();
      while (job.isRunning) {
        // Undefined while the watcher has exceeded the limit of calls.
        const { items } = (await watcher.call('batches', { params: { id } })).body;
        if (items?.[0].state === 'making') seen.add(items[0].codes_done);
      }
      await running;
      expect(performance.now() - startedMs).toBeLessThan(30_000);
      const between = [...seen].filter((count) => count > 0 && count < 100_000);
      expect(between.length).toBeGreaterThan(2);
      expect((await batchesOf(id))[0]).toMatchObject({ state: 'ready', codes_done: 100_000 });
      expect(await codeCountOf(body.approval_id)).toBe(100_000);
      const codes = codesIn((await download(body.approval_id)).text);
      expect(new Set(codes).size).toBe(100_000);
      const [last = ''] = codes.slice(-1);
      expect((await redeem(test, await test.createUser(), last)).status).toBe(200);
    },
  );

  it('[O-088] leaves its codes in no table, and on the disk only sealed', async () => {
    const id = await made(await campaignOf());
    const codes = codesIn((await download(id)).text);
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('public', 'graphile_worker')`.execute(test.deps.db);
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string | null }>`
        select string_agg(t::text, ' ') as text from ${sql.raw(name)} t`.execute(test.deps.db);
      for (const code of codes) {
        expect(rows[0]?.text ?? '').not.toContain(code);
        expect(rows[0]?.text ?? '').not.toContain(code.replaceAll('-', ''));
      }
    }
    const content = files().map((name) => readFileSync(join(dir, 'batches', name)));
    for (const code of codes) {
      expect(content.some((bytes) => bytes.includes(code.replaceAll('-', '')))).toBe(false);
    }
  });

  it('[O-089] is handed out as CSV with number, code, link and label', async () => {
    const expiresAt = new Date(test.clock.nowMs() + 48 * HOUR_MS).toISOString();
    const campaignId = await campaignOf();
    const id = await made(campaignId, {
      label: '=Bottles',
      uses_per_code: 2,
      expires_at: expiresAt,
    });
    const { text, headers } = await download(id);
    const [head, first = [], ...rest] = linesOf(text);
    expect(head?.join(',')).toBe('number,code,link,label,uses,expires_at');
    expect(rest).toHaveLength(4);
    const [number, code = '', link, ...more] = first;
    expect([number, ...more]).toEqual(['1', "'=Bottles", '2', expiresAt]);
    expect(link).toBe(`${test.deps.config.publicUrl}/app/redeem?code=${code}`);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="codes-.*\.csv"$/);
    const [ada, ben, eve] = [
      await test.createUser(),
      await test.createUser(),
      await test.createUser(),
    ];
    expect((await redeem(test, ada, code)).status).toBe(200);
    expect((await redeem(test, ben, code)).status).toBe(200);
    expect((await redeem(test, eve, code)).body.code).toBe('reward_used_up');
    expect((await batchesOf(campaignId))[0].claim_count).toBe(2);
    test.clock.advance(48 * HOUR_MS);
    const late = await redeem(test, await test.createUser(), codesIn(text)[1] ?? '');
    expect(late.body.code).toBe('reward_not_running');
  });

  it('[O-091] can be downloaded five times within 72 h, then its file and key are gone', async () => {
    const id = await made(await campaignOf());
    const before = files();
    const first = await brand.call('batchLink', { params: { id }, body: {} });
    expect((await follow(first.body.path)).status).toBe(200);
    expect((await follow(first.body.path)).status).toBe(404);
    for (let count = 2; count <= 5; count += 1) expect((await download(id)).status).toBe(200);
    expect(refusalOf(await download(id))).toEqual({ status: 409, code: 'file_gone' });
    await test.runJobs();
    expect(files()).toHaveLength(before.length - 1);
    const row = await test.deps.db
      .selectFrom('reward_batches')
      .select(['file_key', 'file_name'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ file_key: null, file_name: null });

    const late = await made(await campaignOf());
    const link = await brand.call('batchLink', { params: { id: late }, body: {} });
    test.clock.advance(72 * HOUR_MS);
    brand = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    expect((await follow(link.body.path)).status).toBe(404);
    expect(refusalOf(await download(late))).toEqual({ status: 409, code: 'file_gone' });
    await sql`select graphile_worker.add_job('batches_delete_ended')`.execute(test.deps.db);
    await test.runJobs();
    test.clock.advance(-72 * HOUR_MS);
    expect(refusalOf(await download(late))).toEqual({ status: 409, code: 'file_gone' });
    expect(files().filter((name) => name.startsWith(late))).toEqual([]);
    const [audit] = (
      await (
        await consoleAs(test, ['auditor'])
      ).call('auditEntries', { query: { action: 'batch.download' } })
    ).body.items;
    expect(audit).toMatchObject({ subject: { type: 'batch', id }, outcome: 'done' });
  });

  it('is handed out to nobody but who may make codes', async () => {
    const id = await made(await campaignOf());
    const link = await brand.call('batchLink', { params: { id }, body: {} });
    for (const role of [
      'provider_owner',
      'finance',
      'auditor',
      'support',
      'catalogue_editor',
    ] as const) {
      const other = await consoleAs(test, [role]);
      expect((await download(id, other)).body.permission).toBe('campaigns.codes');
      expect((await follow(link.body.path, other)).status).toBe(403);
    }
  });

  it('[O-092] that was voided is refused from the next claim on, among twenty claims at once', async () => {
    const campaignId = await campaignOf();
    const id = await made(campaignId, { code_count: 20 });
    const codes = codesIn((await download(id)).text);
    const users = await twenty(() => test.createUser());
    const [voided, ...claims] = await Promise.all([
      voidBatch(id),
      ...users.map((user, index) => redeemAtLast(test, user, codes[index] ?? '')),
    ]);
    expect(voided.body).toMatchObject({ state: 'void', downloads_left: 0, file_expires_at: null });
    const done = claims.filter(({ status }) => status === 200);
    const refused = claims.filter(({ status }) => status !== 200).map(({ body }) => body.code);
    expect(refused).toEqual(refused.map(() => 'reward_not_running'));
    expect((await batchesOf(campaignId))[0].claim_count).toBe(done.length);
    const late = await test.createUser();
    for (const code of codes) expect((await redeem(test, late, code)).status).toBe(409);
    expect(await balanceOf(test, late)).toBe('0');
    expect(refusalOf(await voidBatch(id))).toEqual({ status: 409, code: 'state_changed' });
    expect(refusalOf(await download(id))).toEqual({ status: 409, code: 'file_gone' });
    await test.runJobs();
    expect(files().filter((name) => name.startsWith(id))).toEqual([]);
  });

  it('that is voided while it waits is never made', async () => {
    const campaignId = await campaignOf();
    const { body } = await order(campaignId);
    expect((await voidBatch(body.batch_id)).body.state).toBe('void');
    await test.runJobs();
    expect(await codeCountOf(body.batch_id)).toBe(0);
    expect((await batchesOf(campaignId))[0].state).toBe('void');
  });
});

describe('an order', () => {
  it('takes a vote of the other organisation above 1,000 codes a day, and above the budget', async () => {
    const id = await campaignOf(ath(100_000));
    const outcomeOf = async (over: Order, by = brand) => (await order(id, over, by)).body.outcome;
    expect(await outcomeOf({ code_count: 999 })).toBe('done');
    expect(await outcomeOf({ code_count: 1 })).toBe('done');
    expect(await outcomeOf({ code_count: 1 })).toBe('requested');
    const another = () => consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    expect(await outcomeOf({ code_count: 1_001 }, await another())).toBe('requested');
    const other = await another();
    // 1,000 codes of 25 ATH are already issued; the budget covers 3,000 more claims.
    expect(await outcomeOf({ code_count: 1, uses_per_code: 3_001 }, other)).toBe('requested');
    expect(await outcomeOf({ code_count: 1, uses_per_code: 3_000 }, other)).toBe('done');
    expect(await outcomeOf({ code_count: 1 }, other)).toBe('requested');
    await test.runJobs();
  });

  it('is refused for a draft, for a settled campaign, and for codes that would have expired', async () => {
    const id = await campaignOf();
    const past = new Date(test.clock.nowMs() - 1).toISOString();
    expect(refusalOf(await order(id, { expires_at: past }))).toEqual({
      status: 400,
      code: 'invalid_request',
    });
    for (const over of [
      { code_count: 0 },
      { code_count: 100_001 },
      { uses_per_code: 0 },
      { label: ' ' },
    ]) {
      expect((await order(id, over)).status).toBe(400);
    }
    await brand.call('endCampaign', { params: { id }, body: { reason: REASON } });
    expect(refusalOf(await order(id))).toEqual({ status: 409, code: 'campaign_state' });
    expect((await order(987_654)).status).toBe(404);
  });

  it('is made once when it is sent twenty times with one key', async () => {
    const id = await campaignOf();
    const key = randomUUID();
    // The calls of one person are limited per second.
    test.clock.advance(1_000);
    const answers = await twenty(() =>
      brand.call('makeBatch', {
        params: { id },
        body: { label: 'Once', code_count: 3, reason: REASON },
        key,
      }),
    );
    expect(new Set(answers.map(({ body }) => body.batch_id))).toEqual(new Set([key]));
    await test.runJobs();
    expect(await codeCountOf(key)).toBe(3);
  });
});

describe('a worker', () => {
  it(
    'that is killed in the middle leaves no code without a record, and the next one makes the batch',
    { tags: 'long' },
    async () => {
      const campaignId = await campaignOf(ath(1_000_000));
      const worker = await startApiProcess(test.deps.config.databaseUrl, 'worker', {
        EXPORT_DIR: dir,
      });
      const blocker = new pg.Client({ connectionString: test.deps.config.databaseUrl });
      await blocker.connect();
      await blocker.query('begin; lock table reward_codes in share row exclusive mode');
      const { body } = await order(campaignId, { code_count: 1_000 });
      await waitForLock(test, 'reward_codes');
      await worker.kill();
      await blocker.query('rollback');
      await blocker.end();
      const id: string = body.batch_id;
      expect(files().filter((name) => name.startsWith(id))).toHaveLength(1);
      expect(await codeCountOf(id)).toBe(0);
      expect((await batchesOf(campaignId))[0]).toMatchObject({
        state: 'making',
        downloads_left: 0,
      });

      // Frees the job as the keeper of jobs does for a process that died.
      await sql`
      select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
        from graphile_worker._private_jobs where locked_by is not null`.execute(test.deps.db);
      await test.runJobs();
      expect((await batchesOf(campaignId))[0]).toMatchObject({ state: 'ready', codes_done: 1_000 });
      expect(await codeCountOf(id)).toBe(1_000);
      await sql`select graphile_worker.add_job('batches_delete_ended')`.execute(test.deps.db);
      await test.runJobs();
      expect(files().filter((name) => name.startsWith(id))).toHaveLength(1);
      const codes = codesIn((await download(id)).text);
      expect((await redeem(test, await test.createUser(), codes[999] ?? '')).status).toBe(200);
    },
  );
});
