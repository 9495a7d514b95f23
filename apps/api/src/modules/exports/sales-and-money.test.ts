/** The exported lists of purchases, redemptions and card money: the filter, the columns, the permission, and cells written by strangers. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ConsoleBodyOf } from '@athos/contract/console/calls';
import { createOffer } from '../../../test/build-catalog.ts';
import {
  createItems,
  createStaff,
  createVenue,
  purchaseCode,
} from '../../../test/build-redemption.ts';
import { openDispute } from '../../../test/card-disputes.ts';
import { beginOrder } from '../../../test/card-purchase.ts';
import { buyTokens, refund } from '../../../test/card-refund.ts';
import type { CardSandbox } from '../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../test/cards-app.ts';
import { consoleAs, signInStaff, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { ath, buy, myPurchases } from '../../../test/shop.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { redemptions } from './sales-lists.ts';

let dir: string;
let test: TestApp;
let sandbox: CardSandbox;
let close: () => Promise<void>;
let support: ConsoleCaller;
let editor: ConsoleCaller;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'exports-'));
  const started = await startCardsApp({ env: { EXPORT_DIR: dir } });
  ({ app: test, sandbox, close } = started);
  support = await consoleAs(test, ['support']);
  editor = await consoleAs(test, ['catalogue_editor']);
});
afterAll(async () => {
  await close();
  await rm(dir, { recursive: true, force: true });
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));

type Body = ConsoleBodyOf<'exportList'>;

/** The rows of an exported file, as cells by the names of their columns. None of these cells contains a comma. */
async function rowsOf(caller: ConsoleCaller, body: Body): Promise<Record<string, string>[]> {
  const { body: asked } = await caller.call('exportList', { body });
  await test.runJobs();
  const params = { id: String(asked.id) };
  const { body: link } = await caller.call('exportLink', { params });
  const code = new URL(String(link.path), 'http://console').searchParams.get('code') ?? '';
  const { text } = await caller.call('exportFile', { params, query: { code } });
  expect(text).not.toContain('@');
  const [head = [], ...lines] = text
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  return lines.map((cells) => {
    expect(cells).toHaveLength(head.length);
    return Object.fromEntries(cells.map((cell, index) => [head[index] ?? '', cell]));
  });
}

/** The permission that is missing if a person may export, but may not read the list. */
async function lackOf(list: 'purchases' | 'redemptions' | 'payments' | 'refunds' | 'disputes') {
  const body: Body = { list, filters: {} };
  const { status, body: answer } = await editor.call('exportList', { body });
  return [status, answer.permission];
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

it('[O-066] exports the purchases of a filter, with their totals and the states of their items', async () => {
  const [ada, ben] = [
    await test.createUser({ balance: ath(100) }),
    await test.createUser({ balance: ath(100) }),
  ];
  const offer = await createOffer(test, { title: '=cmd()', price_ath_hundredths: 250 });
  for (const user of [ada, ada, ben]) await buy(test, user, [[offer.id, 2]]);
  const rows = await rowsOf(support, {
    list: 'purchases',
    filters: { customer_uuid: ada.uuid },
  });
  expect(rows).toHaveLength(2);
  expect(rows.map(({ purchase }) => Number(purchase))).toEqual(
    rows.map(({ purchase }) => Number(purchase)).toSorted((one, other) => other - one),
  );
  expect(rows[0]).toMatchObject({
    status: 'open',
    customer_uuid: ada.uuid,
    at: expect.stringMatching(ISO_TIME),
    total: '5',
    total_units: '5000000',
    open: '2',
    redeemed: '0',
    refunded: '0',
    titles: "'=cmd()",
  });
  const one = { id: Number(rows[1]?.purchase) };
  expect(await rowsOf(support, { list: 'purchases', filters: one })).toEqual([rows[1]]);
  expect(await lackOf('purchases')).toEqual([403, 'purchases.read']);
});

it('[O-066] exports the redemptions of a filter, to staff who are bound to venues those of theirs', async () => {
  const [own, foreign] = [await createVenue(test, '=Own Bar'), await createVenue(test)];
  const guest = await test.createUser({ balance: ath(100) });
  const offer = await createOffer(test, { price_ath_hundredths: 250 });
  await buy(test, guest, [[offer.id, 2]]);
  const { purchases } = (await myPurchases(test, guest)).body;
  for (const [index, venue] of [own, foreign].entries()) {
    const user = await createStaff(test, [venue]);
    const payload = purchaseCode(test, guest, [purchases[index].id]);
    const redeem = { method: 'POST', url: '/api/scanner/redeem', user, key: randomUUID() } as const;
    expect((await test.request({ ...redeem, payload: { payload } })).body.redeemed_count).toBe(1);
    test.clock.advance(1);
  }
  const lead = await consoleAs(test, ['scanner_lead']);
  const all = await rowsOf(lead, { list: 'redemptions', filters: {} });
  expect(all.map(({ venue }) => venue)).toEqual([foreign.name, "'=Own Bar"]);
  expect(all[1]).toMatchObject({
    at: expect.stringMatching(ISO_TIME),
    status: 'redeemed',
    venue_id: String(own.id),
    customer_uuid: guest.uuid,
    items: '1',
    reversed: '0',
    titles: offer.title,
  });
  const there = { venue_id: foreign.id };
  expect(await rowsOf(lead, { list: 'redemptions', filters: there })).toEqual([all[0]]);

  const bound = await consoleAs(test, ['scanner_lead']);
  await test.deps.db
    .insertInto('staff_venues')
    .values({ staff_id: bound.staffId, venue_id: own.id })
    .execute();
  const caller = await signInStaff(test, bound);
  expect(await rowsOf(caller, { list: 'redemptions', filters: {} })).toEqual([all[1]]);
  expect(await lackOf('redemptions')).toEqual([403, 'scans.read']);
});

it('writes redemptions as of one moment, however long the file takes', async () => {
  const { db } = test.deps;
  const venue = await createVenue(test, 'Before');
  const scanner = await createStaff(test, [venue]);
  const user = await test.createUser();
  const bought = Array.from({ length: 11 }, () => createItems(test, user, { count: 91 }));
  // One item more than are read at once.
  const itemIds = (await Promise.all(bought)).flatMap((purchase) => purchase.itemIds);
  const count = itemIds.length;
  await sql`
    with made as (
      insert into redemptions (user_id, key, request_hash, venue_id, answer, created_at)
      select ${scanner.userId}::bigint, gen_random_uuid(), '', ${venue.id}::integer, '{"redeemed_count": 1}', now()
        from generate_series(1, ${count}::integer)
      returning id, created_at
    ), numbered as (select id, created_at, row_number() over () as place from made)
    update purchase_items set redemption_id = numbered.id, redeemed_at = numbered.created_at
      from numbered where purchase_items.id = (${itemIds}::bigint[])[numbered.place]`.execute(db);
  const read = redemptions.read(
    test.deps as never,
    {
      sort: 'newest',
      limit: 25,
      venue_id: venue.id,
      seenVenueIds: null,
    } as never,
  );
  const venues: string[] = [];
  for await (const rows of read) {
    venues.push(...rows.map((row) => row.venue));
    await sql`update venues set name = 'After' where id = ${venue.id}`.execute(db);
  }
  expect(venues).toHaveLength(count);
  expect(new Set(venues)).toEqual(new Set(['Before']));
});

it('[O-066] exports card payments by state, with each part of their money', async () => {
  const paid = await buyTokens(test, sandbox);
  test.clock.advance(1);
  await beginOrder(test, paid.user, ath(100));
  await test.deps.db
    .updateTable('card_orders')
    .set({ review_reason: '=HYPERLINK(1)' })
    .where('id', '=', paid.id)
    .execute();
  const credited = { state: 'credited', customer_uuid: paid.user.uuid } as const;
  const [row, ...others] = await rowsOf(support, { list: 'payments', filters: credited });
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    payment: paid.id,
    status: 'credited',
    customer_uuid: paid.user.uuid,
    created_at: expect.stringMatching(ISO_TIME),
    amount: '100',
    amount_units: '100000000',
    returned_units: '0',
    refunding_units: '0',
    charged_back_units: '0',
    total_usd: '18.68',
    total_usd_cents: '1868',
    card_brand: 'visa',
    card_last_four: '4242',
    review_reason: "'=HYPERLINK(1)",
    intent_id: paid.intentId,
  });
  const oldest = { customer_uuid: paid.user.uuid, sort: 'oldest' } as const;
  const both = await rowsOf(support, { list: 'payments', filters: oldest });
  expect(both.map(({ status }) => status)).toEqual(['credited', 'open']);
  expect(await lackOf('payments')).toEqual([403, 'payments.read']);
});

