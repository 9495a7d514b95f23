/** Merchants with an account of their own: sales of their offers, refunds, and settlements. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOffer } from '../../../test/build-catalog.ts';
import { offerBody } from '../../../test/build-offer.ts';
import { publishTestRate } from '../../../test/card-purchase.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { ath, balanceOf, buy, refusalOf, tip, twenty } from '../../../test/shop.ts';
import { createTestApp, stopClock, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { merchantAccountId, systemAccountId, type SystemAccount } from '../../ledger/index.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

const REASON = 'Settlement of November';
const PRICE = ath(10);

let test: TestApp;
let editor: ConsoleCaller;
let finance: ConsoleCaller;
let owner: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  await publishTestRate(test, '0.1683');
});
beforeEach(async () => {
  editor = await consoleAs(test, ['catalogue_editor'], { organisation: 'brand' });
  finance = await consoleAs(test, ['finance']);
  owner = await consoleAs(test, ['provider_owner']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

async function createMerchant(name = `Stand ${randomUUID()}`): Promise<number> {
  const { status, body } = await editor.call('createMerchant', { body: { name, note: '' } });
  expect(status).toBe(200);
  return body.id;
}

const shown = async (id: number, by = finance) =>
  (await by.call('merchant', { params: { id } })).body;

async function programmeBalance(account: SystemAccount): Promise<bigint> {
  const id = systemAccountId(account, 'ATH');
  return (await test.deps.ledger.balances([id])).get(id) ?? -1n;
}

/** Creates a merchant who has sold `count` items at 10 ATH, with the buyer and the purchase. */
async function sold(count: number) {
  const id = await createMerchant();
  const offer = await createOffer(test, { merchant_id: id });
  const ada = await test.createUser({ balance: ath(1_000) });
  const { body } = await buy(test, ada, [[offer.id, count]]);
  return { id, offer, ada, purchaseId: body.purchase_id as number };
}

const settle = (
  id: number,
  amount: bigint,
  { by = finance, key = randomUUID() }: { by?: ConsoleCaller; key?: string } = {},
) =>
  by.call('settleMerchant', {
    params: { id },
    body: { amount: amount.toString(), reason: REASON },
    key,
  });

const approve = (id: string, by = owner) => by.call('approveRequest', { params: { id } });

async function settled(id: number, amount: bigint): Promise<void> {
  const { body } = await settle(id, amount);
  expect(body.outcome).toBe('requested');
  expect((await approve(body.approval_id)).body.state).toBe('executed');
}

const refund = (purchaseId: number, count: number, line = 0) =>
  finance.call('refundPurchase', {
    params: { id: purchaseId },
    body: { lines: [{ line, item_count: count }], is_stock_returned: false, reason: REASON },
  });

/** The movements of the merchant's account, newest first. */
async function journalOf(id: number): Promise<[kind: string, amount: string, debit: string][]> {
  const { body } = await finance.call('ledgerTransfers', {
    query: { account_id: merchantAccountId(id).toString() },
  });
  return body.items.map(
    ({ kind, amount, debit }: { kind: string; amount: string; debit: { code: string } }) => [
      kind,
      amount,
      debit.code,
    ],
  );
}

