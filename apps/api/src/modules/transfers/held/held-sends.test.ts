import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TokenAsset } from '@athos/domain/money';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath } from '../../../../test/shop.ts';
import {
  createTestApp,
  stopClock,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../../test/test-app.ts';
import { systemAccountId, TransferKind, userAccountId } from '../../../ledger/index.ts';
import { postDue } from './post-due.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await expectBooksBalance(test.deps.config.databaseUrl);
});
afterAll(() => test.close());

const send = (
  user: TestUser,
  to: TestUser,
  { key = randomUUID(), ...payload }: Readonly<Record<string, unknown>> & { key?: string } = {},
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount: '2500000', to_uuid: to.uuid, undo_seconds: 10, ...payload },
    key,
    user,
  });

const undo = (user: TestUser, id: string, key: string = randomUUID()): Promise<TestAnswer> =>
  test.request({ method: 'POST', url: `/api/account/holds/${id}/undo`, key, user });

const holdsOf = async (user: TestUser) =>
  (await test.request({ method: 'GET', url: '/api/account/holds', user })).body;

const historyOf = async (user: TestUser) =>
  (await test.request({ method: 'GET', url: '/api/all_history', user })).body.history;

async function balanceOf(user: TestUser, asset: TokenAsset = 'ATH'): Promise<string> {
  const { body } = await test.request({ method: 'GET', url: '/api/account/balance', user });
  return body.balances[asset];
}

async function inTransit(): Promise<bigint> {
  const account = systemAccountId('in_transit', 'ATH');
  return (await test.deps.ledger.balances([account])).get(account) ?? 0n;
}

/** Posts the due sends once `seconds` have passed. */
async function postAfter(seconds: number): Promise<number> {
  test.clock.advance(seconds * 1_000);
  return postDue(test.deps);
}

const pair = async (): Promise<[TestUser, TestUser]> => [
  await test.createUser({ balance: ath(10) }),
  await test.createUser(),
];

const refusal = ({ status, body }: TestAnswer) => [status, body.code];

