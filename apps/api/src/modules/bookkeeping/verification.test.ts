/** Verifications that are cut off, meet a lost connection, or run for days. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { createFreezableProxy, type FreezableProxy } from '../../../test/freezable-proxy.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { createTasks } from '../../capabilities.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { startJobRunner } from '../../platform/jobs/job-runner.ts';

const DAY_MS = 24 * 60 * 60_000;
/** In the statements of the first and of the last read, and in no other. */
const FIRST_READ = 'row_digests, hash';
const LAST_READ = 'floor_units::text';

const { log, lines } = recordLog();
const alarms = () =>
  lines.map((line) => JSON.parse(line)).filter(({ alarm }) => alarm !== undefined);

let test: TestApp;
let finance: ConsoleCaller;
let directUrl: string;
let proxies: FreezableProxy[] = [];

beforeAll(async () => {
  test = await createTestApp({ log });
  finance = await consoleAs(test, ['finance']);
  await test.createUser({ balance: ath(100) });
  directUrl = test.deps.config.databaseUrl;
});
afterEach(async () => {
  readVia(directUrl);
  for (const proxy of proxies) await proxy.close();
  proxies = [];
});
afterAll(() => test.close());

/** Where verifications that begin from now on read the ledger. */
const readVia = (databaseUrl: string) => Object.assign(test.deps.config, { databaseUrl });

async function openProxy(): Promise<FreezableProxy> {
  const proxy = await createFreezableProxy(directUrl);
  proxies.push(proxy);
  return proxy;
}

const request = async (): Promise<string> => (await finance.call('verifyLedger')).body.id;

const read = async (id: string) =>
  (await finance.call('ledgerVerification', { params: { id } })).body;

const list = async (): Promise<{ id: string; is_whole: boolean; state: string }[]> =>
  (await finance.call('ledgerChain')).body.verifications;

async function passDays(days: number): Promise<void> {
  test.clock.advance(days * DAY_MS);
  // Sessions of staff are shorter.
  finance = await consoleAs(test, ['finance']);
}

/** The night after `days` days. Returns the verifications, newest first. */
async function nightAfter(days: number) {
  await passDays(days);
  await enqueueJob(test.deps.db, 'bookkeeping_verify_nightly', {});
  await test.runJobs();
  return list();
}

/** Begins the walk of a job that stops before it sends `text`. */
async function beginHeld(text: string) {
  const proxy = await openProxy();
  readVia(proxy.url);
  const held = proxy.holdBefore(text);
  const ended = test.runJobs();
  return { proxy, ended, release: await held };
}

