import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleCaller } from '../../../../test/console.ts';
import { signInStaff } from '../../../../test/console.ts';
import { SoftwareAuthenticator } from '../../../../test/software-authenticator.ts';
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
  stopClock,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';

const STEP_MS = 30_000;
const MINUTE_MS = 60_000;

let test: TestApp;
let advance: (byMs: number) => void;
let ada: Enrolled;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(async () => {
  advance = stopClock(test);
  ada = await enrolPerson(test, ['support']);
  await test.runJobs();
  test.mails.length = 0;
  advance(STEP_MS);
});
afterAll(() => test.close());

const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];
const REASON = 'They join the support team.';

async function addPasskey(caller: ConsoleCaller): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator(test.deps.config.console.origin);
  const { body } = await caller.call('newPasskeyOptions');
  const passkey = authenticator.create(body);
  const answer = await caller.call('addPasskey', { body: { passkey, name: 'Key' } });
  expect(outcomeOf(answer)).toEqual([200, 'ok']);
  return authenticator;
}

const mailedSubjects = async (): Promise<string[]> => {
  await test.runJobs();
  return test.mails.map(({ to, text }) => `${to}: ${text}`);
};

describe('enrolling', () => {
  it('upgrades the session, counts as a proof, and ends every other session', async () => {
    const invited = await invitePerson(test, ['support']);
    const first = await acceptInvite(test, invited);
    const second = await sessionOf(
      test,
      invited,
      await askAsGuest(test, 'signIn', { email: invited.email, password: STAFF_PASSWORD }),
    );
    expect(outcomeOf(await second.call('ownSessions'))).toEqual([403, 'enrolment_required']);
    await addPasskey(second);
    expect((await second.call('ownSessions')).body.items).toHaveLength(1);
    expect((await second.call('me')).body).toMatchObject({
      is_enrolled: true,
      session: { proved_until: expect.any(String) },
    });
    expect(outcomeOf(await first.call('me'))).toEqual([401, 'session_ended']);
  });

  it('is possible only once: a session without a factor cannot add another', async () => {
    const late = await signInStaff(test, ada, { isEnrolled: false });
    for (const name of ['beginTotp', 'newPasskeyOptions'] as const) await late.call(name);
    expect(outcomeOf(await late.call('beginTotp'))).toEqual([401, 'session_ended']);
    const origin = test.deps.config.console.origin;
    const { body } = await late.call('newPasskeyOptions');
    const passkey = new SoftwareAuthenticator(origin).create(body);
    const answer = await late.call('addPasskey', { body: { passkey, name: 'Key' } });
    expect(outcomeOf(answer)).toEqual([401, 'session_ended']);
  });

  it('accepts a code of the newest secret only, and stores the secret sealed', async () => {
    const invited = await invitePerson(test, ['support']);
    const caller = await acceptInvite(test, invited);
    const early = (await caller.call('beginTotp')).body.secret as string;
    const { secret, address } = (await caller.call('beginTotp')).body;
    expect(address).toContain(secret);
    const confirm = (code: string) => caller.call('confirmTotp', { body: { code, name: 'Phone' } });
    expect(outcomeOf(await confirm(totpCode(test, early)))).toEqual([422, 'invalid_code']);
    expect((await confirm(totpCode(test, secret))).status).toBe(200);
    const rows = await test.deps.db.selectFrom('staff_factors').select('secret').execute();
    expect(rows.map((row) => row.secret?.toString('latin1')).join()).not.toContain(secret);
    const kept = await test.deps.db.selectFrom('console_acts').select('answer').execute();
    const details = await test.deps.db.selectFrom('audit_details').select('details').execute();
    expect(JSON.stringify([kept, details])).not.toContain(secret);
  });

  it('gives up after ten wrong codes in an hour', async () => {
    const caller = await acceptInvite(test, await invitePerson(test, ['support']));
    await caller.call('beginTotp');
    const body = { code: '000000', name: 'Phone' };
    for (let count = 0; count < 10; count += 1) {
      expect(outcomeOf(await caller.call('confirmTotp', { body }))).toEqual([422, 'invalid_code']);
      advance(1_000);
    }
    const answer = await caller.call('confirmTotp', { body });
    expect(outcomeOf(answer)).toEqual([429, 'too_many_attempts']);
  });
});