describe('POST account/transfer with undo_seconds', () => {
  it('[W-058] moves the amount at once where undo_seconds is absent or 0', async () => {
    const [ada, ben] = await pair();
    const absent = await send(ada, ben, { undo_seconds: undefined });
    const zero = await send(ada, ben, { undo_seconds: 0 });
    expect(absent.body).toEqual({ id: expect.any(Number), balance: '7500000' });
    expect(zero.body).toEqual({ id: expect.any(Number), balance: '5000000' });
    expect(await balanceOf(ben)).toBe('5000000');
    expect(await holdsOf(ada)).toMatchObject({ sent: [] });
  });

  it('[W-059] [W-007] takes the amount at once and credits the receiver only after undo_seconds', async () => {
    const pass = stopClock(test);
    const [ada, ben] = await pair();
    const before = await inTransit();
    const { status, body } = await send(ada, ben);
    expect(status).toBe(200);
    expect(body.balance).toBe('7500000');
    expect(await balanceOf(ada)).toBe('7500000');
    expect(await inTransit()).toBe(before + 2_500_000n);
    await expectBooksBalance(test.deps.config.databaseUrl);
    pass(9_999);
    await postDue(test.deps);
    expect(await balanceOf(ben)).toBe('0');
    pass(1);
    await postDue(test.deps);
    expect(await balanceOf(ben)).toBe('2500000');
    expect(await inTransit()).toBe(before);
  });

  it('[W-060] refuses undo_seconds above 60, below 0 and of a fraction with 400', async () => {
    const [ada, ben] = await pair();
    for (const seconds of [61, -1, 1.5, '10', null]) {
      const answer = await send(ada, ben, { undo_seconds: seconds });
      expect(refusal(answer)).toEqual([400, 'invalid_request']);
    }
    expect(await balanceOf(ada)).toBe('10000000');
  });

  it('[W-061] answers the id of the hold and when it arrives, by the clock that it names', async () => {
    stopClock(test);
    const [ada, ben] = await pair();
    const { body } = await send(ada, ben, { undo_seconds: 60 });
    const postAt = new Date(test.clock.nowMs() + 60_000).toISOString();
    expect(body.hold).toEqual({ id: expect.any(String), post_at: postAt });
    expect(await holdsOf(ada)).toEqual({
      server_time: new Date(test.clock.nowMs()).toISOString(),
      sent: [{ ...body.hold, amount: '2500000', asset: 'ATH', to_uuid: ben.uuid }],
      arriving: { ATH: '0', ATH2: '0', ATH3: '0' },
    });
    const { sent, arriving } = await holdsOf(ben);
    expect({ sent, arriving }).toEqual({
      sent: [],
      arriving: { ATH: '2500000', ATH2: '0', ATH3: '0' },
    });
  });

  it('repeats its first answer for the same key, also after it arrived', async () => {
    const [ada, ben] = await pair();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(ada, ben, { key })));
    await postAfter(10);
    answers.push(await send(ada, ben, { key }));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await balanceOf(ben)).toBe('2500000');
  });

  it('refuses a key that belongs to a send of other undo_seconds, amount, receiver or asset', async () => {
    const [ada, ben] = await pair();
    const eve = await test.createUser();
    const [held, atOnce] = [randomUUID(), randomUUID()];
    await send(ada, ben, { key: held });
    await send(ada, ben, { key: atOnce, undo_seconds: 0 });
    const reused = [
      await send(ada, ben, { key: held, undo_seconds: 11 }),
      await send(ada, ben, { key: held, undo_seconds: 0 }),
      await send(ada, ben, { key: held, amount: '2500001' }),
      await send(ada, ben, { key: held, asset: 'ATH2' }),
      await send(ada, eve, { key: held }),
      await send(ada, ben, { key: atOnce, undo_seconds: 10 }),
    ];
    for (const answer of reused) expect(refusal(answer)).toEqual([409, 'idempotency_key_reused']);
    expect(await balanceOf(ada)).toBe('5000000');
  });

  it('refuses more than the balance, an unknown and a closed receiver, and oneself', async () => {
    const [ada, ben] = await pair();
    await test.deps.db
      .updateTable('users')
      .set({ closed_at: new Date(), email: null, password_hash: null })
      .where('id', '=', ben.userId)
      .execute();
    const eve = await test.createUser();
    expect(refusal(await send(ada, eve, { amount: '10000001' }))).toEqual([
      422,
      'insufficient_balance',
    ]);
    const nobody = { ...eve, uuid: randomUUID() };
    expect(refusal(await send(ada, nobody))).toEqual([404, 'recipient_not_found']);
    expect(refusal(await send(ada, ben))).toEqual([404, 'recipient_not_found']);
    expect(refusal(await send(ada, ada))).toEqual([422, 'recipient_is_sender']);
    expect(await balanceOf(ada)).toBe('10000000');
  });

  it('refuses the 21st live send, and takes another once one has settled', async () => {
    const [ada, ben] = await pair();
    const first = await send(ada, ben, { amount: '1' });
    for (let count = 1; count < 20; count += 1) {
      expect((await send(ada, ben, { amount: '1' })).status).toBe(200);
    }
    expect(refusal(await send(ada, ben, { amount: '1' }))).toEqual([409, 'holds_full']);
    await undo(ada, first.body.hold.id);
    expect((await send(ada, ben, { amount: '1' })).status).toBe(200);
    const atOnce = await Promise.all(
      Array.from({ length: 10 }, () => send(ada, ben, { amount: '1' })),
    );
    expect(atOnce.every((answer) => answer.body.code === 'holds_full')).toBe(true);
    await postAfter(10);
  });

  it('holds sends of forty users at once, each as if it were alone', async () => {
    const ben = await test.createUser();
    const users = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        test.createUser({ balance: ath(index % 4 === 0 ? 1 : 10) }),
      ),
    );
    const answers = await Promise.all(users.map((user) => send(user, ben)));
    const codes = answers.map(({ status, body }) => (status === 200 ? 'held' : body.code));
    expect(codes).toEqual(
      users.map((_, index) => (index % 4 === 0 ? 'insufficient_balance' : 'held')),
    );
    expect((await holdsOf(ben)).arriving.ATH).toBe(`${30 * 2_500_000}`);
    expect(await postAfter(10)).toBe(30);
    expect(await balanceOf(ben)).toBe(`${30 * 2_500_000}`);
  });

  it('holds in every token', async () => {
    const ada = await test.createUser({ balance: ath(10), asset: 'ATH3' });
    const ben = await test.createUser();
    expect((await send(ada, ben, { asset: 'ATH3' })).body.balance).toBe('7500000');
    await postAfter(10);
    expect(await balanceOf(ben, 'ATH3')).toBe('2500000');
  });
});

