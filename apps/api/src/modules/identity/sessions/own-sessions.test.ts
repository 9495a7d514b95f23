import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balanceWith, openAccount, PASSWORD, signIn } from '../../../../test/accounts.ts';
import { openSecondApp } from '../../../../test/second-app.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../../../test/test-app.ts';

const MINUTE_MS = 60_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const list = (token: string, app: Pick<TestApp, 'request'> = test): Promise<TestAnswer> =>
  app.request({ method: 'GET', url: '/api/account/sessions', headers: bearer(token) });
const post = (token: string, path: string): Promise<TestAnswer> =>
  test.request({ method: 'POST', url: `/api/account/sessions/${path}`, headers: bearer(token) });

interface Listed {
  readonly id: string;
  readonly device: string | null;
  readonly method: string | null;
  readonly begun_at: string;
  readonly last_seen_at: string;
  readonly is_current: boolean;
}
const listed = async (token: string): Promise<Listed[]> =>
  (await list(token)).body.sessions as Listed[];
const ownId = async (token: string): Promise<string> =>
  (await listed(token)).find((one) => one.is_current)?.id ?? '';

/** A user with two sessions: one from the mailed link, and one opened with the password in a browser. */
async function openTwo(): Promise<{ link: string; browser: string }> {
  const email = `sessions-${randomUUID()}@athos.example`;
  const { token: link } = await openAccount(test, email);
  const headers = { 'user-agent': FIREFOX };
  const { body } = await signIn(test, email, PASSWORD, { headers });
  return { link, browser: body.token as string };
}

it('[W-117] lists the open sessions of the caller, newest first, with device, method and times, and marks the own', async () => {
  const { browser } = await openTwo();
  const answer = await list(browser);
  expect(answer.headers['cache-control']).toBe('no-store');
  const [first, second] = answer.body.sessions as Listed[];
  expect(answer.body.sessions).toHaveLength(2);
  expect(first).toMatchObject({
    device: 'Firefox on Linux',
    method: 'password',
    is_current: true,
  });
  expect(second).toMatchObject({ device: null, method: 'link', is_current: false });
  for (const { begun_at: begunAt, last_seen_at: seenAt } of [first, second] as Listed[]) {
    expect(Math.abs(Date.parse(begunAt) - test.clock.nowMs())).toBeLessThan(MINUTE_MS);
    expect(seenAt).toBe(begunAt);
  }
});

it('writes the last use in steps of ten minutes', async () => {
  const own = await createTestApp();
  const { token, userId } = await own.createUser();
  const seen = async (): Promise<string> =>
    ((await list(token, own)).body.sessions as Listed[])[0]?.last_seen_at ?? '';
  const first = await seen();
  own.clock.advance(9 * MINUTE_MS);
  await balanceWith(own, token);
  expect(await seen()).toBe(first);
  own.clock.advance(2 * MINUTE_MS);
  await balanceWith(own, token);
  const later = await seen();
  expect(Date.parse(later) - Date.parse(first)).toBeGreaterThanOrEqual(11 * MINUTE_MS);
  const rows = await own.deps.db
    .selectFrom('sessions')
    .select('revoked_at')
    .where('user_id', '=', userId)
    .execute();
  expect(rows).toEqual([{ revoked_at: null }]);
  await own.close();
});

