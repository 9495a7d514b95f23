import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { microAth } from '@athos/domain/money';
import { uuidv7 } from '@athos/domain/uuid';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { holdJournal } from '../../../../test/hold-journal.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const balance = microAth(1_000_000_000n);

async function send(from: TestUser, to: TestUser, amount: string, asset = 'ATH'): Promise<number> {
  const { body } = await test.request({
    method: 'POST',
    url: '/api/account/transfer',
    user: from,
    key: randomUUID(),
    payload: { amount, to_uuid: to.uuid, asset },
  });
  return body.id;
}

const history = (user: TestUser, query = '') =>
  test.request({ method: 'GET', url: `/api/all_history${query}`, user });

interface Item {
  type: string;
  data: { id: number; amount?: string; stripe_status?: number };
}

/** Reads the ids of all entries, page by page. */
async function readAll(user: TestUser, query: string): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await history(user, `?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(page.status).toBe(200);
    ids.push(...page.body.history.map(({ data }: Item) => data.id));
    cursor = page.body.next_cursor;
    expect(ids.length).toBeLessThan(1000);
  }
  return ids;
}

/** Inserts a cancelled order with a payment attempt, as the cards capability leaves it. */
async function insertCanceledPayment(user: TestUser): Promise<number> {
  const historyId = await test.deps.db.transaction().execute(async (tx) => {
    const number = await test.deps.ledger.drawTransferId(tx);
    const id = uuidv7(test.clock.nowMs(), (bytes) => crypto.getRandomValues(bytes));
    await tx
      .insertInto('card_orders')
      .values({
        id,
        user_id: user.userId,
        state: 'canceled',
        amount_micro_ath: 59_420_000n,
        usd_per_ath: '0.1683',
        price_usd_cents: 1000n,
        product_fee_usd_cents: 50n,
        processing_fee_usd_cents: 60n,
        total_usd_cents: 1110n,
        intent_id: `pi_${id}`,
        was_attempted: true,
        history_id: number,
        created_at: new Date(test.clock.nowMs()),
        expires_at: new Date(test.clock.nowMs()),
        closed_at: new Date(test.clock.nowMs()),
      })
      .execute();
    return number;
  });
  return Number(historyId);
}

describe('GET all_history', () => {
  it('[S7-029] [D-043] [D-017] [S3-032] [S3-033] [S3-034] returns {history} newest first, with both sides of a send', async () => {
    const [ada, ben] = [await test.createUser({ balance }), await test.createUser()];
    const id = await send(ada, ben, '5000000');
    const adas = await history(ada);
    expect(adas.body.history[0]).toEqual({
      type: 'Send',
      data: {
        id,
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        amount: '5000000',
        asset: 'ATH',
        counterparty: ben.uuid,
      },
    });
    expect(adas.body.history[1]).toMatchObject({ type: 'Reward', data: { amount: '1000000000' } });
    const bens = await history(ben);
    expect(bens.body).toEqual({
      history: [
        { type: 'Receive', data: { ...adas.body.history[0].data, counterparty: ada.uuid } },
      ],
      next_cursor: null,
    });
  });

  it('walks the journal once for a page, whatever its filter leaves out', async () => {
    const [ada, ben] = [await test.createUser({ balance }), await test.createUser()];
    for (let count = 1; count <= 4; count += 1) await send(ada, ben, String(count));
    const walk = vi.spyOn(test.deps.ledger, 'walkHistory');
    const { body } = await history(ben, '?type=Send&limit=1');
    expect(body).toEqual({ history: [], next_cursor: null });
    expect(walk).toHaveBeenCalledOnce();
    walk.mockRestore();
  });

  it('[D-044] takes limit and cursor: pages have no gap and no overlap', async () => {
    const [ada, ben] = [await test.createUser({ balance }), await test.createUser()];
    const sent: number[] = [];
    for (let count = 1; count <= 9; count += 1) sent.unshift(await send(ada, ben, String(count)));
    expect(await readAll(ben, 'limit=4')).toEqual(sent);
    const page = await history(ben, '?limit=4');
    expect(page.body.history).toHaveLength(4);
    // A new entry does not shift the next page.
    await send(ada, ben, '100');
    const next = await history(ben, `?limit=4&cursor=${page.body.next_cursor}`);
    expect(next.body.history.map(({ data }: Item) => data.id)).toEqual(sent.slice(4, 8));
  });

  it('merges the transfers of all assets', async () => {
    const ada = await test.createUser({ balance });
    const rich = await test.createUser({ balance, asset: 'ATH2' });
    const ids = [
      await send(ada, rich, '1'),
      await send(rich, ada, '2', 'ATH2'),
      await send(ada, rich, '3'),
    ];
    expect((await readAll(ada, 'limit=2')).slice(0, 3)).toEqual(ids.toReversed());
  });

  it('[D-044] takes type, from and to', async () => {
    const [ada, ben] = [await test.createUser({ balance }), await test.createUser({ balance })];
    const sent = [await send(ada, ben, '1'), await send(ada, ben, '2')];
    const received = await send(ben, ada, '3');
    expect(await readAll(ada, 'type=Send&limit=1')).toEqual(sent.toReversed());
    expect(await readAll(ada, 'type=Receive')).toEqual([received]);
    expect(await readAll(ada, 'type=Purchase')).toEqual([]);
    const { body } = await history(ada, '?type=Receive');
    const { date } = body.history[0].data;
    expect(await readAll(ada, `from=${date}`)).toContain(received);
    expect(await readAll(ada, `to=${date}`)).not.toContain(received);
  });

  it('takes direction, amount_min and amount_max, on pages without gaps', async () => {
    const [ada, ben] = [await test.createUser({ balance }), await test.createUser({ balance })];
    const sent: number[] = [];
    for (let units = 1; units <= 7; units += 1) sent.push(await send(ada, ben, String(units)));
    const back = await send(ben, ada, '5');
    const newest = sent.toReversed();
    expect(await readAll(ada, 'direction=out')).toEqual(newest);
    expect((await readAll(ada, 'direction=in'))[0]).toBe(back);
    expect(await readAll(ada, 'direction=in&type=Send')).toEqual([]);
    for (const limit of [1, 2, 3, 20]) {
      const page = `limit=${limit}`;
      expect(await readAll(ada, `amount_max=3&${page}`)).toEqual(newest.slice(4));
      expect(await readAll(ada, `amount_min=3&amount_max=5&${page}`)).toEqual([
        back,
        ...newest.slice(2, 5),
      ]);
    }
    expect(await readAll(ada, 'amount_min=5&direction=out&limit=2')).toEqual(newest.slice(0, 3));
    expect(await readAll(ada, 'amount_min=8&amount_max=9')).toEqual([]);
    for (const wrong of ['direction=up', 'amount_min=-1', 'amount_max=1.5', 'amount_min=0']) {
      expect((await history(ada, `?${wrong}`)).status).toBe(400);
    }
  });

  it('finds one amount among many with few pages', async () => {
    const [ada, ben] = [await test.createUser({ balance }), await test.createUser()];
    const wanted = await send(ada, ben, '77');
    for (let count = 0; count < 60; count += 1) await send(ada, ben, '1');
    const { body } = await history(ada, '?amount_min=77&amount_max=77&limit=1');
    expect(body.history.map(({ data }: Item) => data.id)).toEqual([wanted]);
  });

  it('counts a payment that failed by its amount, and in no direction', async () => {
    const user = await test.createUser();
    const canceled = await insertCanceledPayment(user);
    const [item] = (await history(user)).body.history;
    const amount = item.data.token_amount;
    expect(await readAll(user, `amount_min=${amount}&amount_max=${amount}`)).toEqual([canceled]);
    expect(await readAll(user, `amount_min=${BigInt(amount) + 1n}`)).toEqual([]);
    expect(await readAll(user, 'direction=in')).toEqual([]);
  });

  it('[S3-036] [D-045] lists cancelled payments with an attempt among the ids of transfers, with status 2', async () => {
    const [ada, ben] = [await test.createUser({ balance }), await test.createUser()];
    const ids: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      ids.push(
        await send(ada, ben, '1'),
        await insertCanceledPayment(ada),
        await insertCanceledPayment(ada),
      );
    }
    const expected = ids.toReversed();
    for (const limit of [1, 2, 3, 5, 100]) {
      expect((await readAll(ada, `limit=${limit}`)).slice(0, expected.length)).toEqual(expected);
    }
    const { body } = await history(ada, '?type=Payment&limit=1');
    expect(body.history[0]).toEqual({
      type: 'Payment',
      data: {
        id: expected[0],
        date: expect.any(String),
        token_amount: '59420000',
        amount_paid: 1110,
        tx_fee: 60,
        athos_fee: 50,
        stripe_status: 2,
      },
    });
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'type=Gift',
    'from=yesterday',
    "cursor='",
    'cursor=~',
    'cursor=1.2~',
  ])('refuses ?%s', async (query) => {
    const ada = await test.createUser();
    const { status, body } = await history(ada, `?${query}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
  });

  it('never shows the transfers of others, whatever the cursor says', async () => {
    const [ada, ben, eve] = [
      await test.createUser({ balance }),
      await test.createUser(),
      await test.createUser(),
    ];
    const id = await send(ada, ben, '1');
    const cursor = `${id}.${id}.${id}~`;
    const { status, body } = await history(eve, `?cursor=${cursor}`);
    expect(status === 400 || body.history.length === 0).toBe(true);
    expect((await test.request({ method: 'GET', url: '/api/all_history' })).status).toBe(401);
  });
});