describe('POST account/holds/:id/undo', () => {
  it('[W-064] returns the amount once to twenty who ask at once, and again later', async () => {
    const [ada, ben] = await pair();
    const { id } = (await send(ada, ben)).body.hold;
    const answers = await Promise.all(Array.from({ length: 20 }, () => undo(ada, id)));
    answers.push(await undo(ada, id));
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([200, { state: 'taken_back', balance: '10000000' }]);
    }
    await postAfter(60);
    expect([await balanceOf(ada), await balanceOf(ben)]).toEqual(['10000000', '0']);
  });

  it('[W-065] answers 409 send_settled after the amount has arrived', async () => {
    const [ada, ben] = await pair();
    const { id } = (await send(ada, ben)).body.hold;
    await postAfter(10);
    expect(refusal(await undo(ada, id))).toEqual([409, 'send_settled']);
    expect(await balanceOf(ben)).toBe('2500000');
  });

  it('takes a send back that is due and was not posted yet', async () => {
    const [ada, ben] = await pair();
    const { id } = (await send(ada, ben)).body.hold;
    test.clock.advance(3_600_000);
    expect((await undo(ada, id)).status).toBe(200);
    await postAfter(0);
    expect(await balanceOf(ben)).toBe('0');
  });

  it('[W-066] answers 404 to the receiver, to strangers and for an id of nothing', async () => {
    const [ada, ben] = await pair();
    const eve = await test.createUser();
    const { id } = (await send(ada, ben)).body.hold;
    for (const [user, wanted] of [
      [ben, id],
      [eve, id],
      [ada, randomUUID()],
    ] as const) {
      expect(refusal(await undo(user, wanted))).toEqual([404, 'not_found']);
    }
    expect(refusal(await undo(ada, 'x'))).toEqual([400, 'invalid_request']);
    await postAfter(10);
    expect(await balanceOf(ben)).toBe('2500000');
  });

  it(
    '[W-008] lets a send arrive or go back, never both, when both are asked for at one moment',
    { tags: 'long' },
    async () => {
      const ROUNDS = 50;
      const AT_ONCE = 20;
      const ben = await test.createUser();
      const users = await Promise.all(
        Array.from({ length: AT_ONCE }, () => test.createUser({ balance: ath(1_000) })),
      );
      const before = await inTransit();
      let arrived = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const ids = await Promise.all(
          users.map(async (user) => (await send(user, ben, { amount: '1000' })).body.hold.id),
        );
        test.clock.advance(10_000);
        const [undone] = await Promise.all([
          Promise.all(users.map((user, index) => undo(user, ids[index]))),
          postDue(test.deps),
          ...(round % 2 === 0 ? [postDue(test.deps)] : []),
        ]);
        await postDue(test.deps);
        const codes = undone.map(({ status, body }) => (status === 200 ? body.state : body.code));
        expect(codes.every((code) => code === 'taken_back' || code === 'send_settled')).toBe(true);
        arrived += codes.filter((code) => code === 'send_settled').length;
      }
      expect(await balanceOf(ben)).toBe(`${arrived * 1_000}`);
      const left = await Promise.all(users.map(async (user) => BigInt(await balanceOf(user))));
      const sum = left.reduce((total, units) => total + units, 0n);
      expect(sum + BigInt(arrived) * 1_000n).toBe(BigInt(AT_ONCE) * 1_000_000_000n);
      expect(await inTransit()).toBe(before);
    },
  );
});

