/** Offers from draft to sale: who may publish them, two editors of one offer, and what customers see in the meantime. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOffer } from '../../../../test/build-catalog.ts';
import { offerBody, type OfferBody } from '../../../../test/build-offer.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { openSecondApp, type SecondApp } from '../../../../test/second-app.ts';
import { ath, buy, refusalOf, twenty } from '../../../../test/shop.ts';
import { createTestApp, stopClock, type TestApp } from '../../../../test/test-app.ts';

const REASON = { reason: 'The summer menu begins' };

let test: TestApp;
let other: SecondApp;
let editor: ConsoleCaller;
let manager: ConsoleCaller;
let categoryId: number;
let advance: (byMs: number) => void;

beforeAll(async () => {
  test = await createTestApp();
  other = await openSecondApp(test);
  // The console assigns ids above the highest one, so the ids of the test factory stay free.
  ({ category_id: categoryId } = await createOffer(test, { id: 1_000_000 }));
});
beforeEach(async () => {
  advance = stopClock(test);
  editor = await consoleAs(test, ['catalogue_editor'], { organisation: 'brand' });
  manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(async () => {
  await other.close();
  await test.close();
});

const create = async (caller: ConsoleCaller, over: Partial<OfferBody> = {}) =>
  (await caller.call('createOffer', { body: offerBody(categoryId, over) })).body;

const publish = (caller: ConsoleCaller, offer: { id: number; version: number }) =>
  caller.call('publishOffer', { params: { id: offer.id }, version: offer.version, body: REASON });

const save = (
  caller: ConsoleCaller,
  offer: { id: number; version: number },
  over: Partial<OfferBody>,
) =>
  caller.call('saveOffer', {
    params: { id: offer.id },
    version: offer.version,
    body: offerBody(categoryId, over),
  });

const read = async (id: number) => (await manager.call('consoleOffer', { params: { id } })).body;

/** Creates a published offer for 10 ATH. */
async function live(over: Partial<OfferBody> = {}) {
  const offer = await create(manager, over);
  expect((await publish(manager, offer)).body.outcome).toBe('done');
  return read(offer.id);
}

const vote = (caller: ConsoleCaller, id: string) =>
  caller.call('approveRequest', { params: { id } });

async function walletOffer(id: number, { request } = test as Pick<TestApp, 'request'>) {
  const { body } = await request({ method: 'GET', url: `/api/offers?ids=${id}` });
  return body.offers[0];
}

describe('a draft', () => {
  it('is seen and bought by nobody until it is published', async () => {
    const ada = await test.createUser({ balance: ath(100) });
    const offer = await create(editor);
    expect(offer).toMatchObject({ state: 'draft', version: 1, fields: { price: '10000000' } });
    expect(await walletOffer(offer.id)).toBeUndefined();
    const { body } = await test.request({ method: 'GET', url: `/api/categories/${categoryId}` });
    expect(JSON.stringify(body)).not.toContain('Amber Fizz');
    expect(refusalOf(await buy(test, ada, [[offer.id, 1]]))).toEqual({
      status: 409,
      code: 'offer_unavailable',
    });
    expect((await publish(manager, offer)).body).toEqual({ outcome: 'done', version: 2 });
    expect(await walletOffer(offer.id)).toMatchObject({ amount_cents: 1_000, active: true });
    expect((await buy(test, ada, [[offer.id, 1]])).status).toBe(200);
  });

  it('[O-082] keeps the edits of a live offer from customers until they are published', async () => {
    const offer = await live();
    const saved = await save(editor, offer, { price: '11000000', title: 'Amber Fizz, large' });
    expect(saved.body).toMatchObject({
      state: 'live',
      fields: { price: '10000000', title: 'Amber Fizz' },
      draft: {
        fields: { price: '11000000', title: 'Amber Fizz, large' },
        saved_by: { id: editor.staffId },
      },
    });
    expect(await walletOffer(offer.id)).toMatchObject({ amount_cents: 1_000, title: 'Amber Fizz' });
    expect((await publish(manager, saved.body)).body.outcome).toBe('done');
    expect(await walletOffer(offer.id)).toMatchObject({
      amount_cents: 1_100,
      title: 'Amber Fizz, large',
    });
    expect(await read(offer.id)).toMatchObject({ draft: null, request_id: null });
  });

  it('ends when it is discarded, or when it says what is published', async () => {
    const offer = await live();
    const saved = (await save(editor, offer, { title: 'Other' })).body;
    const gone = await editor.call('discardOfferDraft', {
      params: { id: offer.id },
      version: saved.version,
    });
    expect(gone.body).toMatchObject({ draft: null, fields: { title: 'Amber Fizz' } });
    const nothing = await editor.call('discardOfferDraft', {
      params: { id: offer.id },
      version: gone.body.version,
    });
    expect(refusalOf(nothing)).toEqual({ status: 409, code: 'offer_state' });
    const again = (await save(editor, gone.body, { title: 'Other' })).body;
    expect((await save(editor, again, {})).body.draft).toBeNull();
  });

  it('of two editors keeps the first, and shows it to the second', async () => {
    const offer = await live();
    const second = await consoleAs(test, ['catalogue_editor'], { organisation: 'brand' });
    expect((await save(editor, offer, { title: 'First' })).status).toBe(200);
    const stale = await save(second, offer, { title: 'Second' });
    expect(refusalOf(stale)).toEqual({ status: 412, code: 'version_conflict' });
    expect(stale.body.present).toMatchObject({ draft: { fields: { title: 'First' } } });
    const kept = await save(second, stale.body.present, { title: 'Second' });
    expect(kept.body.draft.fields.title).toBe('Second');
  });
});

