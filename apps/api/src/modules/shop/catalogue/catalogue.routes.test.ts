import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';
import { AppError } from '../../../platform/errors.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  const { db } = test.deps;
  const category = { description: 'd', banner_url: '/art/a.svg', display_type: 'row' as const };
  await db
    .insertInto('categories')
    .values([
      { ...category, id: 1, parent_id: null, title: 'Second', position: 2 },
      { ...category, id: 2, parent_id: null, title: 'First', position: 1, display_type: 'grid' },
      { ...category, id: 3, parent_id: 2, title: 'Child', position: 1 },
    ])
    .execute();
  const offer = {
    note: '**n**',
    img: '/art/b.svg',
    display_type: 'standard' as const,
    position: 1,
  };
  await db
    .insertInto('offers')
    .values([
      {
        ...offer,
        id: 10,
        category_id: 3,
        title: 'In the child',
        price_ath_hundredths: 1250,
        kind: 1,
      },
      {
        ...offer,
        id: 11,
        category_id: 2,
        title: 'In the parent',
        price_ath_hundredths: 0,
        kind: 3,
        active: false,
      },
    ])
    .execute();
  await db
    .insertInto('tiers')
    .values([
      { id: 1, title: 'Bronze', amount_micro_ath: 100_000_000n, color: '#a5673f', note: 'Welcome' },
      {
        id: 2,
        title: 'Silver',
        amount_micro_ath: 500_000_000n,
        color: '#8d96a3',
        note: 'More online',
      },
    ])
    .execute();
});
afterAll(() => test.close());

const get = (url: string) => test.request({ method: 'GET', url: `/api${url}` });

describe('categories', () => {
  it('[S7-021] [S3-008] returns the top level in its order, with children and offers', async () => {
    const { status, body, headers } = await get('/categories');
    expect(status).toBe(200);
    expect(body.categories.map(({ title }: { title: string }) => title)).toEqual([
      'First',
      'Second',
    ]);
    expect(body.categories[0]).toEqual({
      id: 2,
      parent_id: null,
      title: 'First',
      description: 'd',
      banner_url: '/art/a.svg',
      position: 1,
      display_type: 'grid',
      picture: null,
      offers: [expect.objectContaining({ id: 11, active: false })],
      categories: [expect.objectContaining({ id: 3, parent_id: 2, categories: [] })],
    });
    expect(headers['cache-control']).toBe('public, max-age=5');
  });

  it('[S7-022] [S3-010] [D-012] returns one category with its children and offers, priced in hundredths of an ATH', async () => {
    const parent = await get('/categories/2');
    expect(parent.body).toMatchObject({
      id: 2,
      categories: [{ id: 3, parent_id: 2, title: expect.any(String) }],
      offers: [{ id: 11, amount_cents: 0 }],
    });
    const { status, body } = await get('/categories/3');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 3, parent_id: 2, categories: [] });
    expect(body.offers).toEqual([
      {
        id: 10,
        category_id: 3,
        title: 'In the child',
        note: '**n**',
        img: '/art/b.svg',
        amount_cents: 1250,
        kind: 1,
        display_type: 'standard',
        active: true,
        picture: null,
        stock_left: null,
        sale_starts_at: null,
        sale_ends_at: null,
        user_count_max: null,
        tier_id_min: null,
      },
    ]);
  });

  it.each(['/categories/99', '/tiers/99'])('responds with 404 for %s', async (url) => {
    expect((await get(url)).body.code).toBe('not_found');
  });

  it.each([
    '/categories/x',
    '/categories/0',
    '/categories/1.5',
    '/categories/-1',
    "/tiers/1'--",
    '/tiers/99999999999',
  ])('refuses the id of %s', async (url) => {
    expect([400, 404]).toContain((await get(url)).status);
  });
});

describe('tiers', () => {
  it('[S7-028] [S3-020] returns all tiers, the highest first, with thresholds in micro-units', async () => {
    const { body } = await get('/tiers');
    expect(body.tiers).toEqual([
      { id: 2, title: 'Silver', amount: '500000000', color: '#8d96a3', note: 'More online' },
      { id: 1, title: 'Bronze', amount: '100000000', color: '#a5673f', note: 'Welcome' },
    ]);
  });

  it('returns one tier', async () => {
    expect((await get('/tiers/1')).body.title).toBe('Bronze');
  });
});