describe('posting', () => {
  it('[W-068] returns the amount where the receiver is closed by then', async () => {
    const [ada, ben] = await pair();
    const { id } = (await send(ada, ben)).body.hold;
    await test.deps.db.transaction().execute(async (tx) => {
      await test.deps.ledger.closeAccounts(tx, ben.userId, randomUUID());
    });
    await postAfter(10);
    expect(await balanceOf(ada)).toBe('10000000');
    expect((await historyOf(ada))[0].data.state).toBe('returned');
    expect((await undo(ada, id)).body).toEqual({ state: 'returned', balance: '10000000' });
  });

  it('returns what is due to a receiver whose account is stopped between look and movement', async () => {
    const [ada, ben] = await pair();
    const [eve, dan] = await pair();
    await send(ada, ben);
    await send(eve, dan);
    test.clock.advance(10_000);
    const { ledger } = test.deps;
    const transferInTx: typeof ledger.transferInTx = async (tx, requests) => {
      await ledger.setAccountState(tx, userAccountId(ben.userId, 'ATH'), 'closed');
      return ledger.transferInTx(tx, requests);
    };
    await postDue({ ...test.deps, ledger: { transferInTx } });
    expect(await balanceOf(ada)).toBe('10000000');
    expect(await balanceOf(dan)).toBe('2500000');
  });

  it('lets a send arrive at a frozen account, and returns one that staff keep from receiving', async () => {
    const [ada, ben] = await pair();
    const eve = await test.createUser();
    await send(ada, ben);
    await send(ada, eve);
    await test.deps.db.transaction().execute(async (tx) => {
      await test.deps.ledger.setAccountState(tx, userAccountId(ben.userId, 'ATH'), 'frozen');
      await test.deps.ledger.setHeldMovements(tx, eve.userId, ['receive']);
    });
    expect(refusal(await send(ada, eve))).toEqual([422, 'recipient_restricted']);
    await postAfter(10);
    expect(await balanceOf(ben)).toBe('2500000');
    expect(await balanceOf(ada)).toBe('7500000');
  });

  it('returns the send of somebody whom staff stopped meanwhile, who may also take it back', async () => {
    const [ada, ben] = await pair();
    const first = (await send(ada, ben)).body.hold.id;
    await send(ada, ben);
    await test.deps.db
      .transaction()
      .execute((tx) => test.deps.ledger.setHeldMovements(tx, ada.userId, ['send']));
    expect(refusal(await send(ada, ben))).toEqual([422, 'account_restricted']);
    expect((await undo(ada, first)).status).toBe(200);
    await postAfter(10);
    expect([await balanceOf(ada), await balanceOf(ben)]).toEqual(['10000000', '0']);
  });

  it('returns the send of somebody whose account was frozen meanwhile, and sends nothing more from it', async () => {
    const [ada, ben] = await pair();
    const first = (await send(ada, ben)).body.hold.id;
    await send(ada, ben);
    await test.deps.db
      .transaction()
      .execute((tx) =>
        test.deps.ledger.setAccountState(tx, userAccountId(ada.userId, 'ATH'), 'frozen'),
      );
    expect(refusal(await send(ada, ben))).toEqual([422, 'account_restricted']);
    expect((await undo(ada, first)).status).toBe(200);
    await postAfter(10);
    expect([await balanceOf(ada), await balanceOf(ben)]).toEqual(['10000000', '0']);
    const states = await test.deps.db
      .selectFrom('send_holds')
      .select(['state', 'reason'])
      .where('sender_id', '=', ada.userId)
      .orderBy('id')
      .execute();
    expect(states).toEqual([
      { state: 'taken_back', reason: null },
      { state: 'returned', reason: 'sender_stopped' },
    ]);
  });

  it('[W-069] posts every due send once after the worker was down, with three workers at once', async () => {
    const [ada, ben] = await pair();
    const users = await Promise.all(
      Array.from({ length: 60 }, () => test.createUser({ balance: ath(10) })),
    );
    await Promise.all(users.map((user) => send(user, ben, { amount: '7' })));
    await send(ada, ben, { amount: '7' });
    test.clock.advance(14_400_000);
    await Promise.all([postDue(test.deps), postDue(test.deps), postDue(test.deps)]);
    await postDue(test.deps);
    expect(await balanceOf(ben)).toBe(`${61 * 7}`);
  });

  it('posts within two minutes after the clock was set back by hours', async () => {
    const [ada, ben] = await pair();
    await send(ada, ben, { undo_seconds: 60 });
    test.clock.advance(-14_400_000);
    await send(ada, ben, { amount: '1', undo_seconds: 60 });
    await postDue(test.deps);
    expect(await balanceOf(ben)).toBe('2500000');
    await postAfter(60);
    expect(await balanceOf(ben)).toBe('2500001');
    test.clock.advance(14_400_000);
  });

  it('leaves a send in transit that cannot be moved, and moves the others', async () => {
    const [ada, ben] = await pair();
    const [eve, dan] = await pair();
    const { id } = (await send(ada, ben)).body.hold;
    await send(eve, dan);
    // Uses the key of the movement out of `in_transit` for another movement.
    const stray = {
      debitAccountId: systemAccountId('in_transit', 'ATH'),
      creditAccountId: userAccountId(eve.userId, 'ATH'),
      amountUnits: ath(1),
      kind: TransferKind.SendReturned,
      key: id,
    };
    await test.deps.ledger.transfer(stray);
    expect(await postAfter(10)).toBe(1);
    expect(await balanceOf(dan)).toBe('2500000');
    expect((await historyOf(ada))[0].data.state).toBe('arriving');
    await sql`update send_holds set state = 'posted', settled_at = now() where id = ${id}`.execute(
      test.deps.db,
    );
  });
});
