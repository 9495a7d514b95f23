import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { canonicalQrText, signedQrText } from '@athos/domain/qr-payload';
import { changeOffer, createOffer, createTier } from '../../../test/build-catalog.ts';
import {
  createItems,
  createStaff,
  createVenue,
  purchaseCode,
  purchaseContent,
  signedCode,
} from '../../../test/build-redemption.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { ath, buy, myPurchases } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { userAccountId } from '../../ledger/index.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

interface ScannerBody {
  payload: string;
  venue_id?: number;
  item_ids?: readonly number[];
}
const scan = (user: TestUser, payload: ScannerBody) =>
  test.request({ method: 'POST', url: '/api/scanner/scan', user, payload });
const redeem = (user: TestUser, payload: ScannerBody, key?: string) =>
  test.request({
    method: 'POST',
    url: '/api/scanner/redeem',
    user,
    payload,
    ...(key === undefined ? {} : { key }),
  });
const scans = async (user: TestUser, query = '') =>
  (await test.request({ method: 'GET', url: `/api/scanner/scans${query}`, user })).body;

const itemRows = async (itemIds: readonly number[]) =>
  test.deps.db
    .selectFrom('purchase_items')
    .select(['id', 'redeemed_at', 'redemption_id'])
    .where('id', 'in', itemIds.map(BigInt))
    .orderBy('id')
    .execute();

