import { randomUUID } from 'node:crypto';
import type { MicroAth } from '@athos/domain/money';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  forgotPassword,
  latestCodeTo,
  openAccount,
  OTHER_PASSWORD,
  PASSWORD,
  resetPassword,
  signIn,
} from '../../../../test/accounts.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { bearer, challengeFor, codeOf, openProtected, post } from '../../../../test/second-step.ts';
import {
  askForRecovery,
  beginRecovery,
  beginRecoveryOf,
  cancelRecovery,
  mailedRecoveryCode,
  passTime,
  subjectsTo as subjectsOf,
} from '../../../../test/recovery.ts';
import { ath } from '../../../../test/shop.ts';
import {
  createTestApp,
  issueTo,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';
import { userAccountId } from '../../../ledger/index.ts';

const HOUR_MS = 60 * 60_000;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const newEmail = (): string => `lost-${randomUUID()}@athos.example`;
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code];
const subjectsTo = (email: string): string[] => subjectsOf(test, email);

const ask = (challenge: string) => askForRecovery(test, challenge);
const begin = (code: string) => beginRecovery(test, code);
const cancel = (code: string) => cancelRecovery(test, code);
const stop = (token: string) => post(test, 'recovery/stop', { token });
const secondStep = async (token: string) =>
  (await test.request({ method: 'GET', url: '/api/account/second_step', headers: bearer(token) }))
    .body;

const wait = (ms: number): Promise<void> => passTime(test, ms);
const mailedCode = (email: string): Promise<string> => mailedRecoveryCode(test, email);
const beginFor = (email: string): Promise<string> => beginRecoveryOf(test, email);

const tryPassword = async (email: string) => outcomeOf(await signIn(test, email));
const NEEDS_CODE = [403, 'second_factor_required'];
/** The subject of the mail with the link that begins the wait. */
const REMOVE = /^Remove the/;

