import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsTo, openAccount, PASSWORD, signIn } from '../../../../test/accounts.ts';
import { bearer, codeOf, openProtected, post } from '../../../../test/second-step.ts';
import { SoftwareAuthenticator, type Forgery } from '../../../../test/software-authenticator.ts';
import {
  createTestApp,
  stopClock,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';

const MINUTE_MS = 60_000;
/** The tests' PUBLIC_URL with the host name, since an IP address can have no passkeys. */
const SITE = 'http://localhost:8080';
const REFUSED = [401, 'incorrect_credentials'];

let test: TestApp;
let place = 0;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const newEmail = (): string => `passkey-${randomUUID()}@athos.example`;
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];
const subjectsTo = (email: string): string[] => mailsTo(test, email).map(({ subject }) => subject);

/** Each guest has a network place of their own, because challenges are counted by place. */
const guest = (path: string, payload: object = {}, remoteAddress = `203.0.113.${place}`) =>
  test.request({ method: 'POST', url: `/api/account/passkey/${path}`, payload, remoteAddress });
const optionsFor = async () => (await guest('options')).body as unknown as { challenge: string };
const send = (passkey: object) => guest('sign_in', { passkey });
const listOf = async (token: string) => {
  const url = '/api/account/passkeys';
  const { body } = await test.request({ method: 'GET', url, headers: bearer(token) });
  return body.passkeys as unknown as { id: string; name: string; used_at: string | null }[];
};

type Options = Parameters<SoftwareAuthenticator['create']>[0];

async function begin(token: string, proof: object = {}): Promise<Options> {
  const answer = await post(test, 'passkey/begin', { token, password: PASSWORD, ...proof });
  expect(outcomeOf(answer)).toEqual([200, 'ok']);
  return answer.body as unknown as Options;
}

interface Holder {
  readonly email: string;
  readonly uuid: string;
  readonly token: string;
  readonly authenticator: SoftwareAuthenticator;
}

async function openHolder(): Promise<Holder> {
  place += 1;
  const email = newEmail();
  const { uuid, token } = await openAccount(test, email);
  const authenticator = new SoftwareAuthenticator(SITE);
  const passkey = authenticator.create(await begin(token));
  const added = await post(test, 'passkey/register', { token, passkey });
  expect(outcomeOf(added)).toEqual([200, 'ok']);
  return { email, uuid, token, authenticator };
}

const signInWith = async ({ authenticator }: Holder, forgery?: Forgery): Promise<TestAnswer> =>
  send(authenticator.get(await optionsFor(), forgery));

