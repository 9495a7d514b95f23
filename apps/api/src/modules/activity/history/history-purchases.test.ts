import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { changeOffer, createOffer } from '../../../../test/build-catalog.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath, buy, tip } from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const history = (user: TestUser, query = '') =>
  test.request({ method: 'GET', url: `/api/all_history${query}`, user });

interface Item {
  type: string;
  data: { id: number; amount?: string; offer_amount?: number };
}

/** Reads all entries, page by page. */
async function readAll(user: TestUser, query: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await history(user, `?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(page.status).toBe(200);
    items.push(...page.body.history);
    cursor = page.body.next_cursor;
    expect(items.length).toBeLessThan(1_000);
  }
  return items;
}

describe('purchases in the history', () => {
  it('[D-172] give offer_amount in hundredths: for a cart line its total, with offer_count, and for a tip the amount tipped', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const [shirt, show] = [
      await createOffer(test, { price_ath_hundredths: 1_250 }),
      await createOffer(test, { price_ath_hundredths: 333, kind: 1 }),
    ];
    const jar = await createOffer(test, { kind: 3 });
    await buy(test, user, [
      [shirt.id, 2],
      [show.id, 3],
    ]);
    const { body: tipped } = await tip(test, user, { offer_id: jar.id, amount: '1230000' });
    const { body } = await history(user, '?type=Purchase');
    const words = ({ title, img, note }: typeof shirt) => ({ title, img, note });
    const data = { id: expect.any(Number), date: expect.any(String) };
    expect(body.history).toEqual([
      {
        type: 'Purchase',
        data: {
          ...data,
          id: tipped.id,
          purchase_date: body.history[0].data.date,
          offer_amount: 123,
          offer_count: 1,
          offer: { kind: 3, ...words(jar) },
        },
      },
      {
        type: 'Purchase',
        data: {
          ...data,
          purchase_date: body.history[1].data.date,
          offer_amount: 999,
          offer_count: 3,
          offer: { kind: 1, ...words(show) },
        },
      },
      {
        type: 'Purchase',
        data: {
          ...data,
          purchase_date: body.history[2].data.date,
          offer_amount: 2_500,
          offer_count: 2,
          offer: { kind: 0, ...words(shirt) },
        },
      },
    ]);
  });

  it('show an offer as it was bought, even if it has changed since', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const offer = await createOffer(test, { title: 'Before' });
    await buy(test, user, [[offer.id, 1]]);
    await changeOffer(test, offer.id, { title: 'After', price_ath_hundredths: 5 });
    const { body } = await history(user, '?type=Purchase');
    expect(body.history[0].data).toMatchObject({ offer_amount: 1_000, offer: { title: 'Before' } });
  });

  it('are returned one by one by id, only to the payer', async () => {
    const [user, other] = [await test.createUser({ balance: ath(100) }), await test.createUser()];
    const offer = await createOffer(test);
    await buy(test, user, [[offer.id, 2]]);
    const [item] = (await history(user, '?type=Purchase')).body.history;
    const one = (reader: TestUser) =>
      test.request({ method: 'GET', url: `/api/all_history/${item.data.id}`, user: reader });
    expect((await one(user)).body).toEqual(item);
    expect((await one(other)).status).toBe(404);
  });
});

describe('tips in the history', () => {
  it('[D-046] are a Purchase of kind 3 for the payer and a Receive without an address for the beneficiary', async () => {
    const [payer, artist] = [await test.createUser({ balance: ath(100) }), await test.createUser()];
    const offer = await createOffer(test, { kind: 3, beneficiary_user_id: artist.userId });
    const words = { tip_from: 'Ada', note: 'Thank you' };
    const payload = { offer_id: offer.id, amount: '5000000' };
    const { body: tipped } = await tip(test, payer, { ...payload, ...words });
    const { body: paid } = await history(payer);
    expect(paid.history[0]).toMatchObject({
      type: 'Purchase',
      data: { id: tipped.id, offer_amount: 500, offer: { kind: 3, title: offer.title } },
    });
    const received = {
      type: 'Receive',
      data: {
        id: tipped.id,
        date: paid.history[0].data.date,
        amount: '5000000',
        asset: 'ATH',
        counterparty: null,
        ...words,
      },
    };
    expect((await history(artist)).body.history).toEqual([received]);
    const one = { method: 'GET', url: `/api/all_history/${tipped.id}`, user: artist } as const;
    expect((await test.request(one)).body).toEqual(received);
  });

  it('show their name and note to the beneficiary, even if two givers used the same key', async () => {
    const [ada, ben, artist] = [
      await test.createUser({ balance: ath(10) }),
      await test.createUser({ balance: ath(10) }),
      await test.createUser(),
    ];
    const offer = await createOffer(test, { kind: 3, beneficiary_user_id: artist.userId });
    const key = randomUUID();
    const payload = { offer_id: offer.id, amount: '10000' };
    await tip(test, ada, { ...payload, tip_from: 'Ada' }, key);
    await tip(test, ben, { ...payload, note: 'From nobody' }, key);
    const { body } = await history(artist);
    expect(body.history).toMatchObject([
      { type: 'Receive', data: { tip_from: '', note: 'From nobody' } },
      { type: 'Receive', data: { tip_from: 'Ada', note: '' } },
    ]);
  });

  it('appear once each on the pages of a user who gives and receives tips', async () => {
    const [ada, ben] = [
      await test.createUser({ balance: ath(100) }),
      await test.createUser({ balance: ath(100) }),
    ];
    const toAda = await createOffer(test, { kind: 3, beneficiary_user_id: ada.userId });
    const toBen = await createOffer(test, { kind: 3, beneficiary_user_id: ben.userId });
    const product = await createOffer(test, { price_ath_hundredths: 1 });
    for (let hundredths = 1; hundredths <= 5; hundredths += 1) {
      const amount = `${hundredths}0000`;
      await tip(test, ada, { offer_id: toBen.id, amount });
      await tip(test, ben, { offer_id: toAda.id, amount });
      await buy(test, ada, [[product.id, hundredths]]);
    }
    for (const limit of [1, 2, 3, 100]) {
      const purchases = await readAll(ada, `type=Purchase&limit=${limit}`);
      expect(purchases.map(({ data }) => data.offer_amount)).toEqual([
        5, 5, 4, 4, 3, 3, 2, 2, 1, 1,
      ]);
      const receipts = await readAll(ada, `type=Receive&limit=${limit}`);
      expect(receipts.map(({ data }) => data.amount)).toEqual([
        '50000',
        '40000',
        '30000',
        '20000',
        '10000',
      ]);
      // Includes the opening balance.
      expect(await readAll(ada, `limit=${limit}`)).toHaveLength(16);
    }
  });
});

describe('the search of the history', () => {
  it('finds purchases and tips by their titles, beside what was noted', async () => {
    const user = await test.createUser({ balance: ath(100) });
    const [shirt, show] = [
      await createOffer(test, { title: 'Blue **Shirt**', price_ath_hundredths: 100 }),
      await createOffer(test, { title: 'Night of Jazz', price_ath_hundredths: 200 }),
    ];
    const jar = await createOffer(test, { title: 'The jazz band', kind: 3 });
    await buy(test, user, [
      [shirt.id, 1],
      [show.id, 1],
    ]);
    await tip(test, user, { offer_id: jar.id, amount: '1000000' });
    const ids = async (query: string) => (await readAll(user, query)).map(({ data }) => data.id);
    const [tipped, ...bought] = await ids('type=Purchase');
    const [shirtId] = await ids('q=SHIRT');
    expect(bought).toContain(shirtId);
    const jazz = await ids('q=jazz&limit=1');
    expect(jazz).toEqual([tipped, ...bought.filter((id) => id !== shirtId)]);
    expect(await ids('q=jazz&amount_max=1000000')).toEqual([tipped]);
    expect(await ids('q=jazz&direction=in')).toEqual([]);
    const url = `/api/all_history/${shirtId}/note`;
    const payload = { note: 'jazz too', labels: ['Fun'] };
    await test.request({ method: 'PUT', url, payload, user });
    expect(new Set(await ids('q=jazz'))).toEqual(new Set([...jazz, shirtId]));
    expect(await ids('q=shirt&label=fun')).toEqual([shirtId]);
    expect(await ids('q=jazz&label=fun')).toEqual([shirtId]);
    const other = await test.createUser();
    expect((await history(other, '?q=jazz')).body.history).toEqual([]);
  });
});