describe('a recovery', () => {
  it('[W-120] removes the second step only after 72 h, with mails at begin, after 24 h and at the end', async () => {
    const { email, token } = await openProtected(test, newEmail());
    await beginFor(email);
    const endsAt = new Date(test.clock.nowMs() + 72 * HOUR_MS).getTime();
    const { recovery_ends_at: shown } = await secondStep(token);
    expect(Math.abs(Date.parse(shown) - endsAt)).toBeLessThan(60_000);
    expect(subjectsTo(email).at(-1)).toMatch(/is being removed$/);

    await wait(24 * HOUR_MS - 60_000);
    expect(subjectsTo(email).at(-1)).toMatch(/is being removed$/);
    await wait(60_000);
    expect(subjectsTo(email).at(-1)).toMatch(/is still being removed$/);
    const { length } = subjectsTo(email);
    await wait(48 * HOUR_MS - 60_000);
    expect(subjectsTo(email)).toHaveLength(length);
    expect(await tryPassword(email)).toEqual(NEEDS_CODE);

    await wait(60_000);
    expect(subjectsTo(email).at(-1)).toMatch(/second step of your .* was removed$/);
    expect(await tryPassword(email)).toEqual([200, undefined]);
    // The earlier sessions have ended.
    expect((await stop(token)).status).toBe(401);
    const { rows } = await countRows();
    expect(rows).toBe(0);
  });

  it('[W-121] is stopped from any session that is open', async () => {
    const { email, token } = await openProtected(test, newEmail());
    await beginFor(email);
    expect((await stop(token)).status).toBe(200);
    await test.runJobs();
    expect(subjectsTo(email).at(-1)).toMatch(/stays$/);
    expect((await secondStep(token)).recovery_ends_at).toBeNull();
    expect(outcomeOf(await stop(token))).toEqual([404, 'not_found']);
    await wait(80 * HOUR_MS);
    expect(await tryPassword(email)).toEqual(NEEDS_CODE);
  });

  it('[W-121] is stopped with any of its mails, once', async () => {
    for (const waited of [0, 24 * HOUR_MS]) {
      const { email } = await openProtected(test, newEmail());
      await beginFor(email);
      await wait(waited);
      const code = latestCodeTo(test, email);
      expect((await cancel(code)).status).toBe(200);
      expect(outcomeOf(await cancel(code))).toEqual([422, 'invalid_code']);
      await wait(80 * HOUR_MS);
      expect(await tryPassword(email)).toEqual(NEEDS_CODE);
    }
  });

  it('that a thief begins is stopped by its owner, also when it is begun again', async () => {
    const { email, token, secret } = await openProtected(test, newEmail());
    await beginFor(email);
    const firstStop = latestCodeTo(test, email);
    expect((await stop(token)).status).toBe(200);
    await beginFor(email);
    expect(outcomeOf(await cancel(firstStop))).toEqual([422, 'invalid_code']);
    const secondStop = latestCodeTo(test, email);
    expect((await cancel(secondStop)).status).toBe(200);
    test.clock.advance(60_000);
    const challenge = await challengeFor(test, email);
    const code = codeOf(test, secret);
    expect(
      (await post(test, 'login/second_factor', { challenge_id: challenge, code })).status,
    ).toBe(200);
  });

  it('ends with another password, which asks for another proof', async () => {
    const { email } = await openProtected(test, newEmail());
    await beginFor(email);
    await forgotPassword(test, email);
    await test.runJobs();
    expect((await resetPassword(test, latestCodeTo(test, email), OTHER_PASSWORD)).status).toBe(200);
    await wait(80 * HOUR_MS);
    expect(outcomeOf(await signIn(test, email, OTHER_PASSWORD))).toEqual(NEEDS_CODE);
  });

  it.each([
    ['asked for before', false],
    ['asked for with a sign-in from before', true],
  ])('is not mailed after a change of the password, if it was %s', async (_when, isAskedAfter) => {
    const { email, token } = await openProtected(test, newEmail());
    const challenge = await challengeFor(test, email);
    if (!isAskedAfter) expect((await ask(challenge)).status).toBe(200);
    const changed = await test.request({
      method: 'PUT',
      url: '/api/account/update_password',
      payload: { old_password: PASSWORD, password: OTHER_PASSWORD },
      headers: bearer(token),
      key: randomUUID(),
    });
    expect(changed.status).toBe(200);
    if (isAskedAfter) await ask(challenge);
    await test.runJobs();
    expect(subjectsTo(email)).not.toContainEqual(expect.stringMatching(REMOVE));

    const { body } = await signIn(test, email, OTHER_PASSWORD);
    expect((await ask(body.challenge_id)).status).toBe(200);
    await test.runJobs();
    expect(subjectsTo(email).at(-1)).toMatch(REMOVE);
  });

  it('needs the password and the mailed link', async () => {
    const { email } = await openProtected(test, newEmail());
    expect(outcomeOf(await ask('x'.repeat(43)))).toEqual([409, 'challenge_ended']);
    expect(outcomeOf(await begin('y'.repeat(43)))).toEqual([422, 'invalid_code']);
    const challenge = await challengeFor(test, email);
    test.clock.advance(5 * 60_000);
    expect(outcomeOf(await ask(challenge))).toEqual([409, 'challenge_ended']);
    for (const code of ['', 'x', 'z'.repeat(44), "' or 1=1 --"]) {
      expect((await begin(code)).status).toBe(400);
      expect((await cancel(code)).status).toBe(400);
    }
    expect((await post(test, 'recovery/stop')).status).toBe(401);
  });

  it('begins once with a link, within an hour, and the newest link alone works', async () => {
    const { email } = await openProtected(test, newEmail());
    const old = await mailedCode(email);
    const code = await mailedCode(email);
    expect(outcomeOf(await begin(old))).toEqual([422, 'invalid_code']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => begin(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await test.runJobs();
    expect(
      subjectsTo(email).filter((subject) => subject.endsWith('is being removed')),
    ).toHaveLength(1);
    // During the wait, no more mails are sent.
    const { body } = await ask(await challengeFor(test, email));
    expect(body.ends_at).toEqual(answers.find(({ status }) => status === 200)?.body.ends_at);

    const { email: other } = await openProtected(test, newEmail());
    const late = await mailedCode(other);
    test.clock.advance(HOUR_MS);
    expect(outcomeOf(await begin(late))).toEqual([422, 'invalid_code']);
  });

  it('cannot be begun with the link that resets a password, or the other way round', async () => {
    const { email } = await openProtected(test, newEmail());
    const code = await mailedCode(email);
    const reset = await post(test, 'reset_password', { code, new_password: OTHER_PASSWORD });
    expect(outcomeOf(reset)).toEqual([422, 'invalid_code']);
    expect((await begin(code)).status).toBe(200);
  });

  it('mails three links an hour at most', async () => {
    const { email } = await openProtected(test, newEmail());
    const challenge = await challengeFor(test, email);
    const outcomes = [];
    for (let count = 0; count < 4; count += 1) outcomes.push(outcomeOf(await ask(challenge)));
    expect(outcomes).toEqual([
      [200, undefined],
      [200, undefined],
      [200, undefined],
      [429, 'too_many_requests'],
    ]);
  });

  it(
    'that was stopped and ended at the same moment does one of the two',
    { tags: 'long' },
    async () => {
      for (let round = 0; round < 5; round += 1) {
        const { email, token } = await openProtected(test, newEmail());
        await beginFor(email);
        const code = latestCodeTo(test, email);
        test.clock.advance(72 * HOUR_MS);
        const [stopped] = await Promise.all([cancel(code), wait(0)]);
        const isStopped = stopped.status === 200;
        expect(await tryPassword(email)).toEqual(isStopped ? NEEDS_CODE : [200, undefined]);
        expect(token).not.toBe('');
      }
    },
  );
});

async function countRows(): Promise<{ rows: number }> {
  const found = await test.admin.selectFrom('second_step_recoveries').select('user_id').execute();
  return { rows: found.length };
}

describe('after a recovery', () => {
  const send = (token: string, to: string, amount: bigint, key: string = randomUUID()) =>
    test.request({
      method: 'POST',
      url: '/api/account/transfer',
      payload: { amount: amount.toString(), to_uuid: to },
      key,
      headers: bearer(token),
    });

  /** Signs in after a recovery. The account holds `balance`. */
  async function openLimited(balance: MicroAth) {
    const { email, token: before } = await openProtected(test, newEmail());
    const url = '/api/account/profile';
    const profile = await test.request({ method: 'GET', url, headers: bearer(before) });
    const ben = await test.createUser();
    const { id } = await test.deps.db
      .selectFrom('users')
      .select('id')
      .where('uuid', '=', profile.body.uuid)
      .executeTakeFirstOrThrow();
    await issueTo(test.deps, id, balance);
    await beginFor(email);
    await wait(24 * HOUR_MS);
    await wait(48 * HOUR_MS);
    return { email, id, ben, token: String((await signIn(test, email)).body.token) };
  }

  it('sends are worth at most 50 USD a day for 72 h, whatever is tried', async () => {
    const { email, ben, token } = await openLimited(ath(10_000));
    // 297 ATH at 0.1683 USD are 49.99 USD.
    const key = randomUUID();
    expect((await send(token, ben.uuid, ath(200), key)).status).toBe(200);
    expect((await send(token, ben.uuid, ath(200), key)).status).toBe(200);
    expect(outcomeOf(await send(token, ben.uuid, ath(98)))).toEqual([
      409,
      'recovery_limit_reached',
    ]);
    // A known key counts with the largest amount that was requested under it.
    expect((await send(token, ben.uuid, ath(9_000), key)).status).not.toBe(200);
    const many = await Promise.all(
      Array.from({ length: 20 }, () => send(token, ben.uuid, ath(90))),
    );
    expect(many.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    const account = userAccountId(ben.userId, 'ATH');
    const balances = await test.deps.ledger.balances([account]);
    expect(balances.get(account)).toBeLessThanOrEqual(297_000_000n);
    test.clock.advance(23 * HOUR_MS);
    expect(outcomeOf(await send(token, ben.uuid, ath(98)))).toEqual([
      409,
      'recovery_limit_reached',
    ]);
    await wait(50 * HOUR_MS);
    const again = (await signIn(test, email)).body.token;
    expect((await send(again, ben.uuid, ath(1_000))).status).toBe(200);
    expect(await test.admin.selectFrom('limited_sends').selectAll().execute()).toEqual([]);
  });

  it('a send that failed counts on the day on which it is made', async () => {
    const { email, id, ben, token } = await openLimited(ath(1));
    const key = randomUUID();
    const failed = await send(token, ben.uuid, ath(290), key);
    expect(outcomeOf(failed)).toEqual([422, 'insufficient_balance']);
    await issueTo(test.deps, id, ath(10_000));
    test.clock.advance(25 * HOUR_MS);
    const again = (await signIn(test, email)).body.token;
    expect((await send(again, ben.uuid, ath(290))).status).toBe(200);
    expect(outcomeOf(await send(again, ben.uuid, ath(290), key))).toEqual([
      409,
      'recovery_limit_reached',
    ]);
  });

  it('a replay of a send counts on no other day', async () => {
    const { email, ben, token } = await openLimited(ath(10_000));
    const key = randomUUID();
    expect((await send(token, ben.uuid, ath(290), key)).status).toBe(200);
    test.clock.advance(25 * HOUR_MS);
    const again = (await signIn(test, email)).body.token;
    expect((await send(again, ben.uuid, ath(290), key)).status).toBe(200);
    expect((await send(again, ben.uuid, ath(290))).status).toBe(200);
    const account = userAccountId(ben.userId, 'ATH');
    expect((await test.deps.ledger.balances([account])).get(account)).toBe(580_000_000n);
  });
});

it('an account without a second step has nothing to recover', async () => {
  const email = newEmail();
  const { token } = await openAccount(test, email);
  expect((await secondStep(token)).recovery_ends_at).toBeNull();
  expect(outcomeOf(await stop(token))).toEqual([404, 'not_found']);
  expect((await signIn(test, email, PASSWORD)).status).toBe(200);
});
