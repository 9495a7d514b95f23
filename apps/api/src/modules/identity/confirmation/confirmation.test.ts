import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mailsTo, openUser, PASSWORD, signIn } from '../../../../test/accounts.ts';
import { createOffer } from '../../../../test/build-catalog.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { bearer, codeOf, post } from '../../../../test/second-step.ts';
import { ath, balanceOf, cartBody, twenty } from '../../../../test/shop.ts';
import { SoftwareAuthenticator } from '../../../../test/software-authenticator.ts';
import {
  createTestApp,
  issueTo,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../../test/test-app.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The tests' PUBLIC_URL with the host name, since an IP address can have no passkeys. */
const SITE = 'http://localhost:8080';
const REQUIRED = [403, 'confirmation_required'];
const DONE = [200, undefined];
/** At 0.1683 USD, 200 USD are 1,188.35 ATH. */
const MOST_OF_THE_LIMIT = ath(1_000);

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code];

interface Sent {
  readonly key?: string;
  readonly confirmation?: string | undefined;
  readonly asset?: string;
  readonly token?: string;
}

const headersOf = ({ confirmation }: Pick<Sent, 'confirmation'>) =>
  confirmation === undefined ? {} : { 'x-confirmation': confirmation };

const send = (
  user: TestUser,
  to: TestUser,
  amount: bigint,
  { key = randomUUID(), asset = 'ATH', token = user.token, ...sent }: Sent = {},
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount: amount.toString(), to_uuid: to.uuid, asset },
    headers: { ...bearer(token), ...headersOf(sent) },
    key,
  });

const confirm = (user: Pick<TestUser, 'token'>, refused: TestAnswer, proof: object) =>
  post(test, 'confirm', { token: user.token, action_hash: refused.body.action_hash, proof });

/** Confirms the refused act with the password. */
async function confirmed(user: TestUser, refused: TestAnswer): Promise<string> {
  expect(outcomeOf(refused)).toEqual(REQUIRED);
  const answer = await confirm(user, refused, { method: 'password', password: PASSWORD });
  expect(answer.status).toBe(200);
  return String(answer.body.confirmation);
}

const changeLimit = (user: TestUser, cents: number | null, sent: Sent = {}): Promise<TestAnswer> =>
  test.request({
    method: 'PUT',
    url: '/api/account/confirmation_limit',
    payload: { limit_usd_cents: cents },
    headers: { ...bearer(user.token), ...headersOf(sent) },
  });
const limitOf = async (user: TestUser) =>
  (await test.request({ method: 'GET', url: '/api/account/confirmation_limit', user })).body;

/** Creates two users, the first of whom has sent to the other before. */
async function openPair(): Promise<[TestUser, TestUser]> {
  const ada = await openUser(test, ath(100_000));
  const ben = await test.createUser();
  const at = new Date(test.clock.nowMs());
  await test.deps.db
    .insertInto('send_pairs')
    .values({
      sender_id: ada.userId,
      recipient_id: ben.userId,
      first_at: at,
      last_at: at,
      send_count: 1,
    })
    .execute();
  return [ada, ben];
}

/** Adds an authenticator app, and returns its secret. */
async function addApp({ token }: TestUser): Promise<string> {
  const { body } = await post(test, 'totp/begin', { token, password: PASSWORD });
  const secret = String(body.secret);
  const { status } = await post(test, 'totp/confirm', { token, code: codeOf(test, secret, -1) });
  expect(status).toBe(200);
  return secret;
}

async function addPasskey({ token }: TestUser): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator(SITE);
  const begun = await post(test, 'passkey/begin', { token, password: PASSWORD });
  const passkey = authenticator.create(begun.body);
  expect((await post(test, 'passkey/register', { token, passkey })).status).toBe(200);
  return authenticator;
}

/** Creates an account that must confirm with its password above 200 USD. */
async function openLimited(): Promise<[TestUser, TestUser]> {
  const [ada, ben] = await openPair();
  expect((await changeLimit(ada, 20_000)).status).toBe(200);
  return [ada, ben];
}

