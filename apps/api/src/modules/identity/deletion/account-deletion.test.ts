import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { microAth } from '@athos/domain/money';
import {
  balanceWith,
  codeIn,
  forgotPassword,
  mailsTo,
  openAccount,
  openUser,
  OTHER_PASSWORD,
  PASSWORD,
  register,
  resetPassword,
  signIn,
} from '../../../../test/accounts.ts';
import {
  countOrders,
  postPayment,
  publishTestRate,
  purchaseBody,
} from '../../../../test/card-purchase.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath, twenty } from '../../../../test/shop.ts';
import {
  createTestApp,
  issueTo,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../../test/test-app.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { systemAccountId, TransferKind, userAccountId } from '../../../ledger/index.ts';

const WRONG = 'Wrong-Password-1';
const DONE = [200, { success: true }];
const ENDED = [401, 'session_ended'];
const DELETED_SUBJECT = 'Your Athos Rewards account was deleted';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const remove = (token: string, password: unknown = PASSWORD, key: string = randomUUID()) =>
  test.request({
    method: 'POST',
    url: '/api/account/delete',
    headers: { authorization: `Bearer ${token}` },
    payload: { password },
    key,
  });
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? body];

async function held(asset: 'ATH' | 'ATH2', userId?: bigint): Promise<bigint> {
  const id =
    userId === undefined ? systemAccountId('breakage', asset) : userAccountId(userId, asset);
  return (await test.deps.ledger.balances([id])).get(id) ?? -1n;
}

const send = (from: TestUser, to: TestUser, amount: string, key: string = randomUUID()) =>
  test.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount, to_uuid: to.uuid },
    user: from,
    key,
  });

describe('deleting the account', () => {
  it('[S1-022] [S7-013] [D-141] takes the password; a wrong one is refused with 422 and signs nobody out', async () => {
    const { email, token } = await openUser(test);
    expect(outcomeOf(await remove(token, WRONG))).toEqual([422, 'incorrect_password']);
    expect((await balanceWith(test, token)).status).toBe(200);
    expect(outcomeOf(await remove(token))).toEqual(DONE);
    expect(outcomeOf(await balanceWith(test, token))).toEqual(ENDED);
    expect((await signIn(test, email)).body.code).toBe('incorrect_credentials');
  });

  it('[D-106] forfeits the balance of each asset to breakage, to the last micro-unit', async () => {
    const { userId, token } = await openUser(test, microAth(1_234_567n));
    await issueTo(test.deps, userId, microAth(5n), 'ATH2');
    const before = [await held('ATH'), await held('ATH2')];
    await remove(token);
    expect([await held('ATH', userId), await held('ATH2', userId)]).toEqual([0n, 0n]);
    expect([await held('ATH'), await held('ATH2')]).toEqual([
      (before[0] ?? 0n) + 1_234_567n,
      (before[1] ?? 0n) + 5n,
    ]);
  });

  it('ends every session, so that no token can be refreshed', async () => {
    const { email, token } = await openUser(test);
    const other = (await signIn(test, email)).body.token as string;
    expect((await balanceWith(test, other)).status).toBe(200);
    await remove(token);
    for (const old of [token, other]) {
      expect(outcomeOf(await balanceWith(test, old))).toEqual(ENDED);
      const url = `/api/account/refresh_jwt?token=${old}`;
      expect(outcomeOf(await test.request({ method: 'GET', url }))).toEqual(ENDED);
    }
  });

  it('frees the address at once, for a new account with nothing of the old one', async () => {
    const old = await openUser(test, ath(5));
    await forgotPassword(test, old.email);
    await register(test, old.email, OTHER_PASSWORD);
    await test.runJobs();
    const resetCode = codeIn(mailsTo(test, old.email).find(({ text }) => text.includes('reset-')));
    await remove(old.token);
    expect((await resetPassword(test, resetCode, OTHER_PASSWORD)).body.code).toBe('invalid_code');
    expect((await forgotPassword(test, old.email)).status).toBe(200);

    const { token, uuid } = await openAccount(test, old.email, OTHER_PASSWORD);
    await test.runJobs();
    expect(uuid).not.toBe(old.uuid);
    expect((await balanceWith(test, token)).body.balance).toBe('0');
    expect((await signIn(test, old.email)).body.code).toBe('incorrect_credentials');
    expect((await signIn(test, old.email, OTHER_PASSWORD)).status).toBe(200);
  });

  it('mails the owner once, listing what was forfeited, and then deletes the address', async () => {
    const { userId, email, token } = await openUser(test, microAth(12_500_000n));
    await remove(token);
    await test.runJobs();
    await test.runJobs();
    const [mail, ...more] = mailsTo(test, email).filter(
      ({ subject }) => subject === DELETED_SUBJECT,
    );
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/was deleted on \w+ \d{1,2}, \d{4} at \d{1,2}:\d\d [AP]M UTC/);
    expect(mail?.text).toContain('ATH: 12.50');
    expect(await closureOf(userId)).toMatchObject({ mail_to: null, erased_at: expect.any(Date) });
  });

  it('needs a session', async () => {
    const url = '/api/account/delete';
    const answer = await test.request({ method: 'POST', url, payload: { password: PASSWORD } });
    expect(outcomeOf(answer)).toEqual([401, 'unauthenticated']);
  });

  it.each([[''], ['        '], [null], [7], ['a'.repeat(257)], [{ $gt: '' }]])(
    'refuses %j for a password, and counts no guess',
    async (password) => {
      const { token } = await test.createUser();
      const answer = await remove(token, password);
      expect(outcomeOf(answer)).toEqual([400, 'invalid_request']);
      expect(answer.body.errors[0].pointer).toBe('/password');
    },
  );
});

