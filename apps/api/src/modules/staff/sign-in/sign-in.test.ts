import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAccount, PASSWORD } from '../../../../test/accounts.ts';
import {
  acceptInvite,
  askAsGuest,
  enrolPerson,
  invitePerson,
  sessionOf,
  STAFF_PASSWORD,
  totpCode,
  type Enrolled,
} from '../../../../test/staff-accounts.ts';
import {
  createTestApp,
  requestTo,
  stopClock,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';
import { buildConsoleApp } from '../../../app.ts';

const STEP_MS = 30_000;
const HOUR_MS = 3_600_000;

let test: TestApp;
let advance: (byMs: number) => void;
let ada: Enrolled;
/** A different network place for each test, so that no test uses up another's failures. */
let place = '';
let counter = 0;
beforeAll(async () => {
  test = await createTestApp({ env: { SIGN_IN_FAILURES_PER_ADDRESS_AND_HOUR: '30' } });
});
beforeEach(async () => {
  place = `203.0.113.${(counter += 1)}`;
  advance = stopClock(test);
  ada = await enrolPerson(test, ['support']);
  advance(STEP_MS);
});
afterAll(() => test.close());

const at = () => ({ remoteAddress: place });
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];
const signInAs = (email: string, password: string, code?: string): Promise<TestAnswer> =>
  askAsGuest(test, 'signIn', { email, password, ...(code !== undefined && { code }) }, at());

const REFUSED = [401, 'incorrect_credentials'];

/** Audit entries about a person, oldest first. */
const entriesOf = async ({ staffId }: Pick<Enrolled, 'staffId'>) =>
  test.deps.db
    .selectFrom('audit_entries')
    .select(['action', 'outcome'])
    .where('subject_id', '=', staffId)
    .orderBy('seq')
    .execute();

/** Draws recovery codes for a person. */
async function recoveryCodesOf({ caller }: Enrolled): Promise<readonly [string, ...string[]]> {
  await caller.prove();
  const { body } = await caller.call('makeRecoveryCodes');
  return body.codes;
}