const signInAgain = async (user: TestUser): Promise<TestUser> => ({
  ...user,
  token: String((await signIn(test, user.email)).body.token),
});

describe('an account without a second factor and a limit of its own', () => {
  it('[W-115] is asked for nothing at sends, tips and purchases', async () => {
    const ada = await openUser(test, ath(100_000));
    const ben = await test.createUser();
    const offer = await createOffer(test, { price_ath_hundredths: 500_000 });
    const box = await createOffer(test, { kind: 3 });
    expect(outcomeOf(await send(ada, ben, ath(50_000)))).toEqual(DONE);
    const bought = await test.request({
      method: 'POST',
      url: '/api/purchase',
      user: ada,
      payload: cartBody([[offer.id, 2]]),
    });
    expect(outcomeOf(bought)).toEqual(DONE);
    const payload = { offer_id: box.id, amount: ath(5_000).toString() };
    const tipped = await test.request({
      method: 'POST',
      url: '/api/account/tip',
      user: ada,
      payload,
    });
    expect(outcomeOf(tipped)).toEqual(DONE);
    expect(await limitOf(ada)).toEqual({
      limit_usd_cents: null,
      usual_usd_cents: null,
      next: null,
    });
  });
});

describe('a spend above the limit', () => {
  it('[W-112] is refused without moving anything or using the key, and done with a confirmation', async () => {
    const [ada, ben] = await openPair();
    // The process has this session in its memory already.
    expect((await send(ada, ben, ath(1))).status).toBe(200);
    const secret = await addApp(ada);
    expect(outcomeOf(await send(ada, ben, MOST_OF_THE_LIMIT))).toEqual(DONE);
    const before = await balanceOf(test, ada);
    const key = randomUUID();
    const refused = await send(ada, ben, ath(200), { key });
    expect(outcomeOf(refused)).toEqual(REQUIRED);
    expect(refused.body).toMatchObject({
      action: 'send',
      action_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      methods: ['totp'],
      amount: ath(200).toString(),
      asset: 'ATH',
      to_uuid: ben.uuid,
    });
    expect(await balanceOf(test, ada)).toBe(before);
    // The refused spend was not counted.
    expect(outcomeOf(await send(ada, ben, ath(100)))).toEqual(DONE);
    const proof = { method: 'totp', code: codeOf(test, secret) };
    const { confirmation } = (await confirm(ada, refused, proof)).body;
    const sent = await send(ada, ben, ath(200), { key, confirmation });
    expect(outcomeOf(sent)).toEqual(DONE);
    // A retry after a lost answer needs no second confirmation and is not counted again.
    for (const again of [{ key, confirmation }, { key }]) {
      expect((await send(ada, ben, ath(200), again)).body).toEqual(sent.body);
    }
    // The count starts again from 0.
    expect(outcomeOf(await send(ada, ben, MOST_OF_THE_LIMIT))).toEqual(DONE);
    expect(outcomeOf(await send(ada, ben, ath(200)))).toEqual(REQUIRED);
  });

  it('[W-112] is refused with the key of a smaller one that was made, by the ledger', async () => {
    const [ada, ben] = await openLimited();
    const key = randomUUID();
    expect(outcomeOf(await send(ada, ben, ath(1), { key }))).toEqual(DONE);
    const reused = await send(ada, ben, ath(5_000), { key });
    expect(reused.body.code).toBe('idempotency_key_reused');
  });

  it('counts sends, tips and purchases together, and each attempt once', async () => {
    const [ada, ben] = await openLimited();
    const offer = await createOffer(test, { price_ath_hundredths: 40_000 });
    const box = await createOffer(test, { kind: 3 });
    const buy = (key: string, sent: Sent = {}) =>
      test.request({
        method: 'POST',
        url: '/api/purchase',
        user: ada,
        key,
        payload: cartBody([[offer.id, 1]]),
        headers: headersOf(sent),
      });
    const tip = (sent: Sent = {}) =>
      test.request({
        method: 'POST',
        url: '/api/account/tip',
        user: ada,
        payload: { offer_id: box.id, amount: ath(400).toString() },
        headers: headersOf(sent),
      });
    const key = randomUUID();
    const answers = await Promise.all([buy(key), buy(key), buy(key)]);
    expect(answers.map(outcomeOf)).toEqual([DONE, DONE, DONE]);
    expect(outcomeOf(await tip())).toEqual(DONE);
    const refusedTip = await tip();
    expect(refusedTip.body).toMatchObject({ action: 'tip', amount: ath(400).toString() });
    const refused = await buy(randomUUID());
    expect(refused.body).toMatchObject({ action: 'purchase', amount: ath(400).toString() });
    expect(outcomeOf(await send(ada, ben, ath(400)))).toEqual(REQUIRED);
    // A confirmation of one act does not confirm another.
    const confirmation = await confirmed(ada, refused);
    expect(outcomeOf(await tip({ confirmation }))).toEqual(REQUIRED);
    expect(outcomeOf(await buy(randomUUID(), { confirmation }))).toEqual(DONE);
    expect(outcomeOf(await tip())).toEqual(DONE);
  });

  it('is one to a new receiver above a quarter of it', async () => {
    const [ada] = await openLimited();
    const stranger = await test.createUser();
    expect(outcomeOf(await send(ada, stranger, ath(297)))).toEqual(DONE);
    const refused = await send(ada, stranger, ath(298));
    const confirmation = await confirmed(ada, refused);
    expect(outcomeOf(await send(ada, stranger, ath(298), { confirmation }))).toEqual(DONE);
  });

  it('lets twenty at once pass up to the limit and no further', async () => {
    const [ada, ben] = await openLimited();
    const answers = await twenty(() => send(ada, ben, ath(297)));
    const outcomes = answers.map(outcomeOf).map(String);
    expect(outcomes.filter((outcome) => outcome === String(DONE))).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === String(REQUIRED))).toHaveLength(16);
  });
});

