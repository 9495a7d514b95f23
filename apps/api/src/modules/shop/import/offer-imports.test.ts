/** Offers from CSV files, and the files that an export writes for them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { API_PREFIX } from '@athos/contract/call';
import { consoleApi } from '@athos/contract/console/calls';
import { ERRORS } from '@athos/contract/errors';
import { OFFER_IMPORT_ROWS_MAX } from '@athos/contract/console/offer-imports';
import { offerBody } from '../../../../test/build-offer.ts';
import { consoleAs, pageHeaders, type ConsoleCaller } from '../../../../test/console.ts';
import { refusalOf, twenty } from '../../../../test/shop.ts';
import {
  createTestApp,
  stopClock,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';
import { createTasks } from '../../../capabilities.ts';

const MARK = '\ufeff';

let test: TestApp;
let editor: ConsoleCaller;
let advance: (byMs: number) => void;
let categoryId: number;
beforeAll(async () => {
  test = await createTestApp();
  const caller = await consoleAs(test, ['catalogue_editor']);
  const { body } = await caller.call('createCategory', {
    body: {
      parent_id: null,
      title: 'Drinks',
      description: '',
      banner_url: '',
      picture_id: null,
      display_type: 'grid',
    },
  });
  categoryId = body.id;
});
beforeEach(async () => {
  editor = await consoleAs(test, ['catalogue_editor']);
  advance = stopClock(test);
});
afterAll(() => test.close());

function upload(
  content: string | Buffer,
  { by = editor, key = randomUUID(), type = 'text/csv' } = {},
): Promise<TestAnswer> {
  // Calls are limited per second.
  advance(1_000);
  const { method, path } = consoleApi.uploadOfferImport;
  const headers = {
    ...pageHeaders(test),
    cookie: by.setCookie.split(';')[0] ?? '',
    'content-type': type,
  };
  return test.request({ method, url: API_PREFIX + path, key, headers, payload: content });
}

const lines = (...rows: string[]): string => rows.map((row) => `${row}\r\n`).join('');

async function rowsOf(id: string, show?: 'fault' | 'failed' | 'change', by = editor) {
  advance(1_000);
  const query = { limit: 100, ...(show !== undefined && { show }) };
  return (await by.call('offerImportRows', { params: { id }, query })).body.items;
}

async function apply(id: string, toApply: number, key = randomUUID()): Promise<TestAnswer> {
  advance(1_000);
  return editor.call('applyOfferImport', { params: { id }, body: { to_apply: toApply }, key });
}

async function run(id: string) {
  await test.runJobs();
  advance(1_000);
  return (await editor.call('offerImport', { params: { id } })).body;
}

async function createOffer(over: Parameters<typeof offerBody>[1] = {}) {
  advance(1_000);
  const { status, body } = await editor.call('createOffer', {
    body: offerBody(categoryId, over),
  });
  expect(status).toBe(200);
  return body as { id: number; version: number };
}

async function shown(id: number) {
  advance(1_000);
  return (await editor.call('consoleOffer', { params: { id } })).body;
}

/** The file that an export writes. */
async function exported(list: 'offers' | 'categories'): Promise<string> {
  advance(1_000);
  const { body } = await editor.call('exportList', { body: { list, filters: {} } });
  await test.runJobs();
  const link = await editor.call('exportLink', { params: { id: body.id } });
  const { pathname, searchParams } = new URL(link.body.path, 'http://console');
  advance(1_000);
  const path = pathname.slice(API_PREFIX.length) as '/admin/exports';
  const file = await editor.ask(
    { method: 'GET', path },
    { query: { code: searchParams.get('code') ?? '' } },
  );
  return file.text;
}