describe('a cached response', () => {
  it('has an ETag that stays the same until the content changes', async () => {
    const first = await get('/categories');
    const etag = String(first.headers['etag']);
    const again = (value: string) =>
      test.request({ method: 'GET', url: '/api/categories', headers: { 'if-none-match': value } });
    for (const value of [etag, `"x", ${etag}`, etag.replace('W/', ''), '*']) {
      const { status, text, headers } = await again(value);
      expect([status, text, headers['etag']]).toEqual([304, '', etag]);
      expect(headers['cache-control']).toBe('public, max-age=5');
    }
    expect((await again('W/"other"')).status).toBe(200);
  });

  it('is compressed for callers who accept that', async () => {
    const plain = await test.app.inject({ url: '/api/categories' });
    const zipped = await test.app.inject({
      url: '/api/categories',
      headers: { 'accept-encoding': 'br;q=0.5, gzip' },
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.headers['vary']).toBe('accept-encoding');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
    const refused = await test.app.inject({
      url: '/api/categories',
      headers: { 'accept-encoding': 'gzip;q=0' },
    });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it('shows a change within 10 s: the server keeps it for 2 s and caches for 5 s', async () => {
    const titleOf = async (): Promise<string> => (await get('/categories/3')).body.title;
    test.clock.advance(2_000);
    expect(await titleOf()).toBe('Child');
    await test.deps.db
      .updateTable('categories')
      .set({ title: 'Renamed' })
      .where('id', '=', 3)
      .execute();
    expect(await titleOf()).toBe('Child');
    test.clock.advance(2_000);
    expect(await titleOf()).toBe('Renamed');
    expect((await get('/categories/3')).headers['cache-control']).toBe('public, max-age=5');
  });

  it('is loaded once for concurrent requests, in two queries', async () => {
    test.clock.advance(2_000);
    const asked = vi.spyOn(test.deps.db.getExecutor(), 'executeQuery');
    const answers = await Promise.all(Array.from({ length: 60 }, () => get('/categories')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(asked).toHaveBeenCalledTimes(2);
    asked.mockRestore();
  });

  it('is not evicted by requests for unknown ids', async () => {
    const nowMs = test.clock.nowMs();
    const standing = vi.spyOn(test.clock, 'nowMs').mockReturnValue(nowMs);
    await get('/categories');
    for (let first = 5_000; first < 5_600; first += 50) {
      const ids = Array.from({ length: 50 }, (_, index) => first + index);
      const answers = await Promise.all(ids.map((id) => get(`/categories/${id}`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    }
    const asked = vi.spyOn(test.deps.db.getExecutor(), 'executeQuery');
    expect((await get('/categories')).status).toBe(200);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    standing.mockRestore();
  });

  it('is loaded again after a failed load', async () => {
    test.clock.advance(2_000);
    const asked = vi
      .spyOn(test.deps.db.getExecutor(), 'executeQuery')
      .mockRejectedValueOnce(Object.assign(new Error('too slow'), { code: '57014' }));
    expect((await get('/categories')).status).toBe(503);
    expect((await get('/categories')).status).toBe(200);
    asked.mockRestore();
  });
});

describe('GET offers', () => {
  it('returns the current state of the offers that exist, ordered by id', async () => {
    const idsOf = async (ids: string) =>
      (await get(`/offers?ids=${ids}`)).body.offers.map(({ id }: { id: number }) => id);
    expect(await idsOf('11,10,11')).toEqual([10, 11]);
    expect(await idsOf('10,99,9999999999,0')).toEqual([10]);
    expect(await idsOf('99')).toEqual([]);
  });

  it('is never cached: a changed price shows at once', async () => {
    const priceOf = async () => (await get('/offers?ids=10')).body.offers[0].amount_cents;
    expect(await priceOf()).toBe(1250);
    const change = (cents: number) =>
      test.deps.db
        .updateTable('offers')
        .set({ price_ath_hundredths: cents })
        .where('id', '=', 10)
        .execute();
    await change(1300);
    expect(await priceOf()).toBe(1300);
    await change(1250);
    const { headers } = await get('/offers?ids=10');
    expect(headers['cache-control']).toBe('public, no-cache');
    const again = await test.request({
      method: 'GET',
      url: '/api/offers?ids=10',
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect(again.status).toBe(304);
  });

  it('returns stock, sale window, limit per user and minimum tier', async () => {
    await test.deps.db
      .updateTable('offers')
      .set({
        stock_left: 3,
        sale_starts_at: new Date('2026-01-01T10:00:00Z'),
        sale_ends_at: new Date('2027-01-01T10:00:00Z'),
        user_count_max: 2,
        tier_id_min: 1,
      })
      .where('id', '=', 10)
      .execute();
    expect((await get('/offers?ids=10')).body.offers[0]).toMatchObject({
      stock_left: 3,
      sale_starts_at: '2026-01-01T10:00:00.000Z',
      sale_ends_at: '2027-01-01T10:00:00.000Z',
      user_count_max: 2,
      tier_id_min: 1,
    });
  });

  it('does not reveal who receives a tip', async () => {
    expect((await get('/offers?ids=11')).text).not.toContain('beneficiary');
  });

  it.each(['', 'a', '1,', ',1', '1;2', '-1', "1'--", '12345678901', Array(51).fill('1').join(',')])(
    'refuses the ids "%s"',
    async (ids) => {
      const { status, body } = await get(`/offers?ids=${encodeURIComponent(ids)}`);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('a stored picture', () => {
  const id = 'a'.repeat(64);
  beforeAll(async () => {
    const { db, pictureStorage } = test.deps;
    await pictureStorage.put(`${id}/640.webp`, Buffer.from('webp'));
    await pictureStorage.put(`${id}/original`, Buffer.from('original'));
    await db
      .insertInto('pictures')
      .values({ id, width: 600, height: 375, formats: ['avif', 'webp'] })
      .execute();
    await db.updateTable('offers').set({ picture_id: id }).where('id', '=', 10).execute();
    await db.updateTable('categories').set({ picture_id: id }).where('id', '=', 2).execute();
    test.clock.advance(2_000);
  });

  it('is shown for an offer and a category, and takes precedence over an explicit address', async () => {
    const picture = {
      id,
      width: 600,
      height: 375,
      widths: [320, 640],
      formats: ['webp', 'avif'],
    };
    const { body } = await get('/categories/2');
    expect(body).toMatchObject({ picture, banner_url: `/media/${id}/640.webp` });
    const [offer] = (await get('/offers?ids=10')).body.offers;
    expect(offer).toMatchObject({ picture, img: `/media/${id}/640.webp` });
  });

  it('is served as immutable, with its own content type', async () => {
    const answer = await test.app.inject({ url: `/media/${id}/640.webp` });
    expect([answer.statusCode, answer.body]).toEqual([200, 'webp']);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const head = await test.app.inject({ method: 'HEAD', url: `/media/${id}/640.webp` });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  it.each([
    `${'b'.repeat(64)}/640.webp`,
    `${id}/641.webp`,
    `${id}/640.png`,
    `${id}/640.webp.part`,
    `${id}/original`,
    `${id.toUpperCase()}/640.webp`,
    `${id}/..%2f..%2f..%2fetc%2fpasswd`,
    `..%2f${id}/640.webp`,
    `../../etc/passwd`,
    `%2e%2e/640.webp`,
    `${id}%00/640.webp`,
    `${id}/640.webp%00`,
    `${id}/`,
    id,
    `${'a'.repeat(4_000)}/640.webp`,
  ])('is not at /media/%s, and nothing else is', async (path) => {
    const { statusCode, headers, json } = await test.app.inject({ url: `/media/${path}` });
    expect([statusCode, json().code]).toEqual([404, 'not_found']);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('is refused with 503, not 404, while the storage is down', async () => {
    vi.spyOn(test.deps.pictureStorage, 'get').mockRejectedValueOnce(
      new AppError('try_again', { retryAfterSeconds: 2 }),
    );
    const answer = await test.app.inject({ url: `/media/${id}/640.webp` });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '2' });
  });
});
