/** The category tree as staff change it and as customers see it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATEGORY_DEPTH_MAX } from '@athos/contract/console/categories';
import { createOffer } from '../../../../test/build-catalog.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { refusalOf, twenty } from '../../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';

let test: TestApp;
let editor: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  editor = await consoleAs(test, ['catalogue_editor'], { organisation: 'brand' });
});
afterAll(() => test.close());

/** Advances the clock, so that the limit of calls of one person does not stop the test. */
const later = (): void => test.clock.advance(2_000);

async function create(title: string, parentId: number | null = null): Promise<number> {
  later();
  const { status, body } = await editor.call('createCategory', {
    body: {
      parent_id: parentId,
      title,
      description: '',
      banner_url: '',
      picture_id: null,
      display_type: 'grid',
    },
  });
  expect(status).toBe(200);
  return body.id;
}

const move = (id: number, parentId: number | null, beforeId: number | null = null) =>
  editor.call('moveCategory', {
    params: { id },
    body: { parent_id: parentId, before_id: beforeId },
  });

async function childrenOf(parentId: number | null): Promise<string[]> {
  const { body } = await editor.call('consoleCategories');
  return body.items
    .filter((item: { parent_id: number | null }) => item.parent_id === parentId)
    .map((item: { title: string }) => item.title);
}

/** The category as the wallet shows it once the cached catalogue has expired. */
async function shown(id: number) {
  later();
  return test.request({ method: 'GET', url: `/api/categories/${id}` });
}

it('adds, orders and moves categories, and the wallet shows them so', async () => {
  const top = await create('Drinks');
  const [one, two, three] = [
    await create('One', top),
    await create('Two', top),
    await create('Three', top),
  ];
  expect(await childrenOf(top)).toEqual(['One', 'Two', 'Three']);
  expect((await move(three, top, one)).status).toBe(200);
  expect(await childrenOf(top)).toEqual(['Three', 'One', 'Two']);
  expect((await move(two, three)).status).toBe(200);
  expect(await childrenOf(top)).toEqual(['Three', 'One']);
  const { body } = await shown(top);
  expect(body.categories.map(({ title }: { title: string }) => title)).toEqual(['Three', 'One']);
  expect((await shown(three)).body.categories).toMatchObject([{ id: two }]);
});

describe('a place', () => {
  it('below itself or below one of its own is refused', async () => {
    const top = await create('Top');
    const child = await create('Child', top);
    const grandchild = await create('Grandchild', child);
    for (const parent of [top, child, grandchild]) {
      expect(refusalOf(await move(top, parent))).toEqual({ status: 409, code: 'category_place' });
    }
    expect(refusalOf(await move(top, 999_999))).toEqual({ status: 409, code: 'category_place' });
    expect(await childrenOf(child)).toEqual(['Grandchild']);
  });

  it('has a bound on its depth, counted with what is below', async () => {
    let parent: number | null = null;
    for (let depth = 1; depth < CATEGORY_DEPTH_MAX; depth += 1)
      parent = await create(`${depth}`, parent);
    const pair = await create('Pair');
    await create('Below', pair);
    expect(refusalOf(await move(pair, parent))).toEqual({ status: 409, code: 'category_place' });
  });

  it('stays free of cycles when two are moved below each other, twenty times at once', async () => {
    const [left, right] = [await create('Left'), await create('Right')];
    const others = await Promise.all(
      [0, 1].map(() => consoleAs(test, ['catalogue_editor'], { organisation: 'brand' })),
    );
    const answers = await twenty((index) => {
      const caller = others[index % 2] ?? editor;
      const [id, parent] = index % 2 === 0 ? [left, right] : [right, left];
      return caller.call('moveCategory', {
        params: { id },
        body: { parent_id: parent, before_id: null },
      });
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const { body } = await editor.call('consoleCategories');
    const parents = new Map<number, number | null>(
      body.items.map((item: { id: number; parent_id: number | null }) => [item.id, item.parent_id]),
    );
    expect([parents.get(left), parents.get(right)]).toContain(null);
  });
});

describe('a change', () => {
  it('names the version that it was made for, and an older one gets the present category', async () => {
    const id = await create('Snacks');
    const change = {
      title: 'Bites',
      description: '',
      banner_url: '',
      picture_id: null,
      display_type: 'row',
    } as const;
    const first = await editor.call('changeCategory', { params: { id }, version: 1, body: change });
    expect([first.status, first.headers['etag']]).toEqual([200, '"2"']);
    const stale = await editor.call('changeCategory', {
      params: { id },
      version: 1,
      body: { ...change, title: 'Nibbles' },
    });
    expect(refusalOf(stale)).toEqual({ status: 412, code: 'version_conflict' });
    expect(stale.body.present).toMatchObject({ title: 'Bites', version: 2 });
  });

  it.each([
    ['/picture_id', { picture_id: 'a'.repeat(64) }],
    ['/banner_url', { banner_url: '//elsewhere.example/x.png' }],
    ['/banner_url', { banner_url: 'javascript:alert(1)' }],
    ['/title', { title: '  ' }],
    ['/title', { title: 'x'.repeat(121) }],
  ])('names a faulty %s', async (pointer, over) => {
    const id = await create('Faulty');
    const answer = await editor.ask(
      { method: 'PATCH', path: '/admin/categories/:id' },
      {
        params: { id },
        version: 1,
        body: {
          title: 'T',
          description: '',
          banner_url: '',
          picture_id: null,
          display_type: 'row',
          ...over,
        },
      },
    );
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  });

  it('runs once for a repeat with its key', async () => {
    const key = randomUUID();
    const body = {
      parent_id: null,
      title: 'Once',
      description: '',
      banner_url: '',
      picture_id: null,
      display_type: 'row',
    } as const;
    const [one, again] = [
      await editor.call('createCategory', { key, body }),
      await editor.call('createCategory', { key, body }),
    ];
    expect(again.body).toEqual(one.body);
    expect((await childrenOf(null)).filter((title) => title === 'Once')).toHaveLength(1);
  });
});

describe('an archived category', () => {
  it('is refused while something in it is on sale, and hidden from customers afterwards', async () => {
    const top = await create('Old');
    const offer = await createOffer(test, { category_id: top });
    const archive = (id: number) => editor.call('archiveCategory', { params: { id } });
    expect(refusalOf(await archive(top))).toEqual({ status: 409, code: 'category_in_use' });
    await test.deps.db
      .updateTable('offers')
      .set({ active: false })
      .where('id', '=', offer.id)
      .execute();
    const child = await create('Below', top);
    expect(refusalOf(await archive(top))).toEqual({ status: 409, code: 'category_in_use' });
    later();
    expect((await archive(child)).status).toBe(200);
    expect((await archive(top)).status).toBe(200);
    expect((await shown(top)).status).toBe(404);
    expect((await shown(child)).status).toBe(404);
    const restore = (id: number) => editor.call('restoreCategory', { params: { id } });
    expect(refusalOf(await restore(child))).toEqual({ status: 409, code: 'category_place' });
    expect((await restore(top)).status).toBe(200);
    expect((await shown(top)).status).toBe(200);
  });
});