describe('own factors', () => {
  it('are added and removed with a proof and a mail to the person; the last one cannot be removed', async () => {
    const { caller } = ada;
    await addPasskey(caller);
    const { factors } = (await caller.call('me')).body;
    expect(factors).toMatchObject([
      { kind: 'totp', name: 'Phone' },
      { kind: 'passkey', name: 'Key' },
    ]);
    const remove = (id: string) => caller.call('removeFactor', { params: { id } });
    expect((await remove(factors[0].id)).status).toBe(200);
    expect(outcomeOf(await remove(factors[1].id))).toEqual([409, 'last_factor']);
    expect(outcomeOf(await remove(randomUUID()))).toEqual([404, 'not_found']);
    const mails = await mailedSubjects();
    expect(mails.filter((mail) => mail.includes('passkey was added'))).toHaveLength(1);
    expect(mails.filter((mail) => mail.includes('factor was removed'))).toHaveLength(1);
    expect(mails.every((mail) => mail.startsWith(ada.email))).toBe(true);
    advance(5 * MINUTE_MS);
    for (const answer of [await caller.call('beginTotp'), await remove(factors[1].id)]) {
      expect(outcomeOf(answer)).toEqual([403, 'confirmation_required']);
    }
  });

  it('cannot be removed by another person, nor can the only passkey of a person without a password', async () => {
    const ben = await enrolPerson(test, ['support']);
    const [factor] = (await ben.caller.call('me')).body.factors;
    const answer = await ada.caller.call('removeFactor', { params: { id: factor.id } });
    expect(outcomeOf(answer)).toEqual([404, 'not_found']);
  });

  it('include one authenticator app, which a second one replaces', async () => {
    const { caller } = ada;
    const { secret } = (await caller.call('beginTotp')).body;
    const body = { code: totpCode(test, secret), name: 'New phone' };
    expect((await caller.call('confirmTotp', { body })).status).toBe(200);
    expect((await caller.call('me')).body.factors).toMatchObject([{ name: 'New phone' }]);
    advance(STEP_MS);
    expect((await ada.signIn()).status).toBe(401);
    expect((await ada.signIn(totpCode(test, secret))).status).toBe(200);
  });

  it('include ten recovery codes, which new ones replace; neither set is kept for a repeat', async () => {
    const key = randomUUID();
    const draw = () => ada.caller.call('makeRecoveryCodes', { key });
    const first = (await draw()).body.codes as string[];
    const second = (await draw()).body.codes as string[];
    expect(first).toHaveLength(10);
    expect(new Set([...first, ...second]).size).toBe(20);
    expect((await ada.caller.call('me')).body.recovery_codes_left).toBe(10);
    const stored = await test.deps.db.selectFrom('console_acts').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(second[0]);
    expect((await ada.signIn(first[0])).status).toBe(401);
    expect((await ada.signIn(second[0])).status).toBe(200);
    expect((await ada.caller.call('me')).body.recovery_codes_left).toBe(9);
  });

  it('stay when the password changes; that ends the other sessions, and only a hash is stored', async () => {
    const other = await sessionOf(test, ada, await ada.signIn());
    const password = 'another horse battery';
    const change = await ada.caller.call('changeOwnPassword', {
      body: { password },
      key: randomUUID(),
    });
    expect(change.status).toBe(200);
    expect(outcomeOf(await other.call('me'))).toEqual([401, 'session_ended']);
    advance(STEP_MS);
    expect((await ada.signIn()).status).toBe(401);
    const { email } = ada;
    const code = totpCode(test, ada.secret);
    expect((await askAsGuest(test, 'signIn', { email, password, code })).status).toBe(200);
    const acts = await test.deps.db
      .selectFrom('console_acts')
      .select('call')
      .where('call', 'like', '%password%')
      .execute();
    expect(acts).toEqual([]);
    const short = await ada.caller.call('changeOwnPassword', { body: { password: 'elevenchars' } });
    expect(outcomeOf(short)).toEqual([400, 'invalid_request']);
  });
});