describe('publishing', () => {
  it('by an editor takes the vote of somebody else', async () => {
    const offer = await create(editor);
    const { body } = await publish(editor, offer);
    expect(body).toMatchObject({ outcome: 'requested', votes_needed: 1 });
    expect(await read(offer.id)).toMatchObject({ state: 'draft', request_id: body.approval_id });
    expect(refusalOf(await vote(editor, body.approval_id))).toEqual({
      status: 403,
      code: 'own_request',
    });
    expect((await vote(manager, body.approval_id)).body.state).toBe('executed');
    expect(await read(offer.id)).toMatchObject({ state: 'live', request_id: null });
  });

  it.each([
    ['13000000', 'done'],
    ['13010000', 'requested'],
    ['7000000', 'done'],
    ['6990000', 'requested'],
  ])('a price of %s in place of 10 ATH by a manager is %s', async (price, outcome) => {
    const offer = await live();
    const saved = (await save(manager, offer, { price })).body;
    expect((await publish(manager, saved)).body.outcome).toBe(outcome);
  });

  it('counts the price of a window as a change of price', async () => {
    const offer = await live();
    const at = (hours: number) => new Date(test.clock.nowMs() + hours * 3_600_000).toISOString();
    const windows = [{ price: '5000000', starts_at: at(1), ends_at: at(2) }];
    const saved = (await save(manager, offer, { price_windows: windows })).body;
    expect((await publish(manager, saved)).body.outcome).toBe('requested');
  });

  it('ends as stale if the draft was changed after the request', async () => {
    const offer = await live();
    const saved = (await save(editor, offer, { price: '10500000' })).body;
    const { body } = await publish(editor, saved);
    await save(manager, saved, { price: '9000000' });
    expect((await vote(manager, body.approval_id)).body.state).toBe('stale');
    expect(await walletOffer(offer.id)).toMatchObject({ amount_cents: 1_000 });
  });

  it('happens once, of twenty votes at once', async () => {
    const offer = await create(editor);
    const { body } = await publish(editor, offer);
    const voters = await Promise.all(
      Array.from({ length: 4 }, () =>
        consoleAs(test, ['brand_manager'], { organisation: 'brand' }),
      ),
    );
    const answers = await twenty((index) => vote(voters[index % 4] ?? manager, body.approval_id));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await read(offer.id)).toMatchObject({ state: 'live', version: 2 });
  });

  it('is refused into a category that was archived meanwhile', async () => {
    const { category_id: own } = await createOffer(test, { active: false });
    const offer = await create(manager, { category_id: own });
    expect((await manager.call('archiveCategory', { params: { id: own } })).status).toBe(200);
    expect(refusalOf(await publish(manager, offer))).toEqual({
      status: 400,
      code: 'invalid_request',
    });
  });

  it('[O-086] shows in the wallet within 10 s, in every process', async () => {
    const offer = await live();
    const titles = async ({ request }: Pick<TestApp, 'request'>) => {
      const { body, headers } = await request({
        method: 'GET',
        url: `/api/categories/${categoryId}`,
      });
      expect(headers['cache-control']).toBe('public, max-age=5');
      return body.offers.map(({ title }: { title: string }) => title);
    };
    advance(2_000);
    for (const app of [test, other]) expect(await titles(app)).not.toContain('Renamed');
    const saved = (await save(manager, offer, { title: 'Renamed' })).body;
    expect((await publish(manager, saved)).body.outcome).toBe('done');
    // A process answers from its cache for 2 s at most, and a shared cache keeps the answer for 5 s more.
    advance(2_000);
    for (const app of [test, other]) {
      expect(await titles(app)).toContain('Renamed');
      expect(await walletOffer(offer.id, app)).toMatchObject({ title: 'Renamed' });
    }
  });
});