const closureOf = (userId: bigint) =>
  test.deps.db
    .selectFrom('account_closures')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();

describe('the same key', () => {
  it('can be replayed by its owner although the session has ended, and by nobody else', async () => {
    const { token } = await openUser(test, ath(1));
    const stranger = await openUser(test);
    const key = randomUUID();
    expect(outcomeOf(await remove(token, PASSWORD, key))).toEqual(DONE);
    const before = await held('ATH');
    expect(outcomeOf(await remove(token, PASSWORD, key.toUpperCase()))).toEqual(DONE);
    expect(await held('ATH')).toBe(before);
    expect(outcomeOf(await remove(token, PASSWORD, randomUUID()))).toEqual(ENDED);
    expect(outcomeOf(await remove(token, PASSWORD, 'no-uuid'))).toEqual(ENDED);
    const forged = `${token.slice(0, -8)}AAAAAAAA`;
    expect(outcomeOf(await remove(forged, PASSWORD, key))).toEqual([401, 'unauthenticated']);
    expect(outcomeOf(await remove(stranger.token, WRONG, key))).toEqual([
      422,
      'incorrect_password',
    ]);
    const balance = await test.request({
      method: 'GET',
      url: '/api/account/balance',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    });
    expect(outcomeOf(balance)).toEqual(ENDED);
  });

  it('deletes once when twenty requests carry it at once', async () => {
    const { email, token } = await openUser(test, ath(3));
    const before = await held('ATH');
    const key = randomUUID();
    const answers = await twenty(() => remove(token, PASSWORD, key));
    expect(answers.map(outcomeOf)).toEqual(answers.map(() => DONE));
    await test.runJobs();
    expect(await held('ATH')).toBe(before + 3_000_000n);
    expect(mailsTo(test, email).filter(({ subject }) => subject === DELETED_SUBJECT)).toHaveLength(
      1,
    );
  });

  it('is refused if it was used for a transfer before, and nothing is deleted', async () => {
    const user = await openUser(test, ath(2));
    const key = randomUUID();
    expect((await send(user, await openUser(test), '1000000', key)).status).toBe(200);
    expect(outcomeOf(await remove(user.token, PASSWORD, key))).toEqual([
      409,
      'idempotency_key_reused',
    ]);
    expect((await balanceWith(test, user.token)).body.balance).toBe('1000000');
  });
});

