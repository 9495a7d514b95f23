import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { register } from '../../../test/accounts.ts';
import { createFreezableProxy, type FreezableProxy } from '../../../test/freezable-proxy.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { withProductLimits } from '../../../test/test-database.ts';
import { createTasks } from '../../capabilities.ts';
import { enqueueJob } from './enqueue.ts';
import { startJobRunner, type JobRunner } from './job-runner.ts';
import type { Mail } from '../mail/mailer.ts';

/** More than the time between two rounds of the keeper. */
const KEEPER_MS = 30_000;

let test: TestApp;
let jobs: JobRunner | undefined;
let proxies: FreezableProxy[];
let admin: pg.Client;
/** Called for each mail; tests replace it. */
let onMail: (mail: Mail) => Promise<void>;

beforeEach(async () => {
  proxies = [];
  onMail = () => Promise.resolve();
  const mailer = { send: (mail: Mail) => onMail(mail), close: () => undefined };
  test = await createTestApp({ standIns: { mailer } });
  admin = new pg.Client({ connectionString: test.adminUrl });
  await admin.connect();
});
afterEach(async () => {
  await jobs?.stop();
  jobs = undefined;
  for (const proxy of proxies) await proxy.close();
  await admin.end();
  await test.close();
});

const nextMail = (): Promise<Mail> =>
  new Promise((resolve) => {
    onMail = (mail) => {
      resolve(mail);
      return Promise.resolve();
    };
  });

/** Starts all jobs except scheduled ones, which would run, and fail without a provider, if a minute ended during the test. */
function startJobsOn(deps: TestApp['deps']): JobRunner {
  jobs = startJobRunner(deps, { tasks: createTasks(deps), crontab: '' });
  return jobs;
}

const startJobs = (): Promise<void> => startJobsOn(test.deps).started;

/** Creates a proxy between the jobs and their database. It closes with the test, after the jobs. */
async function createProxy() {
  const proxy = await createFreezableProxy(withProductLimits(test.deps.config.databaseUrl));
  proxies.push(proxy);
  const config = { ...test.deps.config, databaseUrl: proxy.url };
  const deps = { ...test.deps, config };
  const startJobsThere = (): JobRunner => startJobsOn(deps);
  const startMailsThere = (): JobRunner =>
    (jobs = startJobRunner(deps, { tasks: { mail: createTasks(deps).mail }, crontab: '' }));
  return { proxy, startJobsThere, startMailsThere };
}