describe('a withdrawn offer', () => {
  it('refuses carts that still hold it, and is put back by publishing', async () => {
    const ada = await test.createUser({ balance: ath(100) });
    const offer = await live();
    const gone = await manager.call('withdrawOffer', {
      params: { id: offer.id },
      version: offer.version,
      body: REASON,
    });
    expect(gone.body.state).toBe('withdrawn');
    const refused = await buy(test, ada, [[offer.id, 1, 1_000]]);
    expect(refusalOf(refused)).toEqual({ status: 409, code: 'offer_unavailable' });
    expect(refused.body.detail).toBe(
      'Nothing was bought. This offer was withdrawn: choose another.',
    );
    const again = await manager.call('withdrawOffer', {
      params: { id: offer.id },
      version: gone.body.version,
      body: REASON,
    });
    expect(refusalOf(again)).toEqual({ status: 409, code: 'offer_state' });
    expect((await publish(manager, gone.body)).body.outcome).toBe('done');
    expect((await buy(test, ada, [[offer.id, 1, 1_000]])).status).toBe(200);
    expect(refusalOf(await publish(manager, await read(offer.id)))).toEqual({
      status: 409,
      code: 'offer_state',
    });
  });
});

describe('the fields', () => {
  it.each<[string, Partial<OfferBody>]>([
    ['/price', { price: '0' }],
    ['/price', { price: '10005000' }],
    ['/price', { price: '1000000000000' }],
    ['/price', { kind: 3 }],
    [
      '/sale_ends_at',
      { sale_starts_at: '2026-12-02T00:00:00Z', sale_ends_at: '2026-12-01T00:00:00Z' },
    ],
    ['/tier_id_min', { tier_id_min: 77 }],
    ['/picture_id', { picture_id: 'f'.repeat(64) }],
    ['/category_id', { category_id: 999_999 }],
    ['/note', { note: 'x'.repeat(10_001) }],
    ['/img', { img: 'https://elsewhere.example/x.png' }],
  ])('name a faulty %s', async (pointer, over) => {
    const { status, body } = await editor.call('createOffer', {
      body: offerBody(categoryId, over),
    });
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  });

  it('keep the kind that was published', async () => {
    const offer = await live();
    const { status, body } = await save(manager, offer, { kind: 1 });
    expect([status, body.errors[0].pointer]).toEqual([400, '/kind']);
  });
});

describe('the list', () => {
  it('filters by state, category and text, page after page', async () => {
    const { category_id: own } = await createOffer(test, { title: 'Sold out', stock_left: 0 });
    const soon = new Date(test.clock.nowMs() + 60_000);
    await createOffer(test, { category_id: own, title: 'Soon', sale_starts_at: soon });
    await createOffer(test, {
      category_id: own,
      title: 'Over',
      sale_ends_at: new Date(test.clock.nowMs() - 1),
    });
    await createOffer(test, { category_id: own, title: 'Low', stock_left: 2, stock_alert_max: 2 });
    await create(editor, { category_id: own, title: 'Draft' });
    const titles = async (query: object) => {
      const { body } = await manager.ask(
        { method: 'GET', path: '/admin/offers' },
        { query: { category_id: own, sort: 'title', ...query } },
      );
      return body.items.map(({ title }: { title: string }) => title);
    };
    expect(await titles({})).toEqual(['Draft', 'Low', 'Over', 'Sold out', 'Soon']);
    const states = ['draft', 'live', 'ended', 'sold_out', 'scheduled'];
    for (const [index, title] of ['Draft', 'Low', 'Over', 'Sold out', 'Soon'].entries()) {
      expect(await titles({ state: states[index] })).toEqual([title]);
    }
    expect(await titles({ q: 'so' })).toEqual(['Sold out', 'Soon']);
    expect(await titles({ stock: 'low' })).toEqual(['Low']);
    advance(1_000);
    const first = (
      await manager.call('consoleOffers', { query: { category_id: own, sort: 'title', limit: 3 } })
    ).body;
    expect(first.count).toEqual({ value: 5, is_at_least: false });
    const rest = (
      await manager.call('consoleOffers', {
        query: { category_id: own, sort: 'title', limit: 3, cursor: first.next_cursor },
      })
    ).body;
    expect(rest.items.map(({ title }: { title: string }) => title)).toEqual(['Sold out', 'Soon']);
  });
});