it('exactly one of twenty different requests at once deletes', async () => {
  const { token } = await openUser(test, ath(3));
  const before = await held('ATH');
  const answers = (await twenty(() => remove(token))).map(outcomeOf);
  expect(answers.filter(([status]) => status === 200)).toEqual([DONE]);
  expect(answers.filter(([status]) => status !== 200)).toEqual(
    Array.from({ length: 19 }, () => ENDED),
  );
  expect(await held('ATH')).toBe(before + 3_000_000n);
});

it('[D-063] wrong passwords cause the same delays as at sign-in, and the right one has to wait too', async () => {
  const { email, token } = await openUser(test);
  const nowMs = test.clock.nowMs();
  vi.spyOn(test.clock, 'nowMs').mockReturnValue(nowMs);
  const answers = await twenty(() => remove(token, WRONG));
  const codes = answers.map(({ body }) => body.code as string);
  expect(codes.filter((code) => code === 'incorrect_password')).toHaveLength(5);
  expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(15);
  expect(outcomeOf(await remove(token))).toEqual([429, 'too_many_attempts']);
  expect((await signIn(test, email)).body.code).toBe('too_many_attempts');
  vi.restoreAllMocks();
});

describe('a deletion is refused and changes nothing', () => {
  /** Expects that the account can still sign in and that the attempt did not count as a failure. */
  async function expectUntouched({ email, token }: TestUser, balance: string): Promise<void> {
    expect((await balanceWith(test, token)).body.balance).toBe(balance);
    expect((await signIn(test, email)).status).toBe(200);
    const { rows } = await sql`select 1 from account_closures c join users u on u.id = c.user_id
      where u.email = ${email}`.execute(test.deps.db);
    expect(rows).toEqual([]);
  }

  it.each(['open', 'review'] as const)(
    'while a card order can still become money: %s',
    async (state) => {
      const user = await openUser(test, ath(1));
      await insertOrder(user.userId, state);
      for (let count = 0; count < 6; count += 1) {
        expect(outcomeOf(await remove(user.token))).toEqual([409, 'payments_open']);
      }
      await expectUntouched(user, '1000000');
    },
  );

  it('while the balance is below zero', async () => {
    const user = await openUser(test);
    await test.deps.db.transaction().execute((tx) =>
      test.deps.ledger.clawBackInTx(tx, [
        {
          debitAccountId: userAccountId(user.userId, 'ATH'),
          creditAccountId: systemAccountId('dispute_hold', 'ATH'),
          amountUnits: ath(5),
          kind: TransferKind.Chargeback,
          key: randomUUID(),
          line: 0,
        },
      ]),
    );
    await setState(user, 'restricted');
    expect(outcomeOf(await remove(user.token))).toEqual([409, 'balance_negative']);
    await expectUntouched(user, '-5000000');
  });

  it.each(['restricted', 'frozen'] as const)('while the account is %s', async (state) => {
    const user = await openUser(test, ath(1));
    await setState(user, state);
    expect(outcomeOf(await remove(user.token))).toEqual([422, 'account_restricted']);
    await expectUntouched(user, '1000000');
  });
});

it('final card orders do not prevent the deletion', async () => {
  const { userId, token } = await openUser(test);
  for (const state of ['credited', 'canceled'] as const) await insertOrder(userId, state);
  expect(outcomeOf(await remove(token))).toEqual(DONE);
});

const setState = ({ userId }: TestUser, state: 'restricted' | 'frozen') =>
  test.deps.db
    .transaction()
    .execute((tx) => test.deps.ledger.setAccountState(tx, userAccountId(userId, 'ATH'), state));