describe('a proof of presence', () => {
  let owner: Enrolled;
  const invite = (key: string): Promise<TestAnswer> =>
    owner.caller.call('inviteStaff', {
      key,
      body: {
        email: `proof-${key}@athos.example`,
        name: 'Grace',
        organisation: 'provider',
        role_ids: ['auditor'],
        venue_ids: [],
        reason: REASON,
      },
    });
  beforeEach(async () => {
    owner = await enrolPerson(test, ['provider_owner']);
    advance(5 * MINUTE_MS);
  });

  it('[O-025] lets the same request through under the same key', async () => {
    const key = randomUUID();
    expect(outcomeOf(await invite(key))).toEqual([403, 'confirmation_required']);
    const proof = await owner.caller.call('prove', {
      body: { code: totpCode(test, owner.secret) },
    });
    expect(proof.body.proved_until).toBe(new Date(test.clock.nowMs() + 300_000).toISOString());
    const done = await invite(key);
    expect(done.body).toMatchObject({ outcome: 'done' });
    expect((await invite(key)).body).toEqual(done.body);
  });

  it('[O-024] can be given with a passkey, and holds for five minutes in one session', async () => {
    const { caller } = owner;
    await caller.prove();
    const authenticator = await addPasskey(caller);
    advance(5 * MINUTE_MS);
    const other = await signInStaff(test, owner);
    advance(5 * MINUTE_MS);
    const options = (await caller.call('proofOptions')).body;
    expect(options.allowCredentials).toHaveLength(1);
    const passkey = authenticator.get(options);
    expect(outcomeOf(await other.call('prove', { body: { passkey } }))).toEqual([
      422,
      'invalid_passkey',
    ]);
    const fresh = authenticator.get((await caller.call('proofOptions')).body);
    expect((await caller.call('prove', { body: { passkey: fresh } })).status).toBe(200);
    expect((await caller.call('makeRecoveryCodes')).status).toBe(200);
    expect(outcomeOf(await other.call('makeRecoveryCodes'))).toEqual([
      403,
      'confirmation_required',
    ]);
    advance(5 * MINUTE_MS);
    expect(outcomeOf(await caller.call('makeRecoveryCodes'))).toEqual([
      403,
      'confirmation_required',
    ]);
  });

  it('leaves database connections to others, however many proofs are tried at once', async () => {
    const { caller } = owner;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => caller.call('prove', { body: { code: '000000' } })),
    );
    expect(answers.filter(({ body }) => body.code === 'invalid_code')).toHaveLength(10);
    expect(answers.filter(({ body }) => body.code === 'too_many_attempts')).toHaveLength(10);
  });

  it('is refused for a used code, another person’s code, and after ten wrong ones', async () => {
    const { caller } = owner;
    const code = totpCode(test, owner.secret);
    const prove = (given: string) => caller.call('prove', { body: { code: given } });
    expect((await prove(code)).status).toBe(200);
    expect(outcomeOf(await prove(code))).toEqual([422, 'invalid_code']);
    expect(outcomeOf(await prove(totpCode(test, ada.secret)))).toEqual([422, 'invalid_code']);
    for (let count = 0; count < 8; count += 1) await prove('000000');
    advance(STEP_MS);
    expect(outcomeOf(await prove(totpCode(test, owner.secret)))).toEqual([
      429,
      'too_many_attempts',
    ]);
    const both = await caller.ask(
      { method: 'POST', path: '/admin/me/proof' },
      { body: { code, passkey: {} } },
    );
    expect(outcomeOf(both)).toEqual([400, 'invalid_request']);
  });
});

describe('own sessions', () => {
  it('[O-021] are listed with browser, place and time, and ended one by one', async () => {
    const answer = await ada.signIn(undefined, {
      remoteAddress: '203.0.113.9',
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
    });
    const other = await sessionOf(test, ada, answer);
    const { items } = (await ada.caller.call('ownSessions')).body;
    expect(items).toHaveLength(2);
    const shown = items.find(({ id }: { id: string }) => id === other.sessionId);
    expect(shown).toMatchObject({
      browser: 'Firefox on Linux',
      place: '203.0.113.9',
      seen_at: new Date(test.clock.nowMs()).toISOString(),
      is_current: false,
    });
    const end = (id: string) => ada.caller.call('endOwnSession', { params: { id } });
    const ben = await enrolPerson(test, ['support']);
    expect(outcomeOf(await end(ben.caller.sessionId))).toEqual([404, 'not_found']);
    expect((await end(other.sessionId)).status).toBe(200);
    expect(outcomeOf(await other.call('me'))).toEqual([401, 'session_ended']);
    expect((await ben.caller.call('me')).status).toBe(200);
  });

  it('end with signing out, which deletes the cookie', async () => {
    const answer = await ada.caller.call('signOut');
    expect(answer.headers['set-cookie']).toMatch(/^console=; .*Max-Age=0/);
    expect(outcomeOf(await ada.caller.call('me'))).toEqual([401, 'session_ended']);
  });
});

it('a person names their own wallet once, and only one that exists', async () => {
  const user = await test.createUser();
  const other = await test.createUser();
  const name = (uuid: string) => ada.caller.call('nameOwnWallet', { body: { wallet_uuid: uuid } });
  expect(outcomeOf(await name(randomUUID()))).toEqual([404, 'recipient_not_found']);
  expect((await name(user.uuid)).status).toBe(200);
  expect((await name(user.uuid)).status).toBe(200);
  expect(outcomeOf(await name(other.uuid))).toEqual([409, 'wallet_named']);
  expect((await ada.caller.call('me')).body.wallet_uuid).toBe(user.uuid);
});