/** Takes the job like a worker that is killed during it, and frees the job as the keeper of another worker does. */
async function killWorker(): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set attempts = attempts + 1, locked_at = now(), locked_by = 'died'
     where attempts < max_attempts`.execute(test.deps.db);
  await sql`select graphile_worker.force_unlock_workers(array['died'])`.execute(test.deps.db);
}

/** As after the pause before the next attempt. */
const makeJobsDue = () =>
  sql`update graphile_worker._private_jobs set run_at = now()`.execute(test.deps.db);

/** Cancels the statement that waits to write progress, as its timeout does. Returns how many did. */
const cancelProgress = async (): Promise<number> =>
  (
    await sql`select pg_cancel_backend(pid) from pg_stat_activity
               where datname = current_database() and wait_event_type = 'Lock' and query like 'update "ledger_verifications" set "row_count"%'`.execute(
      test.admin,
    )
  ).rows.length;

const countJobs = async (): Promise<number> =>
  (await sql`select from graphile_worker._private_jobs`.execute(test.deps.db)).rows.length;

describe('a verification', () => {
  it('is done although the worker that began it was killed', async () => {
    const id = await request();
    await killWorker();
    await test.runJobs();
    expect(await read(id)).toMatchObject({ state: 'right' });
  });

  it('fails if the database refuses to be read', async () => {
    const id = await request();
    readVia(directUrl.replace(/\/[^/]+$/, '/nothing'));
    await test.runJobs();
    expect(await read(id)).toMatchObject({ state: 'failed', fault: null });
    expect(alarms().at(-1)).toMatchObject({ alarm: 'ledger_unverified' });
  });

  it('is done again if its connection was lost', async () => {
    const id = await request();
    const { proxy, ended } = await beginHeld(LAST_READ);
    proxy.cutAndHeal();
    await ended;
    expect(await read(id)).toMatchObject({ state: 'running' });
    await makeJobsDue();
    await test.runJobs();
    expect(await read(id)).toMatchObject({ state: 'right' });
  });

  it('fails if its connection is lost in its last attempt too', async () => {
    const id = await request();
    await sql`update graphile_worker._private_jobs set attempts = max_attempts - 1`.execute(
      test.deps.db,
    );
    readVia('postgres://127.0.0.1:1/nothing');
    await test.runJobs();
    expect(await read(id)).toMatchObject({ state: 'failed' });
    expect(await countJobs()).toBe(0);
  });

  it('goes on while its progress cannot be written', async () => {
    const id = await request();
    const { ended, release } = await beginHeld(FIRST_READ);
    await test.admin.transaction().execute(async (tx) => {
      await sql`select from ledger_verifications where id = ${id} for update`.execute(tx);
      release();
      await expect.poll(cancelProgress, { timeout: 10_000 }).toBe(1);
      const isTold = () => lines.some((line) => line.includes('progress of a verification'));
      await expect.poll(isTold, { timeout: 10_000 }).toBe(true);
    });
    await ended;
    expect(await read(id)).toMatchObject({ state: 'right' });
  });
});

describe('a verification that runs for days', () => {
  it('is not begun a second time while it tells that it lives', async () => {
    const id = await request();
    const { proxy, ended, release } = await beginHeld(FIRST_READ);
    await passDays(4);
    const held = proxy.holdBefore(LAST_READ);
    release();
    const releaseLast = await held;
    readVia(directUrl);
    const verifications = await nightAfter(0);
    expect(verifications.filter(({ is_whole: isWhole }) => isWhole)[0]).toMatchObject({
      id,
      state: 'running',
    });
    releaseLast();
    await ended;
    expect(await read(id)).toMatchObject({ state: 'right' });
  });

  it('is ended by the next night if no worker survives it, and no night waits for it', async () => {
    const id = await request();
    for (let count = 0; count < 25; count += 1) await killWorker();
    const before = alarms().length;
    const verifications = await nightAfter(1);
    expect(verifications).toContainEqual(
      expect.objectContaining({ state: 'right', requested_by: null, is_whole: false }),
    );
    expect(await read(id)).toMatchObject({ state: 'failed' });
    expect(alarms().slice(before)).toMatchObject([{ alarm: 'ledger_unverified' }]);
    await sql`delete from graphile_worker._private_jobs`.execute(test.admin);
  });

  it('is left while its job waits for a worker', async () => {
    const id = await request();
    await sql`update graphile_worker._private_jobs set run_at = now() + interval '1 hour'`.execute(
      test.deps.db,
    );
    await nightAfter(2);
    expect(await read(id)).toMatchObject({ state: 'waiting' });
    await makeJobsDue();
    await test.runJobs();
    expect(await read(id)).toMatchObject({ state: 'right' });
  });

  it('stops if it was ended meanwhile', async () => {
    const id = await request();
    const { ended, release } = await beginHeld(FIRST_READ);
    await sql`delete from graphile_worker._private_jobs`.execute(test.admin);
    readVia(directUrl);
    await nightAfter(1);
    expect(await read(id)).toMatchObject({ state: 'failed' });
    release();
    await ended;
    expect(await read(id)).toMatchObject({ state: 'failed' });
  });

  it('stops if another worker has begun it again, and leaves the job to that one', async () => {
    const id = await request();
    const first = await beginHeld(FIRST_READ);
    await sql`
      select graphile_worker.force_unlock_workers(array(
        select locked_by from graphile_worker._private_jobs where locked_by is not null))`.execute(
      test.deps.db,
    );
    test.clock.advance(1_000);
    const second = await beginHeld(FIRST_READ);
    first.release();
    await first.ended;
    expect(await read(id)).toMatchObject({ state: 'running' });
    expect(await countJobs()).toBe(1);
    second.release();
    await second.ended;
    expect(await read(id)).toMatchObject({ state: 'right' });
    expect(await countJobs()).toBe(0);
  });

  it('takes no turn from the other jobs, and neither does the night beside it', async () => {
    const proxy = await openProxy();
    const held = proxy.holdBefore(FIRST_READ);
    await request();
    await enqueueJob(test.deps.db, 'bookkeeping_verify_nightly', {});
    const config = { ...test.deps.config, databaseUrl: proxy.url };
    const jobs = startJobRunner(test.deps, {
      tasks: createTasks({ ...test.deps, config }),
      crontab: '',
    });
    const running = async () =>
      (await list()).filter(({ state }) => state === 'running').map((one) => one.is_whole);
    await expect.poll(running, { timeout: 20_000 }).toEqual([false, true]);
    await enqueueJob(test.deps.db, 'bookkeeping_balance', {});
    await expect.poll(countJobs, { timeout: 20_000 }).toBe(2);
    (await held)();
    await expect.poll(countJobs, { timeout: 20_000 }).toBe(0);
    await jobs.stop();
  });
});

describe('the nights', () => {
  it('begin at a checkpoint, and once the last walk is a week old, a walk from the first row is beside them', async () => {
    await request();
    await test.runJobs();
    for (let night = 1; night < 7; night += 1) {
      const [newest, other] = await nightAfter(1);
      expect(newest).toMatchObject({ is_whole: false, state: 'right', transfers_done: 0 });
      expect(other).toMatchObject({ is_whole: night === 1 });
    }
    const [walk, nightly] = await nightAfter(1);
    expect(walk).toMatchObject({ is_whole: true, state: 'right', transfers_done: 1 });
    expect(nightly).toMatchObject({ is_whole: false, state: 'right' });
    expect((await nightAfter(1))[0]).toMatchObject({ is_whole: false });
  });

  it('walk a week late by a night alone, if no worker ran at the night of the walk', async () => {
    const [newest] = await nightAfter(10);
    expect(newest).toMatchObject({ is_whole: true, state: 'right' });
  });

  it('of a new system begin with one verification, and the walk follows a week later', async () => {
    const fresh = await createTestApp();
    const caller = () => consoleAs(fresh, ['finance']);
    const nightOfFresh = async (days: number) => {
      fresh.clock.advance(days * DAY_MS);
      await enqueueJob(fresh.deps.db, 'bookkeeping_verify_nightly', {});
      await fresh.runJobs();
      return (await (await caller()).call('ledgerChain')).body.verifications;
    };
    expect(await nightOfFresh(0)).toMatchObject([{ is_whole: false, state: 'right' }]);
    expect(await nightOfFresh(1)).toMatchObject([{ is_whole: false }, { is_whole: false }]);
    const [walk] = await nightOfFresh(6);
    expect(walk).toMatchObject({ is_whole: true, state: 'right' });
    await fresh.close();
  });
});
