/** The password that a verification link asks for on another device, and the delay of its mail. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  codeIn,
  mailsTo,
  makeJobsDue,
  openAccount,
  OTHER_PASSWORD,
  PASSWORD,
  register,
  signIn,
  verify,
} from '../../../../test/accounts.ts';
import {
  createTestApp,
  stopClock,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';

const HOUR_MS = 3_600_000;
const STRANGERS = 'Strangers-Word-9';

const newDevice = () => ({ headers: { 'x-device-id': randomBytes(16).toString('hex') } });
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];
const OK = [200, 'ok'];
const INCORRECT = [422, 'incorrect_password'];

let test: TestApp;
let advance: (byMs: number) => void;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(() => {
  advance = stopClock(test);
});
afterAll(() => test.close());

let counter = 0;
const newEmail = (): string => `link-${(counter += 1)}@athos.example`;
const codesTo = (email: string): string[] => mailsTo(test, email).map(codeIn);
/** Signs up on a device and returns the code of the mailed link. */
async function mailedCode(
  email: string,
  device: ReturnType<typeof newDevice>,
  password: string = PASSWORD,
): Promise<string> {
  await register(test, email, password, device);
  await test.runJobs();
  return codesTo(email).at(-1) ?? '';
}
/** Runs the jobs that are due by the test's clock after `byMs`. */
async function wait(byMs: number): Promise<void> {
  advance(byMs);
  await makeJobsDue(test);
  await test.runJobs();
}

describe('a verification link', () => {
  it('[S1-005] [S7-008] signs in on the device that signed up', async () => {
    const device = newDevice();
    expect(outcomeOf(await verify(test, await mailedCode(newEmail(), device), device))).toEqual(OK);
  });

  it('asks on any other device for the password of its own sign-up, once', async () => {
    const email = newEmail();
    const code = await mailedCode(email, newDevice());
    const elsewhere = newDevice();
    expect(outcomeOf(await verify(test, code, elsewhere))).toEqual(INCORRECT);
    expect(outcomeOf(await verify(test, code, { ...elsewhere, password: '' }))).toEqual(INCORRECT);
    const wrong = { ...elsewhere, password: OTHER_PASSWORD };
    expect(outcomeOf(await verify(test, code, wrong))).toEqual(INCORRECT);
    const right = { ...elsewhere, password: ` ${PASSWORD} ` };
    expect(outcomeOf(await verify(test, code, right))).toEqual(OK);
    expect((await signIn(test, email, PASSWORD, elsewhere)).status).toBe(200);
  });

  it.each([
    ['no id where the sign-up had one', newDevice(), {}],
    ['an id where the sign-up had none', {}, newDevice()],
  ])('asks for it with %s', async (_kind, signedUpOn, openedOn) => {
    const email = newEmail();
    await register(test, email, PASSWORD, signedUpOn);
    await test.runJobs();
    const [code = ''] = codesTo(email);
    expect(outcomeOf(await verify(test, code, openedOn))).toEqual(INCORRECT);
    expect(outcomeOf(await verify(test, code, { ...openedOn, password: PASSWORD }))).toEqual(OK);
  });

  it('signs in without an id if the sign-up had none, whatever the browser', async () => {
    const email = newEmail();
    await register(test, email, PASSWORD, { headers: { 'user-agent': 'curl/8.5.0' } });
    await test.runJobs();
    const [code = ''] = codesTo(email);
    const browser = { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0' } };
    expect(outcomeOf(await verify(test, code, browser))).toEqual(OK);
  });

  it('can be used once and for 24 h, with the right password too', async () => {
    const password = PASSWORD;
    const code = await mailedCode(newEmail(), newDevice());
    expect(outcomeOf(await verify(test, code, { ...newDevice(), password }))).toEqual(OK);
    for (const again of [{}, { password }, { ...newDevice(), password: OTHER_PASSWORD }]) {
      expect(outcomeOf(await verify(test, code, again))).toEqual([422, 'invalid_code']);
    }
    const late = await mailedCode(newEmail(), newDevice());
    advance(24 * HOUR_MS);
    const answer = await verify(test, late, { ...newDevice(), password });
    expect(outcomeOf(answer)).toEqual([422, 'invalid_code']);
  });

  it('delays wrong passwords from the fifth on, on every device, and nobody else', async () => {
    const email = newEmail();
    const code = await mailedCode(email, newDevice());
    const other = await mailedCode(newEmail(), newDevice());
    const guess = async () =>
      outcomeOf(await verify(test, code, { ...newDevice(), password: OTHER_PASSWORD }));
    for (let count = 0; count < 5; count += 1) expect(await guess()).toEqual(INCORRECT);
    for (const seconds of [1, 2, 4]) {
      const refused = await verify(test, code, { ...newDevice(), password: PASSWORD });
      expect(outcomeOf(refused)).toEqual([429, 'too_many_attempts']);
      expect(refused.headers['retry-after']).toBe(String(seconds));
      advance(seconds * 1000);
      expect(await guess()).toEqual(INCORRECT);
    }
    expect(outcomeOf(await verify(test, other, { ...newDevice(), password: PASSWORD }))).toEqual(
      OK,
    );
  });

  it('is not delayed by wrong passwords at sign-in', async () => {
    const email = newEmail();
    const code = await mailedCode(email, newDevice());
    for (let count = 0; count < 10; count += 1) await signIn(test, email, OTHER_PASSWORD);
    expect(outcomeOf(await verify(test, code, { ...newDevice(), password: PASSWORD }))).toEqual(OK);
  });

  it(
    'opens one account when it is followed twenty times at once with the right password',
    { tags: 'long' },
    async () => {
      const email = newEmail();
      const code = await mailedCode(email, newDevice());
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          verify(test, code, { ...newDevice(), password: PASSWORD }),
        ),
      );
      const outcomes = answers.map(outcomeOf);
      expect(outcomes.filter(([status]) => status === 200)).toHaveLength(1);
      expect(new Set(outcomes.map(([, code_]) => code_))).toEqual(new Set(['ok', 'invalid_code']));
    },
  );

  it('judges five of twenty wrong passwords at once', async () => {
    const code = await mailedCode(newEmail(), newDevice());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        verify(test, code, { ...newDevice(), password: OTHER_PASSWORD }),
      ),
    );
    const codes = answers.map(({ body }) => body.code as string);
    expect(codes.filter((code_) => code_ === 'incorrect_password')).toHaveLength(5);
    expect(codes.filter((code_) => code_ === 'too_many_attempts')).toHaveLength(15);
  });
});