describe('signing in', () => {
  it('[O-006] takes a password and a TOTP code, and opens a session with a fresh proof', async () => {
    const answer = await ada.signIn(undefined, at());
    expect([answer.status, answer.body]).toEqual([200, { is_enrolled: true }]);
    const session = await sessionOf(test, ada, answer);
    const me = await session.call('me');
    expect(me.body).toMatchObject({ email: ada.email, is_enrolled: true });
    expect(me.body.session.proved_until).toBe(new Date(test.clock.nowMs() + 300_000).toISOString());
    expect(await entriesOf(ada)).toContainEqual({ action: 'session.sign_in', outcome: 'done' });
  });

  it('replaces the session of the same browser', async () => {
    const first = await sessionOf(test, ada, await ada.signIn(undefined, at()));
    advance(STEP_MS);
    const answer = await ada.signIn(undefined, {
      ...at(),
      headers: { cookie: `console=${first.token}` },
    });
    const second = await sessionOf(test, ada, answer);
    expect(second.token).not.toBe(first.token);
    expect(outcomeOf(await first.call('me'))).toEqual([401, 'session_ended']);
    expect((await second.call('me')).status).toBe(200);
  });

  it('keeps the 20 most recently used sessions', { tags: 'long' }, async () => {
    const sessions = [];
    for (let count = 0; count < 21; count += 1) {
      sessions.push(await sessionOf(test, ada, await ada.signIn(undefined, at())));
      advance(STEP_MS);
    }
    expect((await ada.caller.call('me')).status).toBe(401);
    const items = (await sessions.at(-1)?.call('ownSessions'))?.body.items;
    expect(items).toHaveLength(20);
  });

  it('accepts a code with the space that apps show, and an address in capitals', async () => {
    const code = totpCode(test, ada.secret).replace(/^.../, '$& ');
    const answer = await signInAs(ada.email.toUpperCase(), STAFF_PASSWORD, code);
    expect(answer.status).toBe(200);
  });

  it('[O-008] refuses a password without a second factor', async () => {
    expect(outcomeOf(await signInAs(ada.email, STAFF_PASSWORD))).toEqual(REFUSED);
  });

  it('[O-009] refuses a used TOTP code, even among twenty at once', { tags: 'long' }, async () => {
    const code = totpCode(test, ada.secret);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.signIn(code, at())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    advance(HOUR_MS);
    const fresh = totpCode(test, ada.secret);
    expect((await ada.signIn(fresh, at())).status).toBe(200);
    expect(outcomeOf(await ada.signIn(fresh, at()))).toEqual(REFUSED);
    // A phone's clock may be a step behind, but a code older than the last used one counts as used.
    expect(outcomeOf(await ada.signIn(totpCode(test, ada.secret, -1), at()))).toEqual(REFUSED);
  });

  it('[O-010] accepts each recovery code once, even from twenty at once, and mails the person and every owner', async () => {
    const owners = [
      await enrolPerson(test, ['provider_owner']),
      await enrolPerson(test, ['provider_owner']),
    ];
    const [code, other] = await recoveryCodesOf(ada);
    await test.runJobs();
    test.mails.length = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.signIn(code, at())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    advance(HOUR_MS);
    expect(outcomeOf(await ada.signIn(code, at()))).toEqual(REFUSED);
    await test.runJobs();
    const told = test.mails.filter(({ subject }) => subject.includes('recovery code'));
    const recipients = told.map(({ to }) => to);
    expect(recipients).toEqual(expect.arrayContaining([ada, ...owners].map(({ email }) => email)));
    expect(new Set(recipients).size).toBe(recipients.length);
    expect(told[0]?.text).toContain(ada.name);
    advance(HOUR_MS);
    expect((await ada.signIn(other?.toLowerCase(), at())).status).toBe(200);
  });

  it('[O-011] answers a wrong password, a wrong code and an unknown address in the same words', async () => {
    const wrong = ada.secret.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'));
    const answers = [
      await signInAs(ada.email, 'wrong horse battery', totpCode(test, ada.secret)),
      await signInAs(ada.email, STAFF_PASSWORD, totpCode(test, wrong)),
      await signInAs(ada.email, STAFF_PASSWORD, 'AAAA-AAAA-AAAA-AAAA'),
      await signInAs(`nobody-${randomUUID()}@athos.example`, STAFF_PASSWORD, '123456'),
      await signInAs(ada.email, '', ''.padEnd(60, '٣')),
    ];
    for (const answer of answers) {
      const { request_id: _id, ...body } = answer.body;
      expect([answer.status, body]).toEqual([401, { ...answers[0]?.body, request_id: undefined }]);
      expect(body).toMatchObject({
        code: 'incorrect_credentials',
        title: 'Incorrect credentials.',
      });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it('[O-001] refuses a customer’s wallet password', async () => {
    const email = `customer-${randomUUID()}@athos.example`;
    await openAccount(test, email);
    expect(outcomeOf(await signInAs(email, PASSWORD))).toEqual(REFUSED);
    await test.deps.db
      .updateTable('users')
      .set({ role: 'operator' })
      .where('email', '=', email)
      .execute();
    expect(outcomeOf(await signInAs(email, PASSWORD, '123456'))).toEqual(REFUSED);
  });

  it('refuses a person who is invited, is suspended or has left', async () => {
    for (const state of ['invited', 'suspended', 'left'] as const) {
      await test.deps.db
        .updateTable('staff')
        .set({ state })
        .where('id', '=', ada.staffId)
        .execute();
      expect(outcomeOf(await ada.signIn(undefined, at()))).toEqual(REFUSED);
    }
  });

  it('refuses demo staff in production', async () => {
    const demo = await enrolPerson(test, ['support'], { isDemo: true });
    advance(STEP_MS);
    const { deps } = test;
    const production = await buildConsoleApp({
      ...deps,
      config: { ...deps.config, isProduction: true },
    });
    const inProduction = { ...test, request: requestTo(production) };
    const body = { email: demo.email, password: STAFF_PASSWORD, code: totpCode(test, demo.secret) };
    const answer = await askAsGuest(inProduction, 'signIn', body, at());
    await production.close();
    expect(outcomeOf(answer)).toEqual(REFUSED);
    expect((await demo.signIn(undefined, at())).status).toBe(200);
  });

  it('audits refused attempts at a known address only', async () => {
    await signInAs(ada.email, 'wrong horse battery', '123456');
    await signInAs(`nobody-${randomUUID()}@athos.example`, 'wrong horse battery', '123456');
    await test.runJobs();
    expect(await entriesOf(ada)).toContainEqual({ action: 'session.sign_in', outcome: 'refused' });
    const { count } = await test.deps.db
      .selectFrom('audit_entries')
      .select((row) => row.fn.countAll<bigint>().as('count'))
      .where('subject_id', '=', '')
      .executeTakeFirstOrThrow();
    expect(count).toBe(0n);
  });
});

describe('guessing', () => {
  it(
    '[O-012] delays an address after five failures and blocks a network place after its hourly number',
    { tags: 'long' },
    async () => {
      for (let count = 0; count < 5; count += 1) {
        expect(outcomeOf(await signInAs(ada.email, 'wrong', '123456'))).toEqual(REFUSED);
      }
      const delayed = await ada.signIn(undefined, { remoteAddress: '198.51.100.200' });
      expect(outcomeOf(delayed)).toEqual([429, 'too_many_attempts']);
      expect(delayed.headers['retry-after']).toBe('1');
      advance(1_000);
      expect((await ada.signIn(undefined, { remoteAddress: '198.51.100.200' })).status).toBe(200);
      for (let count = 0; count < 25; count += 1) {
        await signInAs(`nobody-${randomUUID()}@athos.example`, 'wrong', '123456');
      }
      const ended = await signInAs(`nobody-${randomUUID()}@athos.example`, 'wrong', '123456');
      expect(outcomeOf(ended)).toEqual([429, 'too_many_attempts']);
      advance(HOUR_MS);
      expect((await ada.signIn(undefined, at())).status).toBe(200);
    },
  );

  it('is counted apart from the wallet, so neither locks the other out', async () => {
    const email = `both-${randomUUID()}@athos.example`;
    await openAccount(test, email);
    for (let count = 0; count < 6; count += 1) await signInAs(email, 'wrong', '123456');
    const wallet = await test.request({
      method: 'POST',
      url: '/api/account/login',
      payload: { email, password: PASSWORD, tenant_id: 1, mode: 'production' },
      remoteAddress: place,
    });
    expect(wallet.status).toBe(200);
  });

  it(
    'refuses all codes for a day after 20 wrong ones with the right password, and mails the person once',
    { tags: 'long' },
    async () => {
      const [recoveryCode] = await recoveryCodesOf(ada);
      for (let count = 0; count < 21; count += 1) {
        expect(
          outcomeOf(await ada.signIn('000000', { remoteAddress: `192.0.2.${count}` })),
        ).toEqual(REFUSED);
        advance(61_000);
      }
      test.mails.length = 0;
      await test.runJobs();
      const told = test.mails.filter(({ subject }) => subject.includes('knows your'));
      expect(told.map(({ to }) => to)).toEqual([ada.email]);
      expect(outcomeOf(await ada.signIn(undefined, at()))).toEqual(REFUSED);
      advance(61_000);
      expect((await ada.signIn(recoveryCode, at())).status).toBe(200);
    },
  );
});

describe('without a second factor', () => {
  it('[O-013] only enrolment is possible', async () => {
    const invited = await invitePerson(test, ['provider_owner']);
    await acceptInvite(test, invited);
    const answer = await signInAs(invited.email, STAFF_PASSWORD);
    expect(answer.body).toEqual({ is_enrolled: false });
    const session = await sessionOf(test, invited, answer);
    for (const name of ['staffList', 'auditEntries', 'ownSessions', 'consoleDocument'] as const) {
      expect(outcomeOf(await session.call(name))).toEqual([403, 'enrolment_required']);
    }
    expect(outcomeOf(await session.call('makeRecoveryCodes'))).toEqual([403, 'enrolment_required']);
    expect((await session.call('me')).body).toMatchObject({ is_enrolled: false, factors: [] });
  });
});