describe('a file', () => {
  it('says of each row what it would do, and changes nothing yet', async () => {
    const { id } = await createOffer({ title: 'Amber Fizz' });
    const { status, body } = await upload(
      lines(
        'id,category_id,title,kind,price',
        `${id},${categoryId},Amber Fizz,product,12.50`,
        `,${categoryId},Red Fizz,product,11`,
        `${id + 900},${categoryId},Nobody's,product,11`,
        `,${categoryId},,product,free`,
        `,999999,Lost,product,11`,
        `${id},${categoryId},Twice,product,11`,
        `,${categoryId},Short`,
      ),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'checked',
      rows_total: 7,
      found: { new: 1, change: 1, same: 0, fault: 5 },
      to_apply: 2,
    });
    expect(await rowsOf(body.id, 'change')).toMatchObject([
      { row: 2, offer_id: id, before: { price: '10000000' }, after: { price: '12500000' } },
    ]);
    const faults = (await rowsOf(body.id, 'fault')).map(
      (row: { row: number; faults: { column: string }[] }) => [
        row.row,
        ...row.faults.map(({ column }) => column),
      ],
    );
    expect(faults).toEqual([
      [4, 'id'],
      [5, 'price'],
      [6, 'category_id'],
      [7, 'id'],
      [8, ''],
    ]);
    expect((await shown(id)).fields.price).toBe('10000000');
  });

  it('is read with a byte order mark, semicolons, quotes and lines within a cell', async () => {
    const { body } = await upload(
      `${MARK}title;category_id;price;note\r\n"Fizz; ""cold""";${categoryId};12.5;"one\ntwo"\r\n;;;\r\n`,
    );
    expect(await rowsOf(body.id)).toMatchObject([
      { title: 'Fizz; "cold"', finding: 'new', after: { note: 'one\ntwo', price: '12500000' } },
    ]);
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['UTF-16', Buffer.from(`${MARK}title,price\r\nA,1\r\n`, 'utf16le'), /UTF-16/],
    ['Latin-1', Buffer.from('title,price\r\nCaf\u00e9,1\r\n', 'latin1'), /not in UTF-8/],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), /not in UTF-8/],
    ['NUL characters', 'title,price\r\nA\0,1\r\n', /no text/],
    ['an unknown column', 'title,cost\r\nA,1\r\n', /“cost” is none of/],
    ['a column that is there twice', 'title,title\r\nA,B\r\n', /title is there twice/],
    ['no rows', 'title,price\r\n', /no rows/],
    ['nothing', ' ', /none of/],
    ['an open quotation mark', 'title,price\r\n"A,1\r\nB,2\r\n', /quotation mark/],
    ['a misplaced quotation mark', 'title,price\r\n"A"x,1\r\n', /quotation mark/],
    ['too many rows', `title\r\n${'A\r\n'.repeat(OFFER_IMPORT_ROWS_MAX + 1)}`, /more than 5000/],
    ['a million empty rows', `title\r\n${'\n'.repeat(1_000_000)}`, /more than 5000/],
    ['an endless cell', `title\r\n"${'A'.repeat(300_000)}"\r\n`, /cannot be read/],
  ])('is refused whole with %s', async (_what, content, detail) => {
    const answer = await upload(content);
    expect(refusalOf(answer)).toEqual({ status: 422, code: 'invalid_csv' });
    expect(answer.body.detail).toMatch(detail);
  });

  it('is refused above 2 MB, as another type, and from others', async () => {
    const large = await upload(`title\r\n${'A'.repeat(2_000_001)}`);
    expect(refusalOf(large)).toEqual({ status: 413, code: 'body_too_large' });
    const other = await upload('title\r\nA\r\n', { type: 'text/plain' });
    expect(refusalOf(other)).toEqual({ status: 415, code: 'unsupported_media_type' });
    const finance = await consoleAs(test, ['finance']);
    expect((await upload('title\r\nA\r\n', { by: finance })).status).toBe(403);
  });

  it('of 5,000 rows that are all wrong is answered with each of them, page by page', async () => {
    const wrong = `0x1,-,${'x'.repeat(130)},bread,=1+1`;
    const { status, body } = await upload(
      lines('id,category_id,title,kind,price', ...Array.from({ length: 5_000 }, () => wrong)),
    );
    expect([status, body.found.fault, body.to_apply]).toEqual([200, 5_000, 0]);
    const rows = await rowsOf(body.id, 'fault');
    expect(rows).toHaveLength(100);
    expect(refusalOf(await apply(body.id, 0))).toEqual({ status: 400, code: 'invalid_request' });
  });

  it('is checked once by a replay, and belongs to whoever uploaded it', async () => {
    const key = randomUUID();
    const content = lines('title,category_id,price', `Once,${categoryId},1`);
    const first = await upload(content, { key });
    expect((await upload(content, { key })).body).toEqual(first.body);
    const again = await upload(content.replace('Once', 'Twice'), { key });
    expect(again.body.code).toBe('idempotency_key_reused');
    const other = await consoleAs(test, ['catalogue_editor']);
    const params = { id: first.body.id };
    expect((await other.call('offerImport', { params })).status).toBe(404);
    expect((await other.call('offerImportRows', { params })).status).toBe(404);
  });
});

