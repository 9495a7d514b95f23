import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';

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
  it('[S7-021] [S3-008] answers the top level in its order, with children and offers', async () => {
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

  it('[S7-022] [S3-010] [D-012] answers one category, its offers priced in hundredths of an ATH', async () => {
    const { status, body } = await get('/categories/3');
    expect(status).toBe(200);
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

  it.each(['/categories/99', '/tiers/99'])('answers 404 for %s', async (url) => {
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
  it('[S7-028] [S3-020] answers all tiers, the highest first, thresholds in micro-units', async () => {
    const { body } = await get('/tiers');
    expect(body.tiers).toEqual([
      { id: 2, title: 'Silver', amount: '500000000', color: '#8d96a3', note: 'More online' },
      { id: 1, title: 'Bronze', amount: '100000000', color: '#a5673f', note: 'Welcome' },
    ]);
  });

  it('answers one tier', async () => {
    expect((await get('/tiers/1')).body.title).toBe('Bronze');
  });
});