describe('a purchase', () => {
  it('pays each line to the merchant of its offer, the rest to the shop, and says the same again', async () => {
    const [bar, stand] = [await createMerchant(), await createMerchant()];
    const [beer, shirt, song] = [
      await createOffer(test, { merchant_id: bar }),
      await createOffer(test, { merchant_id: stand }),
      await createOffer(test),
    ];
    const shop = await programmeBalance('merchant');
    const ada = await test.createUser({ balance: ath(100) });
    const key = randomUUID();
    const cart = [
      [beer.id, 2],
      [shirt.id, 1],
      [song.id, 3],
    ] as const;
    const first = await buy(test, ada, cart, key);
    // From now on the offer's sales belong to another merchant, but not the earlier ones.
    await test.deps.db
      .updateTable('offers')
      .set({ merchant_id: stand })
      .where('id', '=', beer.id)
      .execute();
    const again = await buy(test, ada, cart, key);
    expect([first.status, again.body]).toEqual([200, first.body]);
    expect([(await shown(bar)).balance, (await shown(stand)).balance]).toEqual([
      ath(20).toString(),
      PRICE.toString(),
    ]);
    expect((await programmeBalance('merchant')) - shop).toBe(ath(30));
    expect(await balanceOf(test, ada)).toBe(ath(40).toString());
  });

  it('pays twenty carts with the offers of two merchants at once', async () => {
    const [bar, stand] = [await createMerchant(), await createMerchant()];
    const [beer, shirt] = [
      await createOffer(test, { merchant_id: bar, stock_left: 15 }),
      await createOffer(test, { merchant_id: stand }),
    ];
    const buyers = await twenty(() => test.createUser({ balance: ath(20) }));
    const answers = await twenty((index) =>
      buy(test, buyers[index] as TestUser, [
        [beer.id, 1],
        [shirt.id, 1],
      ]),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(15);
    expect([(await shown(bar)).balance, (await shown(stand)).balance]).toEqual([
      ath(150).toString(),
      ath(150).toString(),
    ]);
  });

  it('leaves tips with the shop', async () => {
    const [merchant, shop] = [await createMerchant(), await programmeBalance('merchant')];
    const refused = await editor.call('createOffer', {
      body: offerBody((await createOffer(test)).category_id, {
        kind: 3,
        price: '0',
        merchant_id: merchant,
      }),
    });
    expect(refused.body.errors).toEqual([
      { pointer: '/merchant_id', message: 'a tip has no merchant' },
    ]);
    const jar = await createOffer(test, { kind: 3 });
    const ada = await test.createUser({ balance: ath(5) });
    const tipped = { offer_id: jar.id, amount: ath(5).toString(), tip_from: '', note: '' };
    expect((await tip(test, ada, tipped)).status).toBe(200);
    expect((await programmeBalance('merchant')) - shop).toBe(ath(5));
  });
});

describe('a settlement', () => {
  it('always takes a vote, holds its value from the request on, and shows in the merchant’s list', async () => {
    const { id } = await sold(5);
    const [paidOut, held] = [
      await programmeBalance('merchant_settled'),
      await programmeBalance('holds'),
    ];
    const key = randomUUID();
    const { body } = await settle(id, ath(30), { key });
    expect(body).toMatchObject({ outcome: 'requested', votes_needed: 1 });
    expect((await settle(id, ath(30), { key })).body).toEqual(body);
    expect(await shown(id)).toMatchObject({
      balance: ath(20).toString(),
      waiting: [{ approval_id: body.approval_id, amount: ath(30).toString() }],
    });
    expect((await programmeBalance('holds')) - held).toBe(ath(30));
    expect(refusalOf(await approve(body.approval_id, finance)).status).toBe(403);
    expect((await approve(body.approval_id)).body.state).toBe('executed');
    expect((await programmeBalance('merchant_settled')) - paidOut).toBe(ath(30));
    expect(await programmeBalance('holds')).toBe(held);
    expect(await shown(id)).toMatchObject({ balance: ath(20).toString(), waiting: [] });
    expect(await journalOf(id)).toEqual([
      ['settlement', ath(30).toString(), `merchant_${id}`],
      ['release', ath(30).toString(), 'holds'],
      ['hold', ath(30).toString(), `merchant_${id}`],
      ['purchase', ath(50).toString(), null],
    ]);
  });

  it('is refused above the balance, and once if two ask for all of it at once', async () => {
    const { id } = await sold(5);
    expect(refusalOf(await settle(id, ath(50) + 1n))).toEqual({
      status: 422,
      code: 'insufficient_balance',
    });
    const people = await twenty(() => consoleAs(test, ['finance']));
    const answers = await twenty((index) => settle(id, ath(50), { by: people[index] ?? finance }));
    expect(answers.filter(({ body }) => body.outcome === 'requested')).toHaveLength(1);
    expect((await shown(id)).balance).toBe('0');
  });

  it('is settled once by twenty votes at the same time', async () => {
    const { id } = await sold(3);
    const paidOut = await programmeBalance('merchant_settled');
    const { body } = await settle(id, ath(30));
    const voters = await twenty(() => consoleAs(test, ['provider_owner']));
    const votes = await twenty((index) => approve(body.approval_id, voters[index] ?? owner));
    expect(votes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await programmeBalance('merchant_settled')) - paidOut).toBe(ath(30));
  });

  it('gives the value back once when it is rejected, and when it expires', async () => {
    const advance = stopClock(test);
    const { id } = await sold(4);
    const rejected = await settle(id, ath(10));
    await settle(id, ath(30));
    expect((await shown(id)).balance).toBe('0');
    await owner.call('rejectRequest', {
      params: { id: rejected.body.approval_id },
      body: { reason: REASON },
    });
    advance(72 * 3_600_000);
    for (let run = 0; run < 2; run += 1) {
      await enqueueJob(test.deps.db, 'approvals_end_expired', {});
      await test.runJobs();
    }
    finance = await consoleAs(test, ['finance']);
    expect(await shown(id)).toMatchObject({ balance: ath(40).toString(), waiting: [] });
  });

  it('ends as stale if the merchant was changed after the request', async () => {
    const { id } = await sold(2);
    const { body } = await settle(id, ath(20));
    const { version } = await shown(id, editor);
    const renamed = { name: `Another ${randomUUID()}`, note: 'Pay to another bank' };
    await editor.call('changeMerchant', { params: { id }, version, body: renamed });
    expect((await approve(body.approval_id)).body.state).toBe('stale');
    await test.runJobs();
    expect((await shown(id)).balance).toBe(ath(20).toString());
  });

  it('is asked for by finance alone, of a merchant that exists', async () => {
    const { id } = await sold(1);
    for (const role of ['support', 'brand_manager', 'auditor', 'provider_owner'] as const) {
      expect((await settle(id, PRICE, { by: await consoleAs(test, [role]) })).status).toBe(403);
    }
    expect(refusalOf(await settle(2_000_000, PRICE))).toEqual({ status: 404, code: 'not_found' });
    expect((await settle(id, 0n)).status).toBe(400);
  });
});

