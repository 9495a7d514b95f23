import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth, units, type TokenAsset } from '@athos/domain/money';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { userAccountId } from '../../ledger/index.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

interface Send {
  amount?: unknown;
  to_uuid?: unknown;
  asset?: unknown;
}
const send = (user: TestUser | undefined, payload: Send, key: string = randomUUID()) =>
  test.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload,
    key,
    ...(user === undefined ? {} : { user }),
  });

async function balanceOf(user: TestUser, asset: TokenAsset = 'ATH'): Promise<string> {
  const { body } = await test.request({ method: 'GET', url: '/api/account/balance', user });
  return body.balances[asset];
}

describe('GET account/balance', () => {
  it('[S7-015] [D-022] [D-021] returns the balance in each asset; `balance` is ATH', async () => {
    const user = await test.createUser({ balance: ath(12) });
    const { status, body, headers } = await test.request({
      method: 'GET',
      url: '/api/account/balance',
      user,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      balance: '12000000',
      balances: { ATH: '12000000', ATH2: '0', ATH3: '0' },
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('[D-010] carries amounts as decimal strings of whole micro-units', async () => {
    const user = await test.createUser({ balance: microAth(12_500_000n) });
    const { text } = await test.request({ method: 'GET', url: '/api/account/balance', user });
    expect(text).toContain('"balance":"12500000"');
  });

  it('refuses a caller who is not signed in', async () => {
    const { status, body, headers } = await test.request({
      method: 'GET',
      url: '/api/account/balance',
    });
    expect(status).toBe(401);
    expect(body.code).toBe('unauthenticated');
    expect(headers['www-authenticate']).toBe('Bearer');
  });
});

describe('POST account/transfer', () => {
  it('[S7-016] [S1-009] [D-088] sends by uuid and returns id and balance', async () => {
    const sender = await test.createUser({ balance: ath(10) });
    const recipient = await test.createUser();
    const { status, body } = await send(sender, { amount: '2500000', to_uuid: recipient.uuid });
    expect(status).toBe(200);
    expect(body).toEqual({ id: expect.any(Number), balance: '7500000' });
    expect(await balanceOf(sender)).toBe('7500000');
    expect(await balanceOf(recipient)).toBe('2500000');
    const transfer = await test.deps.ledger.transferById(BigInt(body.id));
    expect(transfer).toMatchObject({
      debitAccountId: userAccountId(sender.userId, 'ATH'),
      creditAccountId: userAccountId(recipient.userId, 'ATH'),
      amountUnits: 2_500_000n,
    });
  });

  it('[D-023] [D-021] sends ATH unless the request names another asset', async () => {
    const sender = await test.createUser({ balance: ath(3), asset: 'ATH2' });
    const recipient = await test.createUser();
    const { status, body } = await send(sender, {
      amount: '1000000',
      to_uuid: recipient.uuid,
      asset: 'ATH2',
    });
    expect({ status, balance: body.balance }).toEqual({ status: 200, balance: '2000000' });
    expect(await balanceOf(recipient, 'ATH2')).toBe('1000000');
    expect((await send(sender, { amount: '1000000', to_uuid: recipient.uuid })).body.code).toBe(
      'insufficient_balance',
    );
    expect(
      (await send(sender, { amount: '1', to_uuid: recipient.uuid, asset: 'BTC' })).status,
    ).toBe(400);
  });

  it('sends the whole balance to the last micro-unit and not one more', async () => {
    const sender = await test.createUser({ balance: microAth(1_234_567n) });
    const recipient = await test.createUser();
    const over = await send(sender, { amount: '1234568', to_uuid: recipient.uuid });
    expect({ status: over.status, code: over.body.code }).toEqual({
      status: 422,
      code: 'insufficient_balance',
    });
    expect(await balanceOf(sender)).toBe('1234567');
    expect((await send(sender, { amount: '1234567', to_uuid: recipient.uuid })).status).toBe(200);
    expect(await balanceOf(sender)).toBe('0');
  });

  // The cases are in the order in which the API checks: shape, then recipient.
  const uuid = randomUUID();
  it.each<[string, Send, number, string, string | undefined]>([
    ['no amount', { to_uuid: uuid }, 400, 'invalid_request', '/amount'],
    ['a number instead of text', { amount: 5, to_uuid: uuid }, 400, 'invalid_request', '/amount'],
    ['words', { amount: 'lots', to_uuid: uuid }, 400, 'invalid_request', '/amount'],
    ['an empty amount', { amount: '', to_uuid: uuid }, 400, 'invalid_request', '/amount'],
    ['zero', { amount: '0', to_uuid: uuid }, 400, 'invalid_request', '/amount'],
    ['a negative amount', { amount: '-5', to_uuid: uuid }, 400, 'invalid_request', '/amount'],
    [
      'a fraction of a micro-unit',
      { amount: '1.5', to_uuid: uuid },
      400,
      'invalid_request',
      '/amount',
    ],
    ['an exponent', { amount: '1e6', to_uuid: uuid }, 400, 'invalid_request', '/amount'],
    ['a huge amount', { amount: '9'.repeat(40), to_uuid: uuid }, 400, 'invalid_request', '/amount'],
    ['a malformed uuid', { amount: '1', to_uuid: 'me' }, 400, 'invalid_request', '/to_uuid'],
    ['SQL for a uuid', { amount: '1', to_uuid: "' or 1=1 --" }, 400, 'invalid_request', '/to_uuid'],
    ['an unknown uuid', { amount: '1', to_uuid: uuid }, 404, 'recipient_not_found', undefined],
  ])('[D-033] refuses %s', async (_what, payload, status, code, pointer) => {
    const sender = await test.createUser({ balance: ath(10) });
    const answer = await send(sender, payload);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect(answer.body.errors?.[0]?.pointer).toBe(pointer);
    expect(await balanceOf(sender)).toBe('10000000');
  });

  it('refuses a send to oneself', async () => {
    const sender = await test.createUser({ balance: ath(10) });
    const answer = await send(sender, { amount: '1', to_uuid: sender.uuid.toUpperCase() });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 422,
      code: 'recipient_is_sender',
    });
  });

  it('treats a recipient whose account was just closed like an unknown address', async () => {
    const sender = await test.createUser({ balance: ath(10) });
    const recipient = await test.createUser();
    // Makes this process cache the address, so that the ledger has to refuse the next send.
    await send(sender, { amount: '1', to_uuid: recipient.uuid });
    await test.deps.db
      .transaction()
      .execute((tx) => test.deps.ledger.closeAccounts(tx, recipient.userId, randomUUID()));
    const [left, unknown] = [
      await send(sender, { amount: '1', to_uuid: recipient.uuid }),
      await send(sender, { amount: '1', to_uuid: randomUUID() }),
    ];
    expect(left.status).toBe(404);
    expect({ ...left.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  it('refuses the largest well-formed amount and moves nothing', async () => {
    const sender = await test.createUser({ balance: ath(10) });
    const recipient = await test.createUser();
    const answer = await send(sender, { amount: '9999999999999999', to_uuid: recipient.uuid });
    expect(answer.status).toBe(422);
    expect(await balanceOf(sender)).toBe('10000000');
  });

  it('refuses a caller who is not signed in before it reads the body', async () => {
    expect((await send(undefined, { amount: 'lots' })).body.code).toBe('unauthenticated');
  });
});

describe('idempotency of POST account/transfer', () => {
  it('[D-035] [D-036] repeats the first response and moves nothing', async () => {
    const sender = await test.createUser({ balance: ath(10) });
    const recipient = await test.createUser();
    const key = randomUUID();
    const payload = { amount: '4000000', to_uuid: recipient.uuid };
    const first = await send(sender, payload, key);
    await send(sender, { amount: '1000000', to_uuid: recipient.uuid });
    const again = await send(sender, payload, key.toUpperCase());
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await balanceOf(sender)).toBe('5000000');
  });

  it('[D-037] refuses the same key with another amount, receiver or asset with 409', async () => {
    const sender = await test.createUser({ balance: ath(10) });
    const [recipient, other] = [await test.createUser(), await test.createUser()];
    const patron = await test.createUser({ balance: ath(10), asset: 'ATH2' });
    await send(patron, { amount: '10000000', to_uuid: sender.uuid, asset: 'ATH2' });
    const key = randomUUID();
    await send(sender, { amount: '1000000', to_uuid: recipient.uuid }, key);
    for (const payload of [
      { amount: '1000001', to_uuid: recipient.uuid },
      { amount: '1000000', to_uuid: other.uuid },
      { amount: '1000000', to_uuid: recipient.uuid, asset: 'ATH2' },
    ]) {
      const answer = await send(sender, payload, key);
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 409,
        code: 'idempotency_key_reused',
      });
    }
    expect(await balanceOf(sender)).toBe('9000000');
  });

  it('[D-170] does not use up the key of a refused send', async () => {
    const sender = await test.createUser({ balance: ath(1) });
    const recipient = await test.createUser();
    const patron = await test.createUser({ balance: ath(9) });
    const key = randomUUID();
    const payload = { amount: '5000000', to_uuid: recipient.uuid };
    expect((await send(sender, payload, key)).body.code).toBe('insufficient_balance');
    await send(patron, { amount: '9000000', to_uuid: sender.uuid });
    expect((await send(sender, payload, key)).status).toBe(200);
  });

  it('[D-171] refuses a key that is not a UUID with 400, and separates the keys of callers', async () => {
    const [ada, ben] = [
      await test.createUser({ balance: ath(5) }),
      await test.createUser({ balance: ath(5) }),
    ];
    const recipient = await test.createUser();
    const malformed = await send(ada, { amount: '1', to_uuid: recipient.uuid }, 'my-key');
    expect({ status: malformed.status, code: malformed.body.code }).toEqual({
      status: 400,
      code: 'invalid_idempotency_key',
    });
    const key = randomUUID();
    expect((await send(ada, { amount: '1000000', to_uuid: recipient.uuid }, key)).status).toBe(200);
    expect((await send(ben, { amount: '2000000', to_uuid: recipient.uuid }, key)).status).toBe(200);
    expect(await balanceOf(recipient)).toBe('3000000');
  });

  it('treats every request without a key as a new one', async () => {
    const sender = await test.createUser({ balance: ath(5) });
    const recipient = await test.createUser();
    const payload = { amount: '1000000', to_uuid: recipient.uuid };
    for (const _ of [1, 2]) {
      await test.request({ method: 'POST', url: '/api/account/transfer', payload, user: sender });
    }
    expect(await balanceOf(recipient)).toBe('2000000');
  });

  it('[D-090] lets one of twenty parallel sends of the whole balance succeed', async () => {
    const sender = await test.createUser({ balance: ath(7) });
    const recipient = await test.createUser();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        send(sender, { amount: '7000000', to_uuid: recipient.uuid }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'insufficient_balance')).toHaveLength(19);
    expect(await balanceOf(recipient)).toBe('7000000');
  });

  it('moves the amount once when twenty requests carry one key', async () => {
    const sender = await test.createUser({ balance: ath(7) });
    const recipient = await test.createUser();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        send(sender, { amount: '1000000', to_uuid: recipient.uuid }, key),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await balanceOf(recipient)).toBe('1000000');
  });
});

describe('a restricted sender', () => {
  it('is refused and referred to support', async () => {
    const sender = await test.createUser({ balance: ath(5) });
    const recipient = await test.createUser();
    await test.deps.db
      .transaction()
      .execute((tx) =>
        test.deps.ledger.setAccountState(tx, userAccountId(sender.userId, 'ATH'), 'restricted'),
      );
    const answer = await send(sender, { amount: '1000000', to_uuid: recipient.uuid });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 422,
      code: 'account_restricted',
    });
    expect((await send(recipient, { amount: '1', to_uuid: sender.uuid })).body.code).toBe(
      'insufficient_balance',
    );
    expect(units(0n)).toBe(0n);
  });
});
