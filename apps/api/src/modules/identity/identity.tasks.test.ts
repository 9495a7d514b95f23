import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import {
  forgotPassword,
  mailsTo,
  openAccount,
  openUser,
  PASSWORD,
  register,
  signIn,
} from '../../../test/accounts.ts';
import { openProtected, post } from '../../../test/second-step.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { MailRefusedError } from '../../platform/mail/mailer.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const rowCounts = async () => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from link_codes) as codes, (select count(*)::int from sign_ups) as "signUps",
      (select count(*)::int from sessions) as sessions, (select count(*)::int from attempt_counters) as failures,
      (select count(*)::int from users) as users`.execute(test.deps.db);
  return rows[0];
};
const prune = async () => {
  await enqueueJob(test.deps.db, 'auth_prune', {});
  await enqueueJob(test.deps.db, 'limits_prune', {});
  await test.runJobs();
};
const jobCount = async (): Promise<number> => {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from graphile_worker._private_jobs`.execute(test.deps.db);
  return rows[0]?.count ?? -1;
};

describe('pruning', () => {
  it('removes codes, sessions, failures and sign-ups once they have expired, and not before', async () => {
    await openAccount(test, 'pruned@athos.example');
    await forgotPassword(test, 'pruned@athos.example');
    await register(test, 'never-verified@athos.example');
    await signIn(test, 'pruned@athos.example', 'Wrong-Password-1');
    await test.runJobs();
    // Counters: failures by account and by network place, and mail requests by network place.
    const all = { codes: 2, signUps: 1, sessions: 1, failures: 3, users: 1 };
    await prune();
    expect(await rowCounts()).toEqual(all);
    test.clock.advance(HOUR_MS);
    await prune();
    // Counters by network place expire after an hour, those by account after a day.
    expect(await rowCounts()).toEqual({ ...all, codes: 1, failures: 1 });
    test.clock.advance(DAY_MS);
    await prune();
    expect(await rowCounts()).toEqual({ codes: 0, signUps: 1, sessions: 0, failures: 0, users: 1 });
    test.clock.advance(6 * DAY_MS);
    await prune();
    expect(await rowCounts()).toEqual({ codes: 0, signUps: 0, sessions: 0, failures: 0, users: 1 });
  });

  it('removes the secret of an authenticator app that nobody finished setting up', async () => {
    const secretCount = async () =>
      (await test.deps.db.selectFrom('totp_secrets').select('id').execute()).length;
    await openProtected(test, 'finished@athos.example');
    const { token } = await openAccount(test, 'unfinished@athos.example');
    await post(test, 'totp/begin', { token, password: PASSWORD });
    await prune();
    expect(await secretCount()).toBe(2);
    test.clock.advance(HOUR_MS / 2);
    await prune();
    expect(await secretCount()).toBe(1);
  });
});

describe('a mail', () => {
  it('that the server refuses permanently is not retried', async () => {
    vi.spyOn(test.deps.mailer, 'send').mockRejectedValueOnce(new MailRefusedError('no mailbox'));
    await register(test, 'no-mailbox@athos.example');
    await test.runJobs();
    expect(await jobCount()).toBe(0);
  });

  it('that the database has no room to note is not sent, and is sent once when there is room', async () => {
    const { userId, email } = await openUser(test);
    const change = { userId: String(userId), at: new Date().toISOString() };
    await enqueueJob(test.deps.db, 'auth_mail_password_changed', change);
    await sql`
      create function full_disk() returns trigger language plpgsql as
        $$ begin raise 'no space left' using errcode = 'disk_full'; end $$;
      create trigger full_disk before insert on sent_mails execute function full_disk()`.execute(
      test.admin,
    );
    const before = mailsTo(test, email).length;
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(before);
    await sql`
      drop function full_disk cascade;
      update graphile_worker._private_jobs set run_at = now()`.execute(test.admin);
    await test.runJobs();
    await test.runJobs();
    expect(mailsTo(test, email)).toHaveLength(before + 1);
    const { rows } = await sql`
      select from sent_mails where user_id = ${userId} and template = 'password_changed'`.execute(
      test.admin,
    );
    expect(rows).toHaveLength(1);
  });

  it('that could not be sent waits in the queue, and its job contains neither code nor address', async () => {
    vi.spyOn(test.deps.mailer, 'send').mockRejectedValueOnce(new Error('connect ECONNREFUSED'));
    await register(test, 'waiting@athos.example');
    await test.runJobs();
    expect(await jobCount()).toBe(1);
    const { rows } = await sql<{
      job: string;
    }>`select row_to_json(j)::text as job from graphile_worker._private_jobs j`.execute(
      test.deps.db,
    );
    expect(rows[0]?.job).toContain('"signUpId"');
    expect(rows[0]?.job).not.toMatch(/waiting@|code=/);
  });
});