describe('a refund', () => {
  it('is paid by the merchant of the line', async () => {
    const { id, ada, purchaseId } = await sold(3);
    expect((await refund(purchaseId, 1)).body).toEqual({ outcome: 'done' });
    expect((await shown(id)).balance).toBe(ath(20).toString());
    expect(await balanceOf(test, ada)).toBe(ath(980).toString());
  });

  it('of what was settled leaves a debt, which the next sales fill before anything is settled', async () => {
    const { id, ada, offer, purchaseId } = await sold(5);
    await settled(id, ath(50));
    expect((await refund(purchaseId, 2)).body).toEqual({ outcome: 'done' });
    expect(await balanceOf(test, ada)).toBe(ath(970).toString());
    expect((await shown(id)).balance).toBe((0n - ath(20)).toString());
    expect(refusalOf(await settle(id, 1n)).code).toBe('insufficient_balance');
    await buy(test, ada, [[offer.id, 3]]);
    expect((await shown(id)).balance).toBe(PRICE.toString());
    expect(refusalOf(await settle(id, PRICE + 1n)).code).toBe('insufficient_balance');
    await settled(id, PRICE);
    expect((await shown(id)).balance).toBe('0');
  });

  it('while a settlement waits does not keep it from being settled', async () => {
    const { id, purchaseId } = await sold(5);
    const { body } = await settle(id, ath(50));
    await refund(purchaseId, 5);
    expect((await shown(id)).balance).toBe((0n - ath(50)).toString());
    expect((await approve(body.approval_id)).body.state).toBe('executed');
    expect((await shown(id)).balance).toBe((0n - ath(50)).toString());
  });
});

describe('the list of merchants', () => {
  it('shows money to those who may see it, and refuses a second merchant of one name', async () => {
    const { id } = await sold(1);
    const { name } = await shown(id);
    const taken = await editor.call('createMerchant', { body: { name, note: '' } });
    expect(refusalOf(taken)).toEqual({ status: 409, code: 'merchant_exists' });
    const seenBy = async (by: ConsoleCaller) => {
      const { body } = await by.call('merchants', { query: { limit: 100 } });
      return body.items.find((item: { id: number }) => item.id === id);
    };
    expect(await seenBy(finance)).toMatchObject({ balance: PRICE.toString(), offer_count: 1 });
    expect(await seenBy(editor)).toMatchObject({ balance: null, offer_count: 1 });
    expect((await shown(id, editor)).waiting).toBeNull();
  });

  it('archives a merchant whose offers are withdrawn, who sells nothing new and can still be settled with', async () => {
    const { id, offer } = await sold(1);
    const archive = async (isArchived: boolean) =>
      editor.call('archiveMerchant', {
        params: { id },
        version: (await shown(id, editor)).version,
        body: { is_archived: isArchived },
      });
    expect(refusalOf(await archive(true))).toEqual({ status: 409, code: 'merchant_in_use' });
    await test.deps.db
      .updateTable('offers')
      .set({ active: false })
      .where('id', '=', offer.id)
      .execute();
    expect((await archive(true)).body.archived_at).not.toBeNull();
    const body = offerBody(offer.category_id, { merchant_id: id });
    expect((await editor.call('createOffer', { body })).body.errors).toEqual([
      { pointer: '/merchant_id', message: 'This merchant is archived.' },
    ]);
    await settled(id, PRICE);
    expect((await archive(false)).body.archived_at).toBeNull();
    const created = await editor.call('createOffer', { body });
    expect(created.body.fields.merchant_id).toBe(id);
    const { items } = (await editor.call('consoleOffers', { query: { merchant_id: id } })).body;
    expect(items.map((item: { id: number }) => item.id)).toContain(created.body.id);
  });
});
