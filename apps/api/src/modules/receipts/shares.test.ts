import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkReceipt } from '@athos/domain/check-receipt';
import { movementOf, type Receipt } from '@athos/domain/receipt';
import { openUser, PASSWORD } from '../../../test/accounts.ts';
import { closeMeanwhile } from '../../../test/close-meanwhile.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { createSealer, nodeCrypto, type Sealer } from '../../../test/seals.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { createReceiptTasks } from './receipts.tasks.ts';

const DAY_MS = 24 * 60 * 60_000;

let test: TestApp;
let sealer: Sealer;
let ada: TestUser;
let ben: TestUser;
let id: number;
beforeAll(async () => {
  test = await createTestApp();
  sealer = createSealer(test);
  [ada, ben] = [await test.createUser({ balance: ath(100) }), await test.createUser()];
  id = await send(ada);
  await sealer.sealAll();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

async function send(user: TestUser): Promise<number> {
  const payload = { amount: '2500000', to_uuid: ben.uuid };
  const url = '/api/account/transfer';
  const key = randomUUID();
  const { status, body } = await test.request({ method: 'POST', url, payload, key, user });
  expect(status).toBe(200);
  return body.id;
}

const share = (user: TestUser, payload: object = {}, movement = id) =>
  test.request({ method: 'POST', url: `/api/all_history/${movement}/share`, payload, user });

const tokenIn = ({ link }: { link: string }): string => new URL(link).hash.slice(1);

async function tokenOf(payload: object = {}): Promise<string> {
  const { status, body } = await share(ada, payload);
  expect(status).toBe(200);
  return tokenIn(body);
}

const show = (token: unknown) =>
  test.request({ method: 'POST', url: '/api/shared_receipt', payload: { token } });

const shares = async (user: TestUser) =>
  (await test.request({ method: 'GET', url: '/api/account/receipt_shares', user })).body.shares;

const end = (user: TestUser, shareId: string) =>
  test.request({ method: 'POST', url: `/api/account/receipt_shares/${shareId}/end`, user });

async function endAll(user: TestUser): Promise<void> {
  for (const { id: shareId } of await shares(user)) await end(user, shareId);
}

const shownParts = ({ parts }: Receipt): string[] =>
  parts.flatMap((part) => ('text' in part ? [part.name] : []));

describe('a shared receipt', () => {
  afterEach(() => endAll(ada));

  it('is not made for an account that is closed meanwhile', async () => {
    const eve = await test.createUser({ balance: ath(100) });
    const movement = await send(eve);
    const answer = await closeMeanwhile(test, eve, () => share(eve, {}, movement));
    expect([answer.status, answer.body.code]).toEqual([401, 'session_ended']);
    const left = await test.admin
      .selectFrom('receipt_shares')
      .selectAll()
      .where('user_id', '=', eve.userId)
      .execute();
    expect(left).toEqual([]);
    await sealer.sealAll();
  });

  it('[W-140] shows the movement without names, checks like any other, and is gone once it was ended or ran out', async () => {
    const made = (await share(ada)).body;
    const { status, body } = await show(tokenIn(made));
    expect(status).toBe(200);
    const receipt: Receipt = body.receipt;
    expect(shownParts(receipt)).toEqual(['movement']);
    const texts = JSON.stringify(receipt);
    expect(texts).not.toContain(ada.uuid);
    expect(texts).not.toContain(ben.uuid);
    const { keys } = (await test.request({ method: 'GET', url: '/api/ledger/heads' })).body;
    const movement = movementOf(receipt) ?? { id: '', asset: '', amountUnits: '' };
    expect(movement).toMatchObject({ id: String(id), amountUnits: '2500000' });
    const steps = await checkReceipt(receipt, {
      expected: movement,
      published: { keys, head: undefined },
      crypto: nodeCrypto,
    });
    expect(steps.map(({ verdict }) => verdict).slice(0, 4)).toEqual(Array(4).fill('right'));

    expect((await end(ada, made.id)).status).toBe(200);
    expect((await show(tokenIn(made))).status).toBe(404);

    const later = await tokenOf({ days: 1 });
    test.clock.advance(DAY_MS - 1_000);
    expect((await show(later)).status).toBe(200);
    test.clock.advance(1_000);
    expect((await show(later)).status).toBe(404);
    test.clock.advance(-DAY_MS);
  });

  it('shows the accounts of both sides if its owner chose so, and never their books', async () => {
    const { body } = await show(await tokenOf({ with_names: true }));
    expect(shownParts(body.receipt)).toEqual(['movement', 'payer', 'payee']);
    expect(JSON.stringify(body.receipt)).toContain(ben.uuid);
  });

  it('is empty until the movement is sealed', async () => {
    const fresh = await send(ada);
    const { body } = await share(ada, {}, fresh);
    expect((await show(tokenIn(body))).body).toMatchObject({ receipt: null });
  });

  it('can be made by both sides of the movement, and by nobody else', async () => {
    const eve = await test.createUser();
    expect((await share(eve)).status).toBe(404);
    expect((await share(ben)).status).toBe(200);
    await endAll(ben);
  });

  it.each(['A'.repeat(22), 'x', '', 7, null, `${'A'.repeat(21)}=`])(
    'is not shown for the token %j',
    async (token) => {
      expect([400, 404]).toContain((await show(token)).status);
    },
  );

  it.each([{ days: 0 }, { days: 91 }, { days: 1.5 }, { with_names: 'yes' }])(
    'is not made with %j',
    async (payload) => {
      expect((await share(ada, payload)).status).toBe(400);
    },
  );

  it('of another user cannot be ended', async () => {
    const made = (await share(ada)).body;
    expect((await end(ben, made.id)).status).toBe(404);
    expect((await show(tokenIn(made))).status).toBe(200);
  });

  it('exists twenty times at most for a user, also if forty are asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => share(ada)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(
      new Set([undefined, 'too_many_shares']),
    );
    expect(await shares(ada)).toHaveLength(20);
  });

  it('is listed without its token, which no row holds either', async () => {
    const token = await tokenOf();
    const [listed] = await shares(ada);
    expect(listed).toMatchObject({ movement_id: id, with_names: false });
    expect(listed).not.toHaveProperty('link');
    const [row] = await test.admin.selectFrom('receipt_shares').selectAll().execute();
    expect(row?.token_hash.toString('base64url')).not.toContain(token);
  });
});

it('links that ran out are deleted, and those of a deleted account at once', async () => {
  const eve = await openUser(test, ath(10));
  const movement = await send(eve);
  const kept = tokenIn((await share(eve, { days: 1 }, movement)).body);
  await share(eve, { days: 2 }, movement);
  test.clock.advance(DAY_MS);
  await createReceiptTasks(test.deps).upkeep?.['receipts_prune']?.({}, {} as never);
  const rows = () =>
    test.admin.selectFrom('receipt_shares').select('id').where('user_id', '=', eve.userId);
  const count = async () => (await rows().execute()).length;
  expect(await count()).toBe(1);
  test.clock.advance(-DAY_MS);
  expect((await show(kept)).status).toBe(404);
  const url = '/api/account/delete';
  const payload = { password: PASSWORD };
  const key = randomUUID();
  expect((await test.request({ method: 'POST', url, payload, key, user: eve })).status).toBe(200);
  await test.runJobs();
  expect(await count()).toBe(0);
});