describe('a confirmation', () => {
  it('[W-113] is refused for another amount, receiver, asset or session than it was given for', async () => {
    const [ada, ben] = await openLimited();
    const [zoe] = await openLimited();
    const stranger = await test.createUser();
    await issueTo(test.deps, ada.userId, ath(10_000), 'ATH2');
    const otherSession = String((await signIn(test, ada.email)).body.token);
    const confirmation = await confirmed(ada, await send(ada, ben, ath(2_000)));
    const attempts = [
      await send(ada, ben, ath(2_001), { confirmation }),
      await send(ada, stranger, ath(2_000), { confirmation }),
      await send(ada, ben, ath(2_000), { confirmation, asset: 'ATH2' }),
      await send(ada, ben, ath(2_000), { confirmation, token: otherSession }),
      await send(zoe, ben, ath(2_000), { confirmation }),
      await send(ada, ben, ath(2_000), { confirmation: `A${confirmation.slice(1)}x` }),
    ];
    expect(attempts.map(outcomeOf)).toEqual(attempts.map(() => REQUIRED));
    expect(await balanceOf(test, ada)).toBe(ath(100_000).toString());
    expect(outcomeOf(await send(ada, ben, ath(2_000), { confirmation }))).toEqual(DONE);
  });

  it('[W-114] works once, also for twenty at once, and for 5 min at most', async () => {
    const [ada, ben] = await openLimited();
    const confirmation = await confirmed(ada, await send(ada, ben, ath(2_000)));
    const answers = await twenty(() => send(ada, ben, ath(2_000), { confirmation }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const late = await confirmed(ada, await send(ada, ben, ath(2_000)));
    test.clock.advance(5 * MINUTE_MS);
    expect(outcomeOf(await send(ada, ben, ath(2_000), { confirmation: late }))).toEqual(REQUIRED);
    const inTime = await confirmed(ada, await send(ada, ben, ath(2_000)));
    test.clock.advance(5 * MINUTE_MS - 5_000);
    expect(outcomeOf(await send(ada, ben, ath(2_000), { confirmation: inTime }))).toEqual(DONE);
  });

  it('is given for the password, and for nothing else without a factor', async () => {
    const [ada, ben] = await openLimited();
    const refused = await send(ada, ben, ath(2_000));
    expect(refused.body.methods).toEqual(['password']);
    const wrong = await confirm(ada, refused, { method: 'password', password: 'Wrong-Horse-7' });
    expect(outcomeOf(wrong)).toEqual([422, 'incorrect_password']);
    const code = await confirm(ada, refused, { method: 'totp', code: '000000' });
    expect(outcomeOf(code)).toEqual([400, 'invalid_request']);
    for (const proof of [
      {},
      { method: 'none' },
      { method: 'password' },
      { method: 'totp', code: '' },
    ]) {
      expect((await confirm(ada, refused, proof)).status).toBe(400);
    }
    const hash = await post(test, 'confirm', {
      token: ada.token,
      action_hash: 'x',
      proof: { method: 'password', password: PASSWORD },
    });
    expect(hash.status).toBe(400);
  });

  it('is given for a code of the app, once, and no longer for the password', async () => {
    const [ada, ben] = await openPair();
    const secret = await addApp(ada);
    const refused = await send(ada, ben, ath(2_000));
    const password = await confirm(ada, refused, { method: 'password', password: PASSWORD });
    expect(outcomeOf(password)).toEqual([400, 'invalid_request']);
    const proof = { method: 'totp', code: codeOf(test, secret) };
    const answers = await twenty(() => confirm(ada, refused, proof));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('cannot be guessed: codes of every call count together', async () => {
    const [ada, ben] = await openPair();
    await addApp(ada);
    const refused = await send(ada, ben, ath(2_000));
    let answer = await confirm(ada, refused, { method: 'totp', code: '000000' });
    for (let tries = 1; tries < 40 && answer.body.code === 'invalid_code'; tries += 1) {
      answer = await confirm(ada, refused, { method: 'totp', code: '000000' });
    }
    expect(outcomeOf(answer)).toEqual([429, 'too_many_attempts']);
    expect(outcomeOf(await signIn(test, ada.email))).toEqual([429, 'too_many_attempts']);
  });

  it('is given for a passkey that signs this act in this session', async () => {
    const [ada, ben] = await openPair();
    const authenticator = await addPasskey(ada);
    const refused = await send(ada, ben, ath(2_000));
    expect(refused.body.methods).toEqual(['passkey', 'password']);
    const optionsFor = async (answer: TestAnswer) =>
      (
        await post(test, 'confirm/options', {
          token: ada.token,
          action_hash: answer.body.action_hash,
        })
      ).body;
    const other = await send(ada, ben, ath(3_000));
    const forOther = authenticator.get(await optionsFor(other));
    const forSignIn = authenticator.get((await post(test, 'passkey/options')).body);
    for (const passkey of [forOther, forSignIn]) {
      const answer = await confirm(ada, refused, { method: 'passkey', passkey });
      expect(outcomeOf(answer)).toEqual([422, 'invalid_passkey']);
    }
    const passkey = authenticator.get(await optionsFor(refused));
    const { confirmation } = (await confirm(ada, refused, { method: 'passkey', passkey })).body;
    expect(outcomeOf(await send(ada, ben, ath(2_000), { confirmation }))).toEqual(DONE);
    const again = await confirm(ada, refused, { method: 'passkey', passkey });
    expect(outcomeOf(again)).toEqual([422, 'invalid_passkey']);
  });

  it('of a passkey serves no other session, neither its signature nor the confirmation', async () => {
    const [ada, ben] = await openPair();
    const authenticator = await addPasskey(ada);
    const thief = await signInAgain(ada);
    const refused = await send(ada, ben, ath(2_000));
    const { action_hash: hash } = refused.body;
    const sign = async ({ token }: TestUser) =>
      authenticator.get((await post(test, 'confirm/options', { token, action_hash: hash })).body);
    const proof = { method: 'passkey', passkey: await sign(ada) };
    expect(outcomeOf(await confirm(thief, refused, proof))).toEqual([422, 'invalid_passkey']);
    const again = { method: 'passkey', passkey: await sign(ada) };
    const { confirmation } = (await confirm(ada, refused, again)).body;
    const stolen = await send(thief, ben, ath(2_000), { confirmation });
    expect(outcomeOf(stolen)).toEqual(REQUIRED);
    expect(outcomeOf(await send(ada, ben, ath(2_000), { confirmation }))).toEqual(DONE);
  });

  it('is not given for the passkey of somebody else', async () => {
    const [ada, ben] = await openPair();
    await addPasskey(ada);
    const [zoe] = await openPair();
    const stranger = await addPasskey(zoe);
    const refused = await send(ada, ben, ath(2_000));
    const options = await post(test, 'confirm/options', {
      token: ada.token,
      action_hash: refused.body.action_hash,
    });
    const passkey = stranger.get(options.body);
    const answer = await confirm(ada, refused, { method: 'passkey', passkey });
    expect(outcomeOf(answer)).toEqual([422, 'invalid_passkey']);
  });
});

describe('the limit of an account', () => {
  it('[W-116] holds at once when it is lowered, and only after 24 h when it is raised', async () => {
    const [member, ben] = await openPair();
    await addPasskey(member);
    let ada = member;
    expect((await changeLimit(ada, 1_000)).body).toEqual({
      limit_usd_cents: 1_000,
      usual_usd_cents: 20_000,
      next: null,
    });
    expect(outcomeOf(await send(ada, ben, ath(100)))).toEqual(REQUIRED);
    const confirmation = await confirmed(ada, await changeLimit(ada, 10_000));
    expect(outcomeOf(await changeLimit(ada, 15_000, { confirmation }))).toEqual(REQUIRED);
    const raised = await changeLimit(ada, 10_000, { confirmation });
    expect(raised.body).toMatchObject({
      limit_usd_cents: 1_000,
      next: { limit_usd_cents: 10_000 },
    });
    await test.runJobs();
    expect(mailsTo(test, ada.email).at(-1)?.subject).toMatch(/being raised$/);
    test.clock.advance(24 * HOUR_MS - MINUTE_MS);
    expect(outcomeOf(await send(ada, ben, ath(100)))).toEqual(REQUIRED);
    test.clock.advance(MINUTE_MS);
    // The session has ended by now.
    ada = await signInAgain(ada);
    expect(await limitOf(ada)).toMatchObject({ limit_usd_cents: 10_000, next: null });
    expect(outcomeOf(await send(ada, ben, ath(100)))).toEqual(DONE);
    // After a raise has come into force, the next change is compared with the raised limit.
    expect(outcomeOf(await changeLimit(ada, null))).toEqual(REQUIRED);
  });

  it('ends a raise that waits when it is lowered', async () => {
    const [ada] = await openLimited();
    await changeLimit(ada, 1_000);
    const confirmation = await confirmed(ada, await changeLimit(ada, null));
    expect((await changeLimit(ada, null, { confirmation })).body.next.limit_usd_cents).toBeNull();
    expect((await changeLimit(ada, 500)).body).toMatchObject({ limit_usd_cents: 500, next: null });
    test.clock.advance(25 * HOUR_MS);
    expect((await limitOf(await signInAgain(ada))).limit_usd_cents).toBe(500);
  });

  it('of 0 asks for each spend', async () => {
    const [ada, ben] = await openPair();
    await changeLimit(ada, 0);
    expect(outcomeOf(await send(ada, ben, 1n))).toEqual(REQUIRED);
  });

  it.each([-1, 20_001, 1.5, 'none', undefined])('refuses %s', async (cents) => {
    const [ada] = await openPair();
    expect((await changeLimit(ada, cents as number)).status).toBe(400);
  });

  it('is erased with the account, and what was counted ends after a day', async () => {
    const [ada, ben] = await openLimited();
    expect((await send(ada, ben, ath(1))).status).toBe(200);
    const countRows = async () =>
      (
        await test.admin
          .selectFrom('counted_spends')
          .select('key')
          .where('user_id', '=', ada.userId)
          .execute()
      ).length;
    expect(await countRows()).toBe(1);
    const deleted = await test.request({
      method: 'POST',
      url: '/api/account/delete',
      user: ada,
      payload: { password: PASSWORD },
    });
    expect(deleted.status).toBe(200);
    await test.runJobs();
    expect(await countRows()).toBe(0);
  });
});