/** Marks the waiting jobs as taken by another process a minute ago. */
async function markJob(name: string): Promise<void> {
  await admin.query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '1 minute', attempts = 1`,
    [name],
  );
}

describe('jobs', () => {
  it('run soon after the request that caused them', async () => {
    const mail = nextMail();
    await startJobs();
    await register(test, 'soon@athos.example');
    expect((await mail).to).toBe('soon@athos.example');
  });

  it('run again after every connection to the database was lost and restored', async () => {
    await startJobs();
    const mail = nextMail();
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    const {
      rows: [signUp],
    } = await admin.query<{ id: string }>(
      `insert into sign_ups (email, password_hash) values ('back@athos.example', 'none') returning id`,
    );
    await admin.query(
      `select graphile_worker.add_job('auth_mail_sign_up', json_build_object('signUpId', $1::text))`,
      [signUp?.id],
    );
    expect((await mail).to).toBe('back@athos.example');
  });

  it('continue after the network has silently dropped every connection', async () => {
    const { proxy, startJobsThere } = await createProxy();
    await startJobsThere().started;
    proxy.freezeOpen();
    const mail = nextMail();
    await register(test, 'swallowed@athos.example');
    expect((await mail).to).toBe('swallowed@athos.example');
  });

  it('run even if the database was lost before the queue had read its own tables', async () => {
    const { proxy, startJobsThere } = await createProxy();
    const asked = proxy.freezeBefore('_private_tasks as tasks (identifier)');
    startJobsThere();
    await asked;
    proxy.cutAndHeal();
    const mail = nextMail();
    await register(test, 'early@athos.example');
    expect((await mail).to).toBe('early@athos.example');
  });

  it('run even if the connection died with the response that assigned them', async () => {
    const { proxy, startMailsThere } = await createProxy();
    await register(test, 'unheard@athos.example');
    const mail = nextMail();
    const answered = proxy.swallowAnswersTo('get_job');
    // Only the mail lane runs, so that a query of another lane is not mistaken for its own.
    startMailsThere();
    await answered;
    const markedCount = async (): Promise<number | null> =>
      (
        await admin.query(`update graphile_worker._private_jobs
          set locked_at = now() - interval '1 minute' where locked_by is not null`)
      ).rowCount;
    await expect.poll(markedCount).toBe(1);
    proxy.cutAndHeal();
    expect((await mail).to).toBe('unheard@athos.example');
  });

  it('of a process that died are taken over', async () => {
    await register(test, 'orphan@athos.example');
    await markJob('worker_that_died');
    const mail = nextMail();
    await startJobs();
    expect((await mail).to).toBe('orphan@athos.example');
  });

  it('of a living process are left to it', async () => {
    await register(test, 'theirs@athos.example');
    await markJob('worker_that_lives');
    await admin.query(`select pg_advisory_lock(721430003, hashtext('worker_that_lives'))`);
    const mail = nextMail();
    await startJobs();
    await register(test, 'ours@athos.example');
    expect((await mail).to).toBe('ours@athos.example');
    const { rows } = await admin.query<{ locked_by: string }>(
      `select locked_by from graphile_worker._private_jobs where locked_by = 'worker_that_lives'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('that take hours stay with their process, and so do their queues; a lost one does not', async () => {
    const finish = Promise.withResolvers<void>();
    const begun: string[] = [];
    const slow = (payload: unknown): Promise<void> => {
      begun.push((payload as { name: string }).name);
      return finish.promise;
    };
    const tasks = { upkeep: { slow } };
    jobs = startJobRunner(test.deps, { tasks, crontab: '' });
    await enqueueJob(test.deps.db, 'slow', { name: 'long' }, { queue: 'reports' });
    await expect.poll(() => begun).toEqual(['long']);
    await enqueueJob(test.deps.db, 'slow', { name: 'next' }, { queue: 'reports' });
    // The answer that assigned this one to the runner was lost.
    await enqueueJob(test.deps.db, 'slow', { name: 'lost' }, { runAt: new Date('2100-01-01') });
    await admin.query(`
      update graphile_worker._private_jobs set locked_by = (select max(locked_by) from graphile_worker._private_jobs)
       where payload ->> 'name' = 'lost'`);
    for (const table of ['_private_jobs', '_private_job_queues']) {
      await admin.query(`
        update graphile_worker.${table} set locked_at = now() - interval '2 hours' where locked_by is not null`);
    }
    const markedMinutesAgo = async () => {
      const { rows } = await admin.query<{ name: string; minutes: number }>(`
        select name, round(extract(epoch from now() - locked_at) / 60)::int as minutes
          from (select payload ->> 'name' as name, locked_at from graphile_worker._private_jobs
                union all select queue_name, locked_at from graphile_worker._private_job_queues) marked
         where locked_at is not null`);
      return Object.fromEntries(rows.map(({ name, minutes }) => [name, minutes]));
    };
    try {
      await expect
        .poll(markedMinutesAgo, { timeout: KEEPER_MS })
        .toEqual({ long: 0, lost: 120, reports: 0 });
      expect(begun).toEqual(['long']);
    } finally {
      finish.resolve();
    }
  });

  it('in progress are finished before the process stops', async () => {
    let finish: () => void = () => undefined;
    const isSending = new Promise<void>((sending) => {
      onMail = () =>
        new Promise((resolve) => {
          finish = resolve;
          sending();
        });
    });
    await startJobs();
    await register(test, 'draining@athos.example');
    await isSending;
    let isStopped = false;
    const stopped = jobs?.stop().then(() => {
      isStopped = true;
    });
    jobs = undefined;
    await admin.query('select 1');
    expect(isStopped).toBe(false);
    finish();
    await stopped;
    const { rows } = await admin.query('select 1 from graphile_worker._private_jobs');
    expect(rows).toEqual([]);
  });

  it('in progress are given to another process if they do not finish in time', async () => {
    const finish = Promise.withResolvers<void>();
    const begun: string[] = [];
    const startAs = (name: string, result: Promise<void>): JobRunner =>
      startJobRunner(test.deps, {
        tasks: { upkeep: { slow: () => (begun.push(name), result) } },
        crontab: '',
        finishWithinMs: 0,
      });
    const first = startAs('first', finish.promise);
    await first.started;
    await enqueueJob(test.deps.db, 'slow', {});
    await expect.poll(() => begun).toEqual(['first']);
    const stopped = first.stop();
    jobs = startAs('second', Promise.resolve());
    await expect.poll(() => begun).toEqual(['first', 'second']);
    finish.resolve();
    await stopped;
  });
});

describe('alarms', () => {
  const alarmsIn = (lines: readonly string[]): unknown[] =>
    lines.map((line) => (JSON.parse(line) as { alarm?: string }).alarm).filter(Boolean);

  it('are raised while the server refuses to write', async () => {
    const database = new URL(test.deps.config.databaseUrl).pathname.slice(1);
    await admin.query(`alter database "${database}" set default_transaction_read_only = on`);
    const { log, lines } = recordLog();
    startJobsOn({ ...test.deps, log });
    await expect.poll(() => alarmsIn(lines)).toContain('database_read_only');
    await admin.query(`alter database "${database}" reset default_transaction_read_only`);
  });

  it('are raised once for a scheduled job that fails whenever it runs', async () => {
    const { log, lines } = recordLog();
    let runCount = 0;
    const run = () => enqueueJob(test.deps.db, 'prune', {}, { attemptCountMax: 1 });
    jobs = startJobRunner(
      { ...test.deps, log },
      {
        tasks: { upkeep: { prune: () => Promise.reject(new Error(`run ${(runCount += 1)}`)) } },
        crontab: '0 4 1 1 * prune ?jobKey=prune&max=1',
      },
    );
    await run();
    await expect.poll(() => alarmsIn(lines)).toEqual(['job_failed']);
    await run();
    await expect.poll(() => runCount).toBe(2);
    await jobs.stop();
    jobs = undefined;
    expect(alarmsIn(lines)).toEqual(['job_failed']);
  });

  it('are raised for a job that has used up its attempts, which is deleted a month later', async () => {
    onMail = () => Promise.reject(new Error('no'));
    const { log, lines } = recordLog();
    await register(test, 'never@athos.example');
    await admin.query('update graphile_worker._private_jobs set attempts = max_attempts - 1');
    startJobsOn({ ...test.deps, log });
    await expect.poll(() => alarmsIn(lines)).toEqual(['job_failed']);
    await jobs?.stop();
    jobs = undefined;
    const failedCount = async () =>
      (await admin.query('select from graphile_worker._private_jobs')).rows.length;
    await enqueueJob(test.deps.db, 'jobs_prune', {});
    await test.runJobs();
    expect(await failedCount()).toBe(1);
    test.clock.advance(31 * 24 * 60 * 60_000);
    await enqueueJob(test.deps.db, 'jobs_prune', {});
    await test.runJobs();
    expect(await failedCount()).toBe(0);
  });
});