it('[O-066] exports refunds by state, and what was said of them', { tags: 'long' }, async () => {
  const [first, second] = [await buyTokens(test, sandbox), await buyTokens(test, sandbox)];
  const asked = await refund(test, first.id, { isApproved: false });
  await refund(test, second.id);
  await test.deps.db
    .updateTable('card_refunds')
    .set({ reason: '+1' })
    .where('id', '=', asked)
    .execute();
  const requested = { state: 'requested' } as const;
  const rows = await rowsOf(support, { list: 'refunds', filters: requested });
  expect(rows).toMatchObject([
    {
      refund: asked,
      status: 'requested',
      payment: first.id,
      customer_uuid: first.user.uuid,
      created_at: expect.stringMatching(ISO_TIME),
      closed_at: '',
      amount: '100',
      amount_units: '100000000',
      total_usd: '18.68',
      total_usd_cents: '1868',
      reason: "'+1",
    },
  ]);
  expect(await rowsOf(support, { list: 'refunds', filters: {} })).toHaveLength(2);
  expect(await lackOf('refunds')).toEqual([403, 'payments.read']);
});

it(
  '[O-066] exports disputes of a customer, with what was withdrawn and what is owed',
  { tags: 'long' },
  async () => {
    const [first, second] = [await buyTokens(test, sandbox), await buyTokens(test, sandbox)];
    const theirId = await openDispute(test, sandbox, first);
    await openDispute(test, sandbox, second);
    await test.deps.db
      .updateTable('card_disputes')
      .set({ reason: '-2+3' })
      .where('order_id', '=', first.id)
      .execute();
    const ofFirst = { customer_uuid: first.user.uuid, view: 'undecided' } as const;
    const rows = await rowsOf(support, { list: 'disputes', filters: ofFirst });
    expect(rows).toMatchObject([
      {
        status: 'needs_response',
        phase: 'open',
        payment: first.id,
        customer_uuid: first.user.uuid,
        opened_at: expect.stringMatching(ISO_TIME),
        due_at: expect.stringMatching(ISO_TIME),
        reason: "'-2+3",
        amount_usd: '18.68',
        amount_usd_cents: '1868',
        taken: '100',
        taken_units: '100000000',
        owed_units: '0',
        provider_dispute_id: theirId,
      },
    ]);
    expect(await rowsOf(support, { list: 'disputes', filters: {} })).toHaveLength(2);
    expect(await lackOf('disputes')).toEqual([403, 'payments.read']);
  },
);