describe('applying a file', () => {
  it('makes drafts of what was not left out, once, with an entry of the audit for each', async () => {
    const { id } = await createOffer({ title: 'Blue Fizz' });
    const { body } = await upload(
      lines(
        'id,title,category_id,price',
        `${id},Blue Fizz 0.5 l,${categoryId},14`,
        `,Import one,${categoryId},3`,
        `,Import two,${categoryId},4`,
      ),
    );
    advance(1_000);
    const params = { id: body.id };
    const skipped = await editor.call('skipOfferImportRows', {
      params,
      body: { rows: [4], is_skipped: true },
    });
    expect(skipped.body).toMatchObject({ skipped: 1, to_apply: 2 });
    expect(refusalOf(await apply(body.id, 3)).code).toBe('invalid_request');
    const key = randomUUID();
    const started = await apply(body.id, 2, key);
    expect(started.body.state).toBe('waiting');
    expect((await apply(body.id, 2, key)).body).toEqual(started.body);
    expect(refusalOf(await apply(body.id, 2)).code).toBe('invalid_request');
    expect(await run(body.id)).toMatchObject({ state: 'done', applied: 2, failed: 0 });
    const tasks = createTasks(test.deps).upkeep;
    await tasks['offer_import_run']?.({ id: body.id }, {} as never);
    const rows = await rowsOf(body.id);
    expect((await shown(id)).fields.title).toBe('Blue Fizz 0.5 l');
    const added = await shown(rows[1].offer_id);
    expect([added.state, added.fields.title, added.fields.price]).toEqual([
      'draft',
      'Import one',
      '3000000',
    ]);
    const entries = await test.deps.db
      .selectFrom('audit_entries')
      .select(['action', 'subject_id', 'staff_id'])
      .where('request_id', '=', `import ${body.id}`)
      .orderBy('seq')
      .execute();
    expect(entries).toEqual([
      { action: 'offer.save', subject_id: `${id}`, staff_id: editor.staffId },
      { action: 'offer.create', subject_id: `${rows[1].offer_id}`, staff_id: editor.staffId },
    ]);
  });

  it('changes a published offer in its draft, and fails a row whose offer somebody changed', async () => {
    const [sold, edited] = [await createOffer(), await createOffer()];
    await test.deps.db
      .updateTable('offers')
      .set({ is_draft: false, active: true })
      .where('id', '=', sold.id)
      .execute();
    const { body } = await upload(
      lines('id,price', `${sold.id},25`, `${edited.id},26`, `${edited.id + 1},27`),
    );
    advance(1_000);
    await editor.call('saveOffer', {
      params: { id: edited.id },
      version: edited.version,
      body: offerBody(categoryId, { title: 'Edited by hand' }),
    });
    await apply(body.id, 2);
    expect(await run(body.id)).toMatchObject({ applied: 1, failed: 1 });
    const offer = await shown(sold.id);
    expect([offer.state, offer.fields.price, offer.draft.fields.price]).toEqual([
      'live',
      '10000000',
      '25000000',
    ]);
    expect(await rowsOf(body.id, 'failed')).toMatchObject([
      { offer_id: edited.id, failure: ERRORS.version_conflict.title },
    ]);
    expect((await shown(edited.id)).fields.title).toBe('Edited by hand');
  });

  it('starts once if twenty ask at the same time, and stops for a person who was suspended', async () => {
    const { body } = await upload(
      lines(
        'title,category_id,price',
        ...Array.from({ length: 60 }, (_, n) => `N${n},${categoryId},1`),
      ),
    );
    advance(1_000);
    const answers = await twenty(() =>
      editor.call('applyOfferImport', { params: { id: body.id }, body: { to_apply: 60 } }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await test.deps.db
      .updateTable('staff')
      .set({ state: 'suspended' })
      .where('id', '=', editor.staffId)
      .execute();
    await test.runJobs();
    const rows = await test.deps.db
      .selectFrom('offer_import_rows')
      .select('outcome')
      .where('import_id', '=', body.id)
      .execute();
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['failed']));
  });

  it('ends a day after the check, and is deleted', async () => {
    const { body } = await upload(lines('title,category_id,price', `Late,${categoryId},1`));
    advance(24 * 3_600_000 + 1);
    await createTasks(test.deps).upkeep['offer_imports_delete_old']?.({}, {} as never);
    editor = await consoleAs(test, ['catalogue_editor']);
    const found = await test.deps.db
      .selectFrom('offer_imports')
      .select('id')
      .where('id', '=', body.id)
      .execute();
    expect(found).toEqual([]);
  });
});

describe('an export', () => {
  it('of offers changes nothing when it is imported, whatever their texts are', async () => {
    await createOffer({
      title: '=HYPERLINK("http://x")',
      note: '\'=quoted\n=SUM(A1)\r\n"two"; three,\ttab',
      price: '12340000',
      price_windows: [
        {
          price: '9000000',
          starts_at: '2030-01-01T10:00:00.000Z',
          ends_at: '2030-01-01T12:00:00.000Z',
        },
      ],
      sale_ends_at: '2031-01-01T00:00:00.000Z',
      user_count_max: 3,
    });
    await createOffer({ title: "'-5 % on all", note: '', kind: 3, price: '0' });
    const file = await exported('offers');
    expect(file.split('\r\n')[0]).toBe(
      `${MARK}id,status,category,merchant,price_units,stock_left,category_id,kind,title,note,price,price_windows,sale_starts_at,sale_ends_at,user_count_max,tier_id_min,merchant_id,display_type,picture_id,img`,
    );
    // No line begins with a formula, not even within a cell that is not quoted.
    expect(file).toContain("'=HYPERLINK");
    const { body } = await upload(file);
    expect(body.found).toEqual({ new: 0, change: 0, same: body.rows_total, fault: 0 });
    expect(body.rows_total).toBeGreaterThan(5);
  });

  it('of categories has their ids, which the rows of offers name', async () => {
    expect(await exported('categories')).toContain(`\r\n${categoryId},,1,shown,Drinks,`);
  });
});