describe('POST scanner/scan', () => {
  it('[D-080] shows the items of a purchase with title, image and state, and changes nothing', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds, offer } = await createItems(test, ada, { count: 2 });
    const content = purchaseContent(test, ada, itemIds);
    const before = await itemRows(itemIds);
    const { status, body } = await scan(staff, {
      payload: signedCode(test, content),
      venue_id: staff.venues[0]?.id ?? 0,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'purchase',
      holder: { short_uuid: ada.uuid.slice(0, 8), member_since: expect.any(String) },
      redeem_until: new Date(content.d.t + 120_000).toISOString(),
      items: itemIds.map((id) => ({
        id,
        state: 'redeemable',
        title: offer.title,
        img: offer.img,
        picture: null,
        redeemed_at: null,
        redeemed_venue: null,
      })),
    });
    expect(await itemRows(itemIds)).toEqual(before);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from redemptions where user_id = ${staff.userId}`.execute(
      test.deps.db,
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('[D-080] shows the holder and the tier of the current balance', async () => {
    const staff = await createStaff(test);
    const silver = await createTier(test, { title: 'Silver', amount_micro_ath: 5_000_000n });
    await createTier(test, { title: 'Gold', amount_micro_ath: 9_000_000n });
    const [ada, ben] = [
      await test.createUser({ balance: microAth(8_999_999n) }),
      await test.createUser({ balance: microAth(4_999_999n) }),
    ];
    const tierOf = async ({ uuid }: TestUser) => {
      const d = { a: uuid, t: test.clock.nowMs(), v: 1 };
      return (await scan(staff, { payload: signedCode(test, { t: 'tier', d }) })).body;
    };
    expect(await tierOf(ada)).toEqual({
      kind: 'tier',
      holder: { short_uuid: ada.uuid.slice(0, 8), member_since: expect.any(String) },
      tier: {
        id: silver.id,
        title: 'Silver',
        amount: '5000000',
        color: silver.color,
        note: silver.note,
      },
    });
    expect(await tierOf(ben)).toMatchObject({ kind: 'tier', tier: null });
  });

  it('reports for each item why it cannot be redeemed', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const staff = await createStaff(test);
    const elsewhere = await createVenue(test);
    const [open, withdrawn, theirs, used] = [
      await createItems(test, ada),
      await createItems(test, ada),
      await createItems(test, ada),
      await createItems(test, ada),
    ];
    const bens = await createItems(test, ben);
    await changeOffer(test, withdrawn.offer.id, { active: false });
    await test.deps.db
      .insertInto('offer_venues')
      .values({ offer_id: theirs.offer.id, venue_id: elsewhere.id })
      .execute();
    await redeem(staff, { payload: purchaseCode(test, ada, used.itemIds) });
    const { body } = await scan(staff, {
      payload: purchaseCode(
        test,
        ada,
        [open, withdrawn, theirs, used, bens].flatMap(({ itemIds }) => itemIds),
      ),
    });
    expect(body.items.map(({ state, title }: Record<string, string>) => [state, title])).toEqual([
      ['redeemable', open.offer.title],
      ['inactive', withdrawn.offer.title],
      ['wrong_venue', theirs.offer.title],
      ['already_redeemed', used.offer.title],
      ['not_found', ''],
    ]);
    expect(body.items[3]).toMatchObject({
      redeemed_at: expect.stringMatching(/^\d{4}-/),
      redeemed_venue: staff.venues[0]?.name,
    });
  });

  it('prefers a stored picture to a typed URL', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const id = 'ab'.repeat(32);
    await test.deps.db
      .insertInto('pictures')
      .values({ id, width: 800, height: 600, formats: ['webp'] })
      .execute();
    const { itemIds } = await createItems(test, ada, {
      offer: await createOffer(test, { picture_id: id }),
    });
    const { body } = await scan(staff, { payload: purchaseCode(test, ada, itemIds) });
    expect(body.items[0]).toMatchObject({
      img: `/media/${id}/640.webp`,
      picture: {
        id,
        width: 800,
        height: 600,
        widths: [320, 640, 1280],
        formats: ['webp'],
        alternative_text: '',
        crop_x: 50,
        crop_y: 50,
      },
    });
  });

  it('shows the same again to the scanner that scanned it first', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada);
    const payload = purchaseCode(test, ada, itemIds);
    const first = await scan(staff, { payload });
    expect((await scan(staff, { payload })).body).toEqual(first.body);
  });
});

describe('POST scanner/redeem', () => {
  it('[D-081] [S4-041] redeems every item of the code, setting redeemed_at', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds, offer } = await createItems(test, ada, { count: 3 });
    const { status, body } = await redeem(staff, {
      payload: purchaseCode(test, ada, itemIds),
      venue_id: staff.venues[0]?.id ?? 0,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      redeemed_count: 3,
      results: itemIds.map((itemId) => ({
        item_id: itemId,
        outcome: 'redeemed',
        title: offer.title,
        img: offer.img,
        picture: null,
        redeemed_at: expect.any(String),
        redeemed_venue: staff.venues[0]?.name,
      })),
    });
    const rows = await itemRows(itemIds);
    expect(rows.map(({ redeemed_at: at }) => at?.toISOString())).toEqual(
      itemIds.map(() => body.results[0].redeemed_at),
    );
    expect(new Set(rows.map(({ redemption_id: id }) => id)).size).toBe(1);
  });

  it('[D-081] [D-175] redeems only the named items, and the others later with the same code', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada, { count: 3 });
    const payload = purchaseCode(test, ada, itemIds);
    const [one = 0, two = 0, three = 0] = itemIds;
    const first = await redeem(staff, { payload, item_ids: [two] });
    expect(first.body.results).toMatchObject([{ item_id: two, outcome: 'redeemed' }]);
    const rest = await redeem(staff, { payload });
    expect(rest.body.redeemed_count).toBe(2);
    expect(rest.body.results).toMatchObject([
      { item_id: one, outcome: 'redeemed' },
      {
        item_id: two,
        outcome: 'already_redeemed',
        redeemed_at: first.body.results[0].redeemed_at,
      },
      { item_id: three, outcome: 'redeemed' },
    ]);
  });

  it('[D-082] [S4-042] returns redeemed, already_redeemed with time and place, inactive or not_found for each item', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const [bar, door] = [await createStaff(test), await createStaff(test)];
    const [fresh, used, withdrawn] = [
      await createItems(test, ada),
      await createItems(test, ada),
      await createItems(test, ada),
    ];
    const bens = await createItems(test, ben);
    const noItem = Number.MAX_SAFE_INTEGER;
    await changeOffer(test, withdrawn.offer.id, { active: false });
    const before = await redeem(bar, { payload: purchaseCode(test, ada, used.itemIds) });
    const ids = [fresh, used, withdrawn, bens].flatMap(({ itemIds }) => itemIds);
    const { body } = await redeem(door, { payload: purchaseCode(test, ada, [...ids, noItem]) });
    expect(body.redeemed_count).toBe(1);
    expect(body.results).toMatchObject([
      { outcome: 'redeemed', redeemed_venue: door.venues[0]?.name },
      {
        outcome: 'already_redeemed',
        redeemed_at: before.body.results[0].redeemed_at,
        redeemed_venue: bar.venues[0]?.name,
      },
      { outcome: 'inactive', redeemed_at: null },
      { outcome: 'not_found', title: '', redeemed_at: null },
      { outcome: 'not_found', title: '', redeemed_at: null },
    ]);
    const untouched = await itemRows([...withdrawn.itemIds, ...bens.itemIds]);
    expect(untouched.map(({ redeemed_at: at }) => at)).toEqual([null, null]);
  });

  it('redeems only at the venues that the offer names', async () => {
    const [ada, bar, door] = [
      await test.createUser(),
      await createStaff(test),
      await createStaff(test),
    ];
    const { itemIds, offer } = await createItems(test, ada);
    await test.deps.db
      .insertInto('offer_venues')
      .values({ offer_id: offer.id, venue_id: bar.venues[0]?.id ?? 0 })
      .execute();
    const outcomeAt = async (staff: TestUser) =>
      (await redeem(staff, { payload: purchaseCode(test, ada, itemIds) })).body.results[0].outcome;
    expect(await outcomeAt(door)).toBe('wrong_venue');
    test.clock.advance(1);
    expect(await outcomeAt(bar)).toBe('redeemed');
  });

  it('redeems no item that is not in the code, whoever owns it', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada, { count: 2 });
    const [shown = 0, kept = 0] = itemIds;
    const { body } = await redeem(staff, {
      payload: purchaseCode(test, ada, [shown]),
      item_ids: [kept],
    });
    expect(body).toMatchObject({ redeemed_count: 0, results: [{ outcome: 'not_found' }] });
    expect((await itemRows(itemIds)).every(({ redeemed_at: at }) => at === null)).toBe(true);
  });

  it('redeems forty items at once, and an item named twice only once', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada, { count: 40 });
    const payload = purchaseCode(test, ada, itemIds);
    const [one = 0] = itemIds;
    const first = await redeem(staff, { payload, item_ids: [one, one] });
    expect(first.body).toMatchObject({ redeemed_count: 1, results: [{ item_id: one }] });
    expect((await redeem(staff, { payload })).body.redeemed_count).toBe(39);
  });

  it('has nothing to redeem for a closed account, and does not log its holder', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada);
    const payload = purchaseCode(test, ada, itemIds);
    await test.deps.db
      .updateTable('users')
      .set({ closed_at: new Date(), email: null, password_hash: null })
      .where('id', '=', ada.userId)
      .execute();
    expect((await redeem(staff, { payload })).body.results).toMatchObject([
      { outcome: 'not_found', title: '' },
    ]);
    const kept = await test.deps.db
      .selectFrom('scans')
      .select(['holder_user_id', 'titles'])
      .where('user_id', '=', staff.userId)
      .execute();
    expect(kept).toEqual([{ holder_user_id: null, titles: [] }]);
  });

  it('refuses to redeem for a restricted account', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada);
    const payload = purchaseCode(test, ada, itemIds);
    const setState = (state: 'restricted' | 'open') =>
      test.deps.db
        .transaction()
        .execute((tx) =>
          test.deps.ledger.setAccountState(tx, userAccountId(ada.userId, 'ATH'), state),
        );
    await setState('restricted');
    for (const ask of [scan, redeem]) {
      const { status, body } = await ask(staff, { payload });
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'account_restricted' });
    }
    await setState('open');
    expect((await redeem(staff, { payload })).body.redeemed_count).toBe(1);
  });
});

describe('from the purchase to the door', () => {
  it('[S3-016] [S4-041] redeems what was bought, by the code that account/sign signed', async () => {
    const [ada, staff] = [await test.createUser({ balance: ath(30) }), await createStaff(test)];
    const offer = await createOffer(test);
    const bought = await buy(test, ada, [[offer.id, 3]]);
    const itemIds: number[] = bought.body.items.map(({ id }: { id: number }) => id);
    const [one = 0, two = 0, three = 0] = itemIds;
    const redeemedAts = async () => {
      const { body } = await myPurchases(test, ada);
      return Object.fromEntries(
        body.purchases.map((item: Record<string, unknown>) => [
          item['id'],
          [item['redeemed_at'], item['redeemed_venue']],
        ]),
      );
    };
    expect(await redeemedAts()).toEqual({
      [one]: [null, null],
      [two]: [null, null],
      [three]: [null, null],
    });
    const content = purchaseContent(test, ada, [one, three]);
    const signed = await test.request({
      method: 'POST',
      url: '/api/account/sign',
      user: ada,
      payload: { data: canonicalQrText(content) },
    });
    const payload = signedQrText(content, signed.body.signature);
    expect((await scan(staff, { payload })).body.items).toHaveLength(2);
    const { body } = await redeem(staff, { payload });
    const redeemed = [body.results[0].redeemed_at, staff.venues[0]?.name];
    expect(await redeemedAts()).toEqual({
      [one]: redeemed,
      [two]: [null, null],
      [three]: redeemed,
    });
  });
});

describe('idempotency of POST scanner/redeem', () => {
  it('[D-083] returns already_redeemed for a second redemption of an item', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada);
    const payload = purchaseCode(test, ada, itemIds);
    const first = await redeem(staff, { payload });
    const second = await redeem(staff, { payload }, randomUUID());
    expect(second.body).toMatchObject({
      redeemed_count: 0,
      results: [
        {
          outcome: 'already_redeemed',
          redeemed_at: first.body.results[0].redeemed_at,
          redeemed_venue: staff.venues[0]?.name,
        },
      ],
    });
  });

  it('[D-035] repeats the first response for a key, even after the code has expired', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds, offer } = await createItems(test, ada);
    const payload = purchaseCode(test, ada, itemIds);
    const key = randomUUID();
    const first = await redeem(staff, { payload }, key);
    await changeOffer(test, offer.id, { active: false });
    test.clock.advance(121_000);
    const again = await redeem(staff, { payload }, key.toUpperCase());
    expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: first.text });
  });

  it('[D-037] refuses the same key with another code, venue or item with 409', async () => {
    const venues = [await createVenue(test), await createVenue(test)];
    const [ada, staff] = [await test.createUser(), await createStaff(test, venues)];
    const { itemIds } = await createItems(test, ada, { count: 2 });
    const payload = purchaseCode(test, ada, itemIds);
    const [here = { id: 0 }, there = { id: 0 }] = venues;
    const [one = 0, two = 0] = itemIds;
    const key = randomUUID();
    await redeem(staff, { payload, venue_id: here.id, item_ids: [one] }, key);
    test.clock.advance(1);
    for (const body of [
      { payload: purchaseCode(test, ada, itemIds), venue_id: here.id, item_ids: [one] },
      { payload, venue_id: there.id, item_ids: [one] },
      { payload, venue_id: here.id, item_ids: [two] },
      { payload, venue_id: here.id },
    ]) {
      const answer = await redeem(staff, body, key);
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: 409,
        code: 'idempotency_key_reused',
      });
    }
    expect((await itemRows([two]))[0]?.redeemed_at).toBeNull();
  });

  it('[D-170] does not use up the key of a refused redemption', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada);
    const key = randomUUID();
    expect((await redeem(staff, { payload: 'nothing of ours' }, key)).status).toBe(422);
    const { body } = await redeem(staff, { payload: purchaseCode(test, ada, itemIds) }, key);
    expect(body.redeemed_count).toBe(1);
  });

  it('[D-171] refuses a key that is not a UUID, and separates the keys of scanners', async () => {
    const [ada, bar, door] = [
      await test.createUser(),
      await createStaff(test),
      await createStaff(test),
    ];
    const [one, two] = [await createItems(test, ada), await createItems(test, ada)];
    const key = randomUUID();
    const payload = purchaseCode(test, ada, one.itemIds);
    expect((await redeem(bar, { payload }, 'my-key')).body.code).toBe('invalid_idempotency_key');
    expect((await redeem(bar, { payload }, key)).body.redeemed_count).toBe(1);
    const other = purchaseCode(test, ada, two.itemIds);
    expect((await redeem(door, { payload: other }, key)).body.redeemed_count).toBe(1);
  });
});

describe('GET scanner/venues', () => {
  it('[D-078] returns the venues to which the caller is bound, ordered by name', async () => {
    const [zoo, arena] = [await createVenue(test, 'Zoo'), await createVenue(test, 'Arena')];
    const staff = await createStaff(test, [zoo, arena]);
    const { status, body, headers } = await test.request({
      method: 'GET',
      url: '/api/scanner/venues',
      user: staff,
    });
    expect(status).toBe(200);
    expect(body).toEqual({ venues: [arena, zoo] });
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('GET scanner/scans', () => {
  it('[D-086] lists every attempt with scanner, venue, time and outcome, including refused ones', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds, offer } = await createItems(test, ada, { count: 2 });
    const payload = purchaseCode(test, ada, itemIds);
    await scan(staff, { payload });
    await redeem(staff, { payload });
    await redeem(staff, { payload });
    await scan(staff, { payload: 'a poster' });
    await scan(staff, { payload, venue_id: 2_147_483_647 });
    const { scans: listed, counts } = await scans(staff);
    const venue = staff.venues[0]?.name;
    const titles = [offer.title];
    expect(listed).toMatchObject([
      { action: 'scan', outcome: 'foreign_venue', venue: null },
      { action: 'scan', outcome: 'unreadable_code', venue, item_count: 0, titles: [] },
      { action: 'redeem', outcome: 'already_redeemed', venue, redeemed_count: 0, titles },
      { action: 'redeem', outcome: 'ok', venue, item_count: 2, redeemed_count: 2, titles },
      { action: 'scan', outcome: 'ok', venue, item_count: 2, redeemed_count: 0, titles },
    ]);
    expect(counts).toEqual({ scans: 3, redeemed_items: 2, refused: 3 });
    const kept = await test.deps.db
      .selectFrom('scans')
      .selectAll()
      .where('user_id', '=', staff.userId)
      .orderBy('id')
      .execute();
    expect(kept[0]).toMatchObject({
      user_id: staff.userId,
      venue_id: staff.venues[0]?.id,
      holder_user_id: ada.userId,
      at: new Date(listed[4].at),
    });
    expect(Math.abs(test.clock.nowMs() - new Date(listed[4].at).getTime())).toBeLessThan(10_000);
  });

  it('logs the venue that a refused scanner requested', async () => {
    const [staff, elsewhere] = [await createStaff(test), await createVenue(test)];
    await scan(staff, { payload: 'a poster', venue_id: elsewhere.id });
    expect((await scans(staff)).scans).toMatchObject([
      { outcome: 'foreign_venue', venue: elsewhere.name },
    ]);
  });

  it("lists the caller's newest attempts, up to the limit, and lists and counts them since a given time", async () => {
    const venues = [await createVenue(test), await createVenue(test)];
    const [staff, other] = [await createStaff(test, venues), await createStaff(test, venues)];
    const [here = { id: 0 }, there = { id: 0 }] = venues;
    const poster = (venueId: number) => ({ payload: 'a poster', venue_id: venueId });
    await scan(other, poster(here.id));
    await scan(staff, poster(here.id));
    test.clock.advance(3_600_000);
    const since = encodeURIComponent(new Date(test.clock.nowMs()).toISOString());
    await scan(staff, poster(there.id));
    await scan(staff, poster(here.id));
    expect((await scans(staff)).scans).toHaveLength(3);
    expect((await scans(staff, '?limit=1')).scans).toHaveLength(1);
    expect((await scans(staff)).counts.refused).toBe(3);
    const sinceThen = await scans(staff, `?since=${since}`);
    expect(sinceThen.scans).toHaveLength(2);
    expect(sinceThen.counts.refused).toBe(2);
    const scansThere = await scans(staff, `?venue_id=${there.id}`);
    expect(scansThere.scans).toHaveLength(1);
    expect(scansThere.counts).toEqual({ scans: 1, redeemed_items: 0, refused: 1 });
    test.clock.advance(24 * 3_600_000);
    const { userId, uuid: userUuid } = staff;
    const token = await test.deps.sessions.open(test.deps.db, { userId, userUuid });
    expect((await scans({ ...staff, token })).counts.refused).toBe(0);
  });
});

describe('pruning', () => {
  it('removes claims an hour after the scan and leaves the log', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const { itemIds } = await createItems(test, ada);
    await scan(staff, { payload: purchaseCode(test, ada, itemIds) });
    const claims = async () =>
      (
        await test.deps.db
          .selectFrom('code_claims')
          .select('code_hash')
          .where('user_id', '=', staff.userId)
          .execute()
      ).length;
    const prune = async () => {
      await enqueueJob(test.deps.db, 'scanner_prune', {});
      await test.runJobs();
    };
    await prune();
    expect(await claims()).toBe(1);
    test.clock.advance(3_600_000);
    await prune();
    expect(await claims()).toBe(0);
    expect((await scans(staff)).scans).toHaveLength(1);
  });
});