describe('signing in', () => {
  it('[W-102] takes the passkey alone, without an address', async () => {
    const holder = await openHolder();
    const answer = await signInWith(holder);
    expect(answer.status).toBe(200);
    expect(answer.body.uuid).toBe(holder.uuid);
    const url = '/api/account/sessions';
    const headers = bearer(String(answer.body.token));
    const { body } = await test.request({ method: 'GET', url, headers });
    expect(body.sessions).toContainEqual(
      expect.objectContaining({ is_current: true, method: 'passkey' }),
    );
    expect((await listOf(holder.token))[0]?.used_at).not.toBeNull();
    expect((await signIn(test, holder.email)).status).toBe(200);
  });

  it.each<[string, Forgery]>([
    ['[W-103] of another origin', { origin: 'http://localhost.evil.example:8080' }],
    ['[W-103] for another relying party', { rpId: 'evil.example' }],
    ['[W-103] for a challenge that was never given', { challenge: 'A'.repeat(43) }],
    ['[W-105] without user verification', { isUserVerified: false }],
    ['with a tampered signature', { isSignatureTampered: true }],
  ])('refuses a passkey %s', async (_what, forgery) => {
    const holder = await openHolder();
    expect(outcomeOf(await signInWith(holder, forgery))).toEqual(REFUSED);
    expect((await signInWith(holder)).status).toBe(200);
  });

  it('[W-103] refuses a passkey with the handle of another user, or without one', async () => {
    const holder = await openHolder();
    for (const userHandle of [Buffer.alloc(32).toString('base64url'), undefined]) {
      const honest = holder.authenticator.get(await optionsFor());
      const response = { ...honest.response, userHandle };
      expect(outcomeOf(await send({ ...honest, response }))).toEqual(REFUSED);
    }
  });

  it('answers alike for an unknown passkey and for one of a closed account', async () => {
    const holder = await openHolder();
    const stranger = new SoftwareAuthenticator(SITE);
    stranger.create({ ...(await optionsFor()), user: { id: 'AAAA' } });
    expect(outcomeOf(await send(stranger.get(await optionsFor())))).toEqual(REFUSED);
    const options = await optionsFor();
    const { status } = await test.request({
      method: 'POST',
      url: '/api/account/delete',
      payload: { password: PASSWORD },
      headers: { ...bearer(holder.token), 'idempotency-key': randomUUID() },
    });
    expect(status).toBe(200);
    expect(outcomeOf(await send(holder.authenticator.get(options)))).toEqual(REFUSED);
    await test.runJobs();
    const { id } = await test.deps.db
      .selectFrom('users')
      .select('id')
      .where('uuid', '=', holder.uuid)
      .executeTakeFirstOrThrow();
    for (const table of ['passkeys', 'passkey_handles'] as const) {
      const left = await test.deps.db
        .selectFrom(table)
        .select('user_id')
        .where('user_id', '=', id)
        .execute();
      expect(left).toEqual([]);
    }
  });

  it('[W-104] takes a challenge once, even of twenty at once', async () => {
    const holder = await openHolder();
    const passkey = holder.authenticator.get(await optionsFor());
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(passkey)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('[W-104] refuses a challenge of five minutes ago', async () => {
    const advance = stopClock(test);
    const holder = await openHolder();
    const passkey = holder.authenticator.get(await optionsFor());
    advance(5 * MINUTE_MS);
    expect(outcomeOf(await send(passkey))).toEqual(REFUSED);
  });

  it('refuses a count that does not rise, as that of a copy does, and mails the owner', async () => {
    const holder = await openHolder();
    expect((await signInWith(holder, { signCount: 7 })).status).toBe(200);
    const forged = { signCount: 3, isSignatureTampered: true };
    expect(outcomeOf(await signInWith(holder, forged))).toEqual(REFUSED);
    await test.runJobs();
    const subject = expect.stringMatching(/^A sign-in to your .+ account was refused$/);
    expect(subjectsTo(holder.email)).not.toContainEqual(subject);
    for (const signCount of [7, 3, 0]) {
      const refused = await signInWith(holder, { signCount });
      expect(outcomeOf(refused)).toEqual(REFUSED);
      expect((await signInWith(holder, { signCount: 8 + 10 * (7 - signCount) })).status).toBe(200);
    }
    await test.runJobs();
    expect(subjectsTo(holder.email)).toContainEqual(subject);
  });

  it('delays an account after wrong signatures as after wrong passwords', async () => {
    const holder = await openHolder();
    const outcomes: unknown[] = [];
    for (let count = 0; count < 8; count += 1) {
      outcomes.push(outcomeOf(await signInWith(holder, { isSignatureTampered: true }))[1]);
    }
    expect(outcomes[0]).toBe('incorrect_credentials');
    expect(outcomes.at(-1)).toBe('too_many_attempts');
    expect((await signIn(test, holder.email)).body.code).toBe('too_many_attempts');
  });

  it('gives at most 30 challenges a minute to a place', async () => {
    const at = '198.51.100.7';
    for (let count = 0; count < 30; count += 1) await guest('options', {}, at);
    expect(outcomeOf(await guest('options', {}, at))).toEqual([429, 'too_many_requests']);
  });

  it('50,000 open challenges leave the next guest to the password, and owners go on', async () => {
    const { email, token } = await openHolder();
    const { db, clock } = test.deps;
    const fill = (count: number) =>
      sql`
        insert into factor_challenges (challenge_hash, purpose, expires_at)
        select sha256(uuidv7()::text::bytea), 'flood', ${new Date(clock.nowMs() + 5 * MINUTE_MS)}
          from generate_series(1, ${count}::integer)`.execute(db);
    await sql`delete from factor_challenges`.execute(db);
    await fill(49_998);
    test.clock.advance(2_000);
    expect((await guest('options')).status).toBe(200);
    expect((await guest('options')).status).toBe(200);
    place += 1;
    expect(outcomeOf(await guest('options'))).toEqual([429, 'too_many_requests']);
    test.clock.advance(2_000);
    expect(outcomeOf(await guest('options'))).toEqual([429, 'too_many_requests']);
    expect((await signIn(test, email)).status).toBe(200);
    await begin(token);
    test.clock.advance(5 * MINUTE_MS);
    expect((await guest('options')).status).toBe(200);
  });

  it.each([{}, { id: 'x' }, { id: 'A'.repeat(5_000), rawId: 'A', type: 'public-key' }])(
    'refuses %j as a shape',
    async (passkey) => {
      expect(outcomeOf(await send(passkey))).toEqual([400, 'invalid_request']);
    },
  );
});

describe('adding and removing', () => {
  it('[W-119] mails the owner of each, and a removed passkey signs in no longer', async () => {
    const holder = await openHolder();
    const { email, token } = holder;
    const [passkey] = await listOf(token);
    const wrong = { token, password: 'Wrong-Horse-7' };
    const path = `passkeys/${passkey?.id}/end`;
    expect(outcomeOf(await post(test, path, wrong))).toEqual([422, 'incorrect_password']);
    expect((await post(test, path, { token, password: PASSWORD })).status).toBe(200);
    expect(outcomeOf(await signInWith(holder))).toEqual(REFUSED);
    await test.runJobs();
    expect(subjectsTo(email)).toContainEqual(expect.stringMatching(/^A passkey was added to/));
    expect(subjectsTo(email)).toContainEqual(expect.stringMatching(/^A passkey was removed from/));
  });

  it('takes a code besides the password where signing in does', async () => {
    place += 1;
    const { token, secret } = await openProtected(test, newEmail());
    const proof = { token, password: PASSWORD };
    expect(outcomeOf(await post(test, 'passkey/begin', proof))).toEqual([422, 'invalid_code']);
    const wrong = { ...proof, code: '000000' };
    expect(outcomeOf(await post(test, 'passkey/begin', wrong))).toEqual([422, 'invalid_code']);
    const authenticator = new SoftwareAuthenticator(SITE);
    const passkey = authenticator.create(await begin(token, { code: codeOf(test, secret) }));
    expect((await post(test, 'passkey/register', { token, passkey })).status).toBe(200);
    expect((await send(authenticator.get(await optionsFor()))).status).toBe(200);
    const [{ id } = { id: '' }] = await listOf(token);
    const end = await post(test, `passkeys/${id}/end`, { token, password: PASSWORD });
    expect(outcomeOf(end)).toEqual([422, 'invalid_code']);
  });

  it('takes a made passkey once, and only in the session that brought the password', async () => {
    place += 1;
    const email = newEmail();
    const { token } = await openAccount(test, email);
    const other = String((await signIn(test, email)).body.token);
    const stolen = new SoftwareAuthenticator(SITE).create(await begin(token));
    const elsewhere = await post(test, 'passkey/register', { token: other, passkey: stolen });
    expect(outcomeOf(elsewhere)).toEqual([422, 'invalid_passkey']);
    const passkey = new SoftwareAuthenticator(SITE).create(await begin(token));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(test, 'passkey/register', { token, passkey })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await listOf(token)).toHaveLength(1);
  });

  it('refuses what another session or an eleventh passkey would add', async () => {
    place += 1;
    const { token } = await openAccount(test, newEmail());
    const late = new SoftwareAuthenticator(SITE).create(await begin(token));
    for (let count = 0; count < 10; count += 1) {
      const passkey = new SoftwareAuthenticator(SITE).create(await begin(token));
      expect((await post(test, 'passkey/register', { token, passkey })).status).toBe(200);
    }
    const full = [409, 'factor_limit_reached'];
    expect(outcomeOf(await post(test, 'passkey/register', { token, passkey: late }))).toEqual(full);
    const more = await post(test, 'passkey/begin', { token, password: PASSWORD });
    expect(outcomeOf(more)).toEqual(full);
  });

  it('names own passkeys, and knows nobody else’s', async () => {
    const [ada, eve] = [await openHolder(), await openHolder()];
    const [{ id } = { id: '' }] = await listOf(ada.token);
    const rename = (token: string, name: string) =>
      post(test, `passkeys/${id}/rename`, { token, name });
    expect((await rename(ada.token, '  My phone ')).status).toBe(200);
    expect(outcomeOf(await rename(eve.token, 'Mine'))).toEqual([404, 'not_found']);
    expect(outcomeOf(await rename(ada.token, '  '))).toEqual([400, 'invalid_request']);
    const end = await post(test, `passkeys/${id}/end`, { token: eve.token, password: PASSWORD });
    expect(outcomeOf(end)).toEqual([404, 'not_found']);
    expect((await listOf(ada.token)).map(({ name }) => name)).toEqual(['My phone']);
  });
});