describe('a stranger who signs up with the address of somebody else', () => {
  const STRANGER_AT = '203.0.113.66';
  const OWNER_AT = '198.51.100.7';
  const stranger = { ...newDevice(), remoteAddress: STRANGER_AT };

  it('three times before the owner does opens nothing with the own password; the owner gets in', async () => {
    const email = newEmail();
    const owner = { ...newDevice(), remoteAddress: OWNER_AT };
    for (let count = 0; count < 3; count += 1) await register(test, email, STRANGERS, stranger);
    await test.runJobs();
    expect((await register(test, email, PASSWORD, owner)).body).toEqual({ success: true });
    await test.runJobs();
    const strangers = codesTo(email);
    expect(strangers).toHaveLength(3);
    // The owner follows the stranger's links in the mailbox, mistaking them for their own.
    for (const code of strangers) {
      expect(outcomeOf(await verify(test, code, owner))).toEqual(INCORRECT);
      expect(outcomeOf(await verify(test, code, { ...owner, password: PASSWORD }))).toEqual(
        INCORRECT,
      );
    }
    expect((await signIn(test, email, STRANGERS, stranger)).status).toBe(401);
    await wait(60_000);
    const own = codesTo(email).at(-1) ?? '';
    expect(strangers).not.toContain(own);
    expect(outcomeOf(await verify(test, own, owner))).toEqual(OK);
    expect((await signIn(test, email, STRANGERS, stranger)).status).toBe(401);
    expect((await signIn(test, email, PASSWORD, owner)).status).toBe(200);
    for (const code of strangers) {
      expect(outcomeOf(await verify(test, code, stranger))).toEqual([422, 'invalid_code']);
    }
  });

  it('cannot keep the link of the owner back by signing up again and again', async () => {
    const email = newEmail();
    const owner = { ...newDevice(), remoteAddress: OWNER_AT };
    for (let count = 0; count < 4; count += 1) await register(test, email, STRANGERS, stranger);
    await register(test, email, PASSWORD, owner);
    let mailedAfterMinutes = 0;
    let isMailed = false;
    while (!isMailed && mailedAfterMinutes < 5) {
      for (let count = 0; count < 5; count += 1) await register(test, email, STRANGERS, stranger);
      await test.runJobs();
      await wait(60_000);
      mailedAfterMinutes += 1;
      const answers = await Promise.all(codesTo(email).map((code) => verify(test, code, owner)));
      isMailed = answers.some(({ status }) => status === 200);
    }
    expect(mailedAfterMinutes).toBeLessThanOrEqual(2);
    expect((await signIn(test, email, PASSWORD, owner)).status).toBe(200);
  });

  it(
    'delays the link of the owner by an hour at most with all mails of an hour',
    { tags: 'long' },
    async () => {
      const email = newEmail();
      for (let minute = 0; minute < 4; minute += 1) {
        for (let count = 0; count < 3; count += 1) await register(test, email, STRANGERS, stranger);
        await test.runJobs();
        advance(60_000);
      }
      expect(codesTo(email)).toHaveLength(10);
      const owner = { ...newDevice(), remoteAddress: OWNER_AT };
      await register(test, email, PASSWORD, owner);
      await wait(0);
      expect(codesTo(email)).toHaveLength(10);
      await wait(57 * 60_000);
      const answers = await Promise.all(codesTo(email).map((code) => verify(test, code, owner)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await signIn(test, email, PASSWORD, owner)).status).toBe(200);
    },
  );

  it(
    'cannot replace the sign-up of the owner behind the same network address, before or after it',
    { tags: 'long' },
    async () => {
      const email = newEmail();
      const owner = { ...newDevice(), remoteAddress: STRANGER_AT };
      for (let count = 0; count < 4; count += 1) await register(test, email, STRANGERS, stranger);
      await register(test, email, PASSWORD, owner);
      for (let count = 0; count < 25; count += 1) {
        // An occasional made-up device replaces nothing either.
        const from = count % 5 === 0 ? { ...stranger, ...newDevice() } : stranger;
        await register(test, email, STRANGERS, from);
      }
      await test.runJobs();
      await wait(60_000);
      const answers = await Promise.all(codesTo(email).map((code) => verify(test, code, owner)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await signIn(test, email, PASSWORD, owner)).status).toBe(200);
    },
  );

  it('fills no queue: of one device, and of a place without ids, only the newest delayed sign-up is kept', async () => {
    const email = newEmail();
    for (let count = 0; count < 20; count += 1) await register(test, email, STRANGERS, stranger);
    await test.runJobs();
    const kept = await test.deps.db
      .selectFrom('sign_ups')
      .select('id')
      .where('email', '=', email)
      .execute();
    expect(kept).toHaveLength(4);
  });

  it(
    'fills no queue with made-up devices: of one place, those of twenty are kept',
    { tags: 'long' },
    async () => {
      const email = newEmail();
      for (let count = 0; count < 30; count += 1) {
        await register(test, email, STRANGERS, { ...stranger, ...newDevice() });
      }
      await test.runJobs();
      const kept = await test.deps.db
        .selectFrom('sign_ups')
        .select('id')
        .where('email', '=', email)
        .execute();
      expect(kept).toHaveLength(3 + 20);
    },
  );

  it(
    'drops no sign-up of the owner with the networks of one IPv6 site',
    { tags: 'long' },
    async () => {
      const email = newEmail();
      for (let count = 0; count < 3; count += 1) await register(test, email, STRANGERS, stranger);
      const owner = { ...newDevice(), remoteAddress: OWNER_AT };
      await register(test, email, PASSWORD, owner);
      for (let network = 0; network < 20; network += 1) {
        const remoteAddress = `2001:db8:1:${network}::1`;
        await register(test, email, STRANGERS, { ...stranger, remoteAddress });
      }
      await test.runJobs();
      await wait(60_000);
      const answers = await Promise.all(codesTo(email).map((code) => verify(test, code, owner)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    },
  );

  it(
    'causes no more than ten mails an hour to the owner of an account',
    { tags: 'long' },
    async () => {
      const email = newEmail();
      await openAccount(test, email);
      const before = mailsTo(test, email).length;
      for (let minute = 0; minute < 6; minute += 1) {
        for (let count = 0; count < 4; count += 1) await register(test, email, STRANGERS, stranger);
        await wait(60_000);
      }
      expect(mailsTo(test, email).length - before).toBe(10);
    },
  );
});
