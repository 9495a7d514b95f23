/** Jobs and mails as staff see them in the console. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeJobsDue } from '../../../test/accounts.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { refusalOf, twenty } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { MailRefusedError, type Mail } from '../../platform/mail/mailer.ts';

const REASON = 'The address does not exist any more';

let test: TestApp;
let owner: ConsoleCaller;
/** The error with which the mail server answers the next mails. */
let failure: Error | undefined;
const sent: Mail[] = [];
beforeAll(async () => {
  const mailer = {
    send: (mail: Mail) => {
      if (failure !== undefined) return Promise.reject(failure);
      sent.push(mail);
      return Promise.resolve();
    },
    close: () => undefined,
  };
  test = await createTestApp({ standIns: { mailer } });
});
beforeEach(async () => {
  failure = undefined;
  owner = await consoleAs(test, ['provider_owner']);
});
afterAll(() => test.close());

const notice = (user: TestUser) => ({
  userId: user.userId.toString(),
  device: `Firefox of ${user.email}`,
  at: new Date(0).toISOString(),
});

/** A job that has used up its attempts. Its payload and its failure name an address. */
async function failedJob(user: TestUser): Promise<string> {
  failure = new Error(`451 <${user.email}> try https://mail.example/?token=abc later`);
  await enqueueJob(test.deps.db, 'auth_mail_new_device', notice(user), { attemptCountMax: 1 });
  await test.runJobs();
  failure = undefined;
  const { body } = await owner.call('jobs', { query: { state: 'failed' } });
  return String(body.items[0].id);
}

const mailsFor = ({ email }: TestUser): number => sent.filter(({ to }) => to === email).length;

describe('a job', () => {
  it('that gave up says why, about whom, and no address, to whoever may not see one', async () => {
    const user = await test.createUser();
    const id = await failedJob(user);
    const finance = await consoleAs(test, ['finance']);
    for (const caller of [finance, owner]) {
      const { body, text } = await caller.call('job', { params: { id } });
      expect(body).toMatchObject({
        task: 'auth_mail_new_device',
        state: 'failed',
        attempts: 1,
        attempts_max: 1,
        customer_uuid: user.uuid,
        failure: '451 [address] try https://mail.example/ later',
      });
      expect(text).not.toContain(user.email);
      expect((await caller.call('jobs', {})).text).not.toContain(user.email);
    }
  });

  it('[O-108] that gave up runs once when twenty people retry it at once', async () => {
    const user = await test.createUser();
    const id = await failedJob(user);
    const people = await Promise.all(
      Array.from({ length: 4 }, () => consoleAs(test, ['provider_owner'])),
    );
    const answers = await twenty((index) =>
      (people[index % 4] ?? owner).call('retryJob', { params: { id }, key: randomUUID() }),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    expect(done[0]?.body).toMatchObject({ state: 'waiting', attempts: 0 });
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['state_changed']));
    await test.runJobs();
    expect(mailsFor(user)).toBe(1);
    expect(refusalOf(await owner.call('job', { params: { id } }))).toEqual({
      status: 404,
      code: 'not_found',
    });
  });

  it('answers a retry that is repeated with the same key, and runs once', async () => {
    const user = await test.createUser();
    const id = await failedJob(user);
    const key = randomUUID();
    const first = await owner.call('retryJob', { params: { id }, key });
    await test.runJobs();
    const again = await owner.call('retryJob', { params: { id }, key });
    expect([again.status, again.body]).toEqual([200, first.body]);
    await test.runJobs();
    expect(mailsFor(user)).toBe(1);
  });

  it('that waits for another try is given up, and can be run again', async () => {
    const user = await test.createUser();
    failure = new Error('no route to host');
    await enqueueJob(test.deps.db, 'auth_mail_new_device', notice(user));
    await test.runJobs();
    failure = undefined;
    const { body } = await owner.call('jobs', { query: { state: 'retrying' } });
    const id = String(body.items[0].id);
    const giveUp = () => owner.call('giveUpJob', { params: { id }, body: { reason: REASON } });
    expect((await giveUp()).body).toMatchObject({ state: 'failed', failure: 'Given up by staff' });
    expect(refusalOf(await giveUp())).toEqual({ status: 409, code: 'state_changed' });
    await makeJobsDue(test);
    await test.runJobs();
    expect(mailsFor(user)).toBe(0);
    await owner.call('retryJob', { params: { id } });
    await test.runJobs();
    expect(mailsFor(user)).toBe(1);
  });

  it('that runs is left alone', async () => {
    const user = await test.createUser();
    const id = await failedJob(user);
    await sql`
      update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker', attempts = 0
       where id = ${id}::bigint`.execute(test.deps.db);
    expect(refusalOf(await owner.call('retryJob', { params: { id } }))).toEqual({
      status: 409,
      code: 'state_changed',
    });
    const { body } = await owner.call('jobQueue', {});
    const [task] = body.tasks.filter(
      (one: { task: string }) => one.task === 'auth_mail_new_device',
    );
    expect(task.running).toBe(1);
    await sql`select graphile_worker.force_unlock_workers(array['a worker'])`.execute(test.deps.db);
    await makeJobsDue(test);
    await test.runJobs();
  });

  it('is retried by those who manage jobs alone', async () => {
    const support = await consoleAs(test, ['support']);
    const answer = await support.call('retryJob', { params: { id: '1' } });
    expect([answer.status, answer.body.permission]).toEqual([403, 'jobs.manage']);
    for (const id of ['0', '-1', '1; drop', '9'.repeat(20)]) {
      const odd = await owner.ask({ method: 'GET', path: '/admin/jobs/:id' }, { params: { id } });
      expect([id, odd.status]).toEqual([id, 400]);
    }
  });

  it('is counted with the time since which the oldest waits', async () => {
    const user = await test.createUser();
    await enqueueJob(test.deps.db, 'auth_mail_new_device', notice(user), {
      runAt: new Date(Date.now() - 60_000),
    });
    const { body } = await owner.call('jobQueue', {});
    const [task] = body.tasks.filter(
      (one: { task: string }) => one.task === 'auth_mail_new_device',
    );
    expect(task.waiting).toBe(1);
    expect(Date.parse(task.due_since)).toBeLessThan(Date.now());
    expect(body).toMatchObject({ is_at_least: false, events: { unprocessed: 0 } });
    await test.runJobs();
  });
});

describe('a mail', () => {
  it('that the server refused is listed with what it said, without the address', async () => {
    const user = await test.createUser();
    failure = new MailRefusedError('the mail server refused the recipient', {
      cause: new Error('550 5.1.1 [recipient] unknown'),
    });
    await enqueueJob(test.deps.db, 'auth_mail_new_device', notice(user));
    await test.runJobs();
    failure = undefined;
    await enqueueJob(test.deps.db, 'auth_mail_new_device', notice(user));
    await test.runJobs();
    const { body, text } = await owner.call('mails', { query: { customer_uuid: user.uuid } });
    expect(body.items).toMatchObject([
      { template: 'new_device', state: 'sent', customer_uuid: user.uuid, refusal: null },
      { template: 'new_device', state: 'refused', refusal: '550 5.1.1 [recipient] unknown' },
    ]);
    expect(text).not.toContain(user.email);
    const refused = await owner.call('mails', { query: { state: 'refused' } });
    expect(refused.body.count.value).toBe(1);
    const timeline = await owner.call('customerTimeline', {
      params: { uuid: user.uuid },
      query: { kind: 'mail' },
    });
    expect(timeline.body.items).toHaveLength(1);
  });
});