async function insertOrder(
  userId: bigint,
  state: 'creating' | 'open' | 'review' | 'credited' | 'canceled',
): Promise<void> {
  const now = new Date(test.clock.nowMs());
  const isFinal = state === 'credited' || state === 'canceled';
  await test.deps.db
    .insertInto('card_orders')
    .values({
      id: randomUUID(),
      user_id: userId,
      state,
      amount_micro_ath: 1_000_000n,
      usd_per_ath: '0.1683',
      price_usd_cents: 1000n,
      product_fee_usd_cents: 50n,
      processing_fee_usd_cents: 60n,
      total_usd_cents: 1110n,
      intent_id: state === 'creating' ? null : randomUUID(),
      review_reason: state === 'review' ? 'another amount' : null,
      history_id: state === 'credited' ? 1n : null,
      created_at: now,
      expires_at: now,
      closed_at: isFinal ? now : null,
    })
    .execute();
}

describe('a deletion concurrent with', () => {
  it('sends to and from the account lets each amount arrive or be forfeited, and loses none', async () => {
    const leaver = await openUser(test, ath(20));
    const other = await test.createUser({ balance: ath(20) });
    const breakage = await held('ATH');
    const answers = await Promise.all([
      twenty(() => send(other, leaver, '1000000')),
      twenty(() => send(leaver, other, '1000000')),
      remove(leaver.token),
    ]);
    const [incoming, outgoing, removed] = answers;
    expect(outcomeOf(removed)).toEqual(DONE);
    const sent = (list: TestAnswer[]) => BigInt(list.filter(({ status }) => status === 200).length);
    for (const answer of incoming) {
      if (answer.status !== 200) expect(outcomeOf(answer)).toEqual([404, 'recipient_not_found']);
    }
    for (const answer of outgoing) expect([200, 401, 422]).toContain(answer.status);
    const moved = (sent(incoming) - sent(outgoing)) * 1_000_000n;
    expect(await held('ATH', leaver.userId)).toBe(0n);
    expect(await held('ATH', other.userId)).toBe(20_000_000n - moved);
    expect(await held('ATH')).toBe(breakage + 20_000_000n + moved);
    expect(outcomeOf(await send(other, leaver, '1'))).toEqual([404, 'recipient_not_found']);
  });

  it('the start of a card purchase allows no order once the account is closed', async () => {
    await publishTestRate(test, '0.1683');
    const user = await openUser(test);
    const { db } = test.deps;
    const locked = await db.startTransaction().execute();
    await locked
      .selectFrom('users')
      .select('id')
      .where('id', '=', user.userId)
      .forUpdate()
      .execute();
    const begun = postPayment(test, user, purchaseBody(ath(100)), randomUUID());
    await waitForLock(test);
    await locked
      .updateTable('users')
      .set({ email: null, password_hash: null, closed_at: new Date() })
      .where('id', '=', user.userId)
      .execute();
    await locked.commit().execute();
    expect(outcomeOf(await begun)).toEqual(ENDED);
    expect(await countOrders(test, user)).toBe(0);
  });

  it('sign-ins and password changes leaves nobody a way in', async () => {
    const { email, token } = await openUser(test);
    const [removed, ...others] = await Promise.all([
      remove(token),
      ...Array.from({ length: 6 }, () => signIn(test, email)),
      test.request({
        method: 'PUT',
        url: '/api/account/update_password',
        headers: { authorization: `Bearer ${token}` },
        payload: { old_password: PASSWORD, password: OTHER_PASSWORD },
      }),
    ]);
    // Sign-ins after the change or the deletion failed, which delays the next attempt.
    const endDelay = (): void => test.clock.advance(60_000);
    endDelay();
    if (removed.status !== 200) {
      expect(outcomeOf(await remove(token, OTHER_PASSWORD))).toEqual(DONE);
    }
    for (const { body } of others) {
      if (body.token !== undefined) {
        expect(outcomeOf(await balanceWith(test, body.token as string))).toEqual(ENDED);
      }
    }
    for (const password of [PASSWORD, OTHER_PASSWORD]) {
      endDelay();
      expect((await signIn(test, email, password)).status).toBe(401);
    }
  });
});
