/** A merchant's statement: every movement of a month, from the books and from the counted figures. */
import { afterEach, expect, it } from 'vitest';
import { createOffer } from '../../../test/build-catalog.ts';
import { publishTestRate } from '../../../test/card-purchase.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { setPostedAt } from '../../../test/raw-ledger.ts';
import { ath, buy, refusalOf } from '../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

const ZONE = 'America/New_York';
const REASON = 'Settlement of the month';
let test: TestApp;
afterEach(async () => {
  await expectBooksBalance(test.deps.config.databaseUrl);
  await test.close();
});

async function openAt(time: string) {
  test = await createTestApp({ env: { PROGRAMME_TIME_ZONE: ZONE } });
  const moveTo = async (at: string) => {
    test.clock.advance(Date.parse(at) - test.deps.clock.nowMs());
    await setPostedAt(test.admin, new Date(at));
  };
  await moveTo(time);
  return {
    moveTo,
    count: async () => {
      await enqueueJob(test.deps.db, 'reports_ledger', {}, { queue: 'reports' });
      await test.runJobs();
    },
  };
}

const statementOf = async (by: ConsoleCaller, id: number, month: string) =>
  (await by.call('merchantStatement', { params: { id }, query: { month } })).body;

it(
  'begins with the balance of the books, adds the movements of each day, and ends where the next month begins',
  { tags: 'long' },
  async () => {
    const { moveTo, count } = await openAt('2027-01-31T12:00:00Z');
    const editor = await consoleAs(test, ['catalogue_editor']);
    const { body: merchant } = await editor.call('createMerchant', {
      body: { name: 'The bar', note: '' },
    });
    const id: number = merchant.id;
    const offer = await createOffer(test, { merchant_id: id });
    const ada = await test.createUser({ balance: ath(1_000) });
    await buy(test, ada, [[offer.id, 3]]);
    // It is still January in New York.
    await moveTo('2027-02-01T04:59:00Z');
    await buy(test, ada, [[offer.id, 1]]);
    await moveTo('2027-02-01T05:01:00Z');
    const { body: bought } = await buy(test, ada, [[offer.id, 5]]);
    await moveTo('2027-02-10T12:00:00Z');
    await publishTestRate(test, '0.1683');
    const finance = await consoleAs(test, ['finance']);
    const owner = await consoleAs(test, ['provider_owner']);
    const settle = (whole: number) =>
      finance.call('settleMerchant', {
        params: { id },
        body: { amount: ath(whole).toString(), reason: REASON },
      });
    const asked = await settle(40);
    await moveTo('2027-02-10T12:01:00Z');
    const { body: vote } = await owner.call('approveRequest', {
      params: { id: asked.body.approval_id },
    });
    expect(vote.state).toBe('executed');
    await finance.call('refundPurchase', {
      params: { id: bought.purchase_id },
      body: {
        lines: [{ line: 0, item_count: 2 }],
        is_stock_returned: false,
        reason: REASON,
      },
    });
    await settle(10);
    await count();

    const auditor = await consoleAs(test, ['auditor']);
    const february = await statementOf(auditor, id, '2027-02');
    const nothing = {
      sale_count: 0,
      sales: '0',
      refund_count: 0,
      refunds: '0',
      settled: '0',
      held: '0',
    };
    expect(february).toMatchObject({
      merchant: { id, name: 'The bar' },
      opening: ath(40).toString(),
      total: {
        sale_count: 1,
        sales: ath(50).toString(),
        refund_count: 1,
        refunds: ath(20).toString(),
        settled: ath(40).toString(),
        held: ath(10).toString(),
        balance: ath(20).toString(),
      },
      days: [
        {
          ...nothing,
          day: '2027-02-01',
          sale_count: 1,
          sales: ath(50).toString(),
          balance: ath(90).toString(),
        },
        {
          ...nothing,
          day: '2027-02-10',
          refund_count: 1,
          refunds: ath(20).toString(),
          settled: ath(40).toString(),
          held: ath(10).toString(),
          balance: ath(20).toString(),
        },
      ],
    });
    expect(february.counted_until).toMatch(/^2027-02-10T/);
    const january = await statementOf(auditor, id, '2027-01');
    expect([january.opening, january.total.sale_count, january.total.balance]).toEqual([
      '0',
      2,
      february.opening,
    ]);
    const ahead = await auditor.call('merchantStatement', {
      params: { id },
      query: { month: '2027-03' },
    });
    expect(refusalOf(ahead)).toEqual({ status: 400, code: 'invalid_request' });
    await enqueueJob(test.deps.db, 'reports_rebuild', {}, { queue: 'reports' });
    await test.runJobs();
    expect(await statementOf(auditor, id, '2027-02')).toEqual(february);
  },
);