describe('writing the last use', () => {
  let own: TestApp;
  let token: string;
  beforeAll(async () => {
    own = await createTestApp();
    ({ token } = await own.createUser());
  });
  afterAll(() => own.close());

  /** Uses the token ten minutes later, while updates of sessions run `statement`: at once, or when they commit. */
  async function useLater(statement: string, isAtCommit: boolean): Promise<TestAnswer> {
    const kind = isAtCommit ? 'constraint trigger' : 'trigger';
    const when = isAtCommit ? 'deferrable initially deferred' : '';
    await sql
      .raw(
        `create function trouble() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$;
         create ${kind} trouble after update on sessions ${when} for each row execute function trouble()`,
      )
      .execute(own.admin);
    own.clock.advance(10 * MINUTE_MS);
    const answer = await balanceWith(own, token);
    await sql`drop function trouble cascade`.execute(own.admin);
    return answer;
  }

  const connections = async (): Promise<number[]> => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database()`.execute(own.admin);
    return rows.map(({ pid }) => pid);
  };

  it('does not wait for the disk or a standby', async () => {
    const waits = `if current_setting('synchronous_commit') <> 'off' then raise 'the commit waits'; end if`;
    expect((await useLater(waits, true)).status).toBe(200);
  });

  it.each([
    ['is read-only', '25006'],
    ['has no room', '53100'],
  ])('is left out on a server that %s, whose connections stay usable', async (_state, code) => {
    const before = await connections();
    expect((await useLater(`raise sqlstate '${code}'`, false)).status).toBe(200);
    const [seen] = (await list(token, own)).body.sessions as Listed[];
    expect(Date.parse(seen?.last_seen_at ?? '')).toBeLessThan(own.clock.nowMs() - 9 * MINUTE_MS);
    expect(await connections()).toEqual(expect.arrayContaining(before));
  });
});

it('[W-118] ends one session: its token is refused in every process, also in one that remembers it', async () => {
  const second = await openSecondApp(test);
  const { link, browser } = await openTwo();
  expect((await list(link, second)).status).toBe(200);
  const id = await ownId(link);
  const heard = new Promise<void>((resolve) => {
    second.deps.sessions.onRevoked((ended) => {
      if (ended.includes(id)) resolve();
    });
  });
  expect((await post(browser, `${id}/end`)).body).toEqual({ success: true });
  await heard;
  for (const app of [test, second]) {
    const refused = await list(link, app);
    expect([refused.status, refused.body.code]).toEqual([401, 'session_ended']);
    expect((await list(browser, app)).status).toBe(200);
  }
  expect(await listed(browser)).toHaveLength(1);
  await second.close();
});

it('ends every other session, and keeps the own', async () => {
  const { link, browser } = await openTwo();
  expect((await post(browser, 'end_others')).body).toEqual({ success: true });
  expect((await balanceWith(test, link)).body.code).toBe('session_ended');
  expect(await listed(browser)).toHaveLength(1);
});

it('ends the own session like signing out', async () => {
  const { browser } = await openTwo();
  expect((await post(browser, `${await ownId(browser)}/end`)).status).toBe(200);
  expect((await balanceWith(test, browser)).body.code).toBe('session_ended');
});

it('finds no session of somebody else, none that has ended and none that never was', async () => {
  const [ada, eve] = [await openTwo(), await openTwo()];
  const ended = await ownId(ada.link);
  await post(ada.browser, `${ended}/end`);
  for (const [token, id] of [
    [eve.browser, await ownId(ada.browser)],
    [ada.browser, ended],
    [ada.browser, randomUUID()],
  ] as const) {
    const refused = await post(token, `${id}/end`);
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
  }
  expect((await balanceWith(test, ada.browser)).status).toBe(200);
  expect((await post(ada.browser, 'not-a-uuid/end')).status).toBe(400);
});

it('ends a session once of twenty requests at once', async () => {
  const { link, browser } = await openTwo();
  const id = await ownId(link);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(browser, `${id}/end`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(19);
});

it('keeps only words of its own list of a browser, never text of the request', async () => {
  const email = `sessions-${randomUUID()}@athos.example`;
  await openAccount(test, email);
  const headers = { 'user-agent': '<script>alert(1)</script> Evil/1.0' };
  const { body } = await signIn(test, email, PASSWORD, { headers });
  const answer = await list(body.token as string);
  expect(answer.text).not.toContain('script');
  expect(answer.body.sessions[0].device).toBeNull();
});