describe('GET all_history/{id}', () => {
  it("returns a user's own transfer, and 404 for those of others", async () => {
    const [ada, ben, eve] = [
      await test.createUser({ balance }),
      await test.createUser(),
      await test.createUser(),
    ];
    const id = await send(ada, ben, '7');
    const one = (user: TestUser, number: number | string) =>
      test.request({ method: 'GET', url: `/api/all_history/${number}`, user });
    expect((await one(ada, id)).body).toMatchObject({ type: 'Send', data: { id, amount: '7' } });
    expect((await one(ben, id)).body).toMatchObject({ type: 'Receive', data: { id, amount: '7' } });
    expect((await one(eve, id)).status).toBe(404);
    expect((await one(ada, 1)).status).toBe(404);
    expect((await one(ada, 'x')).status).toBe(400);
    const canceled = await insertCanceledPayment(ada);
    expect((await one(ada, canceled)).body).toMatchObject({
      type: 'Payment',
      data: { id: canceled },
    });
    expect((await one(eve, canceled)).status).toBe(404);
  });
});

describe('a user with many requests at once', () => {
  it('waits in their own queue and delays nobody else', async () => {
    const [user, other] = [await test.createUser({ balance }), await test.createUser({ balance })];
    await Promise.all([history(user), history(other)]);
    let answeredCount = 0;
    // No request is answered before all of them wait.
    const { asking, others } = await holdJournal(test, () => ({
      asking: Array.from({ length: 90 }, async () => {
        const { status } = await history(user, '?type=Send');
        answeredCount += 1;
        return status;
      }),
      others: history(other).then(({ status }) => ({ status, after: answeredCount })),
    }));
    const { status, after } = await others;
    expect(status).toBe(200);
    // In one queue for all, the other user's request would be among the last three. On a busy machine it may still wait long for its turn.
    expect(after).toBeLessThan(86);
    expect(await Promise.all(asking)).toEqual(Array(90).fill(200));
  });
});
