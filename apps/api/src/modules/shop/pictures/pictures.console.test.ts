import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { consoleApi } from '@athos/contract/console/calls';
import { changeOffer, createOffer } from '../../../../test/build-catalog.ts';
import { consoleAs, pageHeaders, type ConsoleCaller } from '../../../../test/console.ts';
import { createTestApp, stopClock, type TestApp } from '../../../../test/test-app.ts';
import { removeUnnamedPictures } from './remove-pictures.ts';

/** Below the limit of calls a second. */
const WAIT = { timeout: 10_000, interval: 250 };
const DAY_MS = 24 * 60 * 60_000;
let test: TestApp;
let editor: ConsoleCaller;
let port: number;
beforeAll(async () => {
  test = await createTestApp();
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const address = test.app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => test.close());
// The calls of one person are limited per second.
beforeEach(async () => {
  editor = await consoleAs(test, ['catalogue_editor'], { organisation: 'brand' });
});

const photo = (width: number, height: number, colour = '#f60') =>
  sharp({ create: { width, height, channels: 3, background: colour } });

interface Sent {
  readonly type?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly by?: ConsoleCaller;
}
const upload = (bytes: Buffer, { type = 'image/png', headers, by = editor, ...rest }: Sent = {}) =>
  by.ask(consoleApi.uploadPicture, {
    ...rest,
    body: bytes,
    headers: { 'content-type': type, ...headers },
  });

const uploaded = async (colour: string): Promise<string> => {
  const { body } = await upload(await photo(640, 480, colour).png().toBuffer());
  return body.id;
};
async function storedIds({ isShown = false } = {}): Promise<string[]> {
  const rows = await test.deps.db.selectFrom('pictures').select(['id', 'formats']).execute();
  return rows
    .filter(({ formats }) => !isShown || formats.length > 0)
    .map(({ id }) => id)
    .toSorted();
}
describe('an upload', () => {
  it('is stored, served and in the audit', async () => {
    const bytes = await photo(800, 600, '#123456').jpeg().toBuffer();
    const { status, body, headers } = await upload(bytes, { type: 'image/jpeg' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      width: 800,
      height: 600,
      formats: ['webp'],
      alternative_text: '',
      crop_x: 50,
      crop_y: 50,
      version: 1,
      use_count: 0,
      is_removable: true,
      uses: [],
    });
    expect(headers['etag']).toBeUndefined();
    const file = await test.app.inject({ url: `/media/${body.id}/640.webp` });
    expect(file.statusCode).toBe(200);
    const entries = await test.deps.db
      .selectFrom('audit_entries')
      .select(['action', 'outcome'])
      .where('subject_id', '=', body.id)
      .execute();
    expect(entries).toEqual([{ action: 'picture.upload', outcome: 'done' }]);
  });

  it('answers a repeat with the same key once, and refuses another picture under it', async () => {
    const key = randomUUID();
    const bytes = await photo(400, 300, '#0aa').png().toBuffer();
    const first = await upload(bytes, { key });
    const again = await upload(bytes, { key });
    expect([again.status, again.text]).toEqual([200, first.text]);
    const other = await upload(await photo(400, 300, '#0ab').png().toBuffer(), { key });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
  });

  it('is decided by its content, and serves nothing of what was hidden in the file', async () => {
    const script = Buffer.from('<script>alert(1)</script>');
    const polyglot = Buffer.concat([await photo(700, 500, '#773').jpeg().toBuffer(), script]);
    const { status, body } = await upload(polyglot, { type: 'image/png' });
    expect(status).toBe(200);
    for (const width of body.widths) {
      const file = await test.app.inject({ url: `/media/${body.id}/${width}.webp` });
      expect(file.rawPayload.includes(script)).toBe(false);
    }
    expect((await test.app.inject({ url: `/media/${body.id}/original` })).statusCode).toBe(404);
  });

  it.each([
    ['a script', () => Buffer.from('<script>alert(1)</script>')],
    [
      'an SVG with a script',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['a page that begins like a GIF', () => Buffer.from('GIF89a/*<script>*/=alert(1)')],
    ['a GIF', () => photo(20, 20).gif().toBuffer()],
    ['a TIFF', () => photo(20, 20).tiff().toBuffer()],
    ['nothing', () => Buffer.alloc(0)],
    [
      'a picture that ends early',
      async () =>
        (await photo(500, 500, '#456').png({ compressionLevel: 0 }).toBuffer()).subarray(0, 9_000),
    ],
    [
      'a small file with 54 megapixels',
      () => photo(9_000, 6_000).png({ compressionLevel: 9 }).toBuffer(),
    ],
  ])(
    '[O-085] is refused if it is no picture, whatever it says: %s',
    { tags: 'long' },
    async (_what, make) => {
      const before = await storedIds();
      for (const type of ['image/png', 'image/jpeg']) {
        const { status, body } = await upload(await make(), { type });
        expect([status, body.code]).toEqual([400, 'invalid_request']);
      }
      expect(await storedIds()).toEqual(before);
    },
  );

  it('is refused above 12 MB', async () => {
    const { status, body } = await upload(Buffer.alloc(13 * 1024 * 1024));
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });

  it.each(['application/json', 'image/svg+xml', 'text/plain', 'multipart/form-data; boundary=x'])(
    'is refused unread if it is sent as %s',
    async (type) => {
      const { status, body } = await upload(await photo(9, 9).png().toBuffer(), { type });
      expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    },
  );

  it('[O-041] is refused from another site, and without the header of the page', async () => {
    const bytes = await photo(30, 30).png().toBuffer();
    for (const headers of [
      { origin: 'https://elsewhere.example' },
      { origin: undefined },
      { 'sec-fetch-site': 'same-site' },
      { 'x-console': undefined },
    ]) {
      const { status, body } = await upload(bytes, { headers });
      expect([status, body.code]).toEqual([403, 'foreign_origin']);
    }
  });

  it('is refused to who may only read the catalogue, before a byte is read', async () => {
    const auditor = await consoleAs(test, ['auditor']);
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/admin/pictures',
        headers: {
          ...pageHeaders(test),
          cookie: auditor.setCookie.split(';')[0],
          'content-type': 'image/png',
          'content-length': '9000000',
          'idempotency-key': randomUUID(),
        },
      });
      sent.on('response', (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.flushHeaders();
    });
    expect(answer).toBe(403);
  });

  it('takes four slow senders at once, and frees their places when they leave', async () => {
    const headers = {
      ...pageHeaders(test),
      cookie: editor.setCookie.split(';')[0],
      'content-type': 'image/png',
      'content-length': '9000000',
    };
    const refused: (number | undefined)[] = [];
    const slow = Array.from({ length: 6 }, () => {
      const sent = httpRequest({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/admin/pictures',
        headers: { ...headers, 'idempotency-key': randomUUID() },
      });
      sent.on('error', () => undefined);
      sent.on('response', ({ statusCode }) => refused.push(statusCode));
      sent.write(Buffer.alloc(1_000));
      return sent;
    });
    await vi.waitFor(() => expect(refused).toEqual([503, 503]), WAIT);
    for (const sent of slow) sent.destroy();
    const bytes = await photo(60, 60, '#777').png().toBuffer();
    await vi.waitFor(async () => expect((await upload(bytes)).status).toBe(200), WAIT);
  });

  it('stores each of twenty that come at once, or says that it is too busy', async () => {
    const files = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        photo(300, 200, `#55${(index + 16).toString(16)}55`)
          .png()
          .toBuffer(),
      ),
    );
    const answers = await Promise.all(files.map((bytes) => upload(bytes)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const stored = await storedIds();
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    for (const { body } of done) expect(stored).toContain(body.id);
  });
});

describe('a stored picture', () => {
  it('is described by whoever saw its present state', async () => {
    const id = await uploaded('#a0b');
    const params = { id };
    const change = { alternative_text: ' A stage at night ', crop_x: 20, crop_y: 80 };
    const changed = await editor.call('changePicture', { params, version: 1, body: change });
    expect(changed.body).toMatchObject({
      alternative_text: 'A stage at night',
      crop_x: 20,
      version: 2,
    });
    expect(changed.headers['etag']).toBe('"2"');
    const stale = await editor.call('changePicture', { params, version: 1, body: change });
    expect([stale.status, stale.body.present.version]).toEqual([412, 2]);
    const outside = { ...change, crop_x: 101 };
    expect((await editor.call('changePicture', { params, version: 2, body: outside })).status).toBe(
      400,
    );
    const { body } = await editor.call('pictures', { query: { q: 'STAGE' } });
    expect(body.items.map((row: { id: string }) => row.id)).toEqual([id]);
  });

  it('is shown to customers as it was described', async () => {
    const id = await uploaded('#c0c');
    const offerId = (await createOffer(test, { title: 'Tea' })).id;
    await changeOffer(test, offerId, { picture_id: id });
    const body = { alternative_text: 'Tea', crop_x: 10, crop_y: 30 };
    await editor.call('changePicture', { params: { id }, version: 1, body });
    const answer = await test.request({ url: `/api/offers?ids=${offerId}` });
    expect(answer.body.offers[0].picture).toMatchObject(body);
  });

  it('stays once an offer has named it, and says which one', async () => {
    const [id, otherId] = [await uploaded('#0c1'), await uploaded('#0c2')];
    const offerId = (await createOffer(test, { title: 'Tea' })).id;
    const name = (pictureId: string) => changeOffer(test, offerId, { picture_id: pictureId });
    await name(id);
    const named = await editor.call('picture', { params: { id } });
    expect(named.body).toMatchObject({
      use_count: 1,
      is_removable: false,
      uses: [{ type: 'offer', id: offerId, title: 'Tea' }],
    });
    const used = await editor.call('pictures', { query: { use: 'used' } });
    expect(used.body.items.map((row: { id: string }) => row.id)).toContain(id);
    await name(otherId);
    // The address of the picture is in purchases made in the meantime.
    const refused = await editor.call('removePicture', { params: { id } });
    expect([refused.status, refused.body.code]).toEqual([409, 'picture_in_use']);
  });

  it('lists each picture on one page', async () => {
    const all = await storedIds({ isShown: true });
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { body } = await editor.call('pictures', {
        query: { limit: 3, ...(cursor !== undefined && cursor !== null && { cursor }) },
      });
      expect(body.count.value).toBe(all.length);
      seen.push(...body.items.map((row: { id: string }) => row.id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual(all);
  });
});

describe('an upload that nothing names', () => {
  const fileCount = async (id: string): Promise<number> => {
    const names = ['original', '320.webp', '640.webp', '1280.webp', '320.avif', '640.avif'];
    const isThere = await Promise.all(
      names.map((name) => test.deps.pictureStorage.has(`${id}/${name}`)),
    );
    return isThere.filter(Boolean).length;
  };

  it('is removed with its files at once if staff want it, and can be uploaded again', async () => {
    const id = await uploaded('#0d1');
    expect((await editor.call('removePicture', { params: { id } })).status).toBe(200);
    expect((await editor.call('picture', { params: { id } })).status).toBe(404);
    const { rows } = await sql`
      select from graphile_worker.jobs where task_identifier = 'catalog_remove_pictures'`.execute(
      test.deps.db,
    );
    expect(rows).toHaveLength(1);
    await removeUnnamedPictures(test.deps);
    expect([await fileCount(id), (await storedIds()).includes(id)]).toEqual([0, false]);
    expect(await uploaded('#0d1')).toBe(id);
    expect(await fileCount(id)).toBeGreaterThan(3);
  });

  it('is removed a day later, but not if it was uploaded again or named meanwhile', async () => {
    const advance = stopClock(test);
    const [left, again, named] = [
      await uploaded('#0e1'),
      await uploaded('#0e2'),
      await uploaded('#0e3'),
    ];
    const offerId = (await createOffer(test, { title: 'Tea' })).id;
    await changeOffer(test, offerId, { picture_id: named });
    advance(DAY_MS / 2);
    editor = await consoleAs(test, ['catalogue_editor'], { organisation: 'brand' });
    await uploaded('#0e2');
    advance(DAY_MS / 2);
    await test.deps.db
      .insertInto('pictures')
      .values({ id: 'a'.repeat(64), width: 1, height: 1, formats: [], uploaded_at: new Date(0) })
      .execute();
    await removeUnnamedPictures(test.deps);
    const ids = await storedIds();
    expect([ids.includes(left), ids.includes(again), ids.includes(named)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(ids).not.toContain('a'.repeat(64));
    expect([await fileCount(left), await fileCount(again)]).toEqual([0, 4]);
  });

  it('stays while the draft of a published offer names it', async () => {
    const advance = stopClock(test);
    const id = await uploaded('#0e4');
    const offer = await createOffer(test, { title: 'Tea' });
    await test.deps.db
      .insertInto('offer_drafts')
      .values({
        offer_id: offer.id,
        fields: JSON.stringify({ picture_id: id }),
        saved_by: editor.staffId,
        saved_at: new Date(test.clock.nowMs()),
      })
      .execute();
    const { body } = await editor.call('picture', { params: { id } });
    expect(body).toMatchObject({
      is_removable: false,
      uses: [{ type: 'offer', id: offer.id, title: 'Tea' }],
    });
    advance(2 * DAY_MS);
    await removeUnnamedPictures(test.deps);
    expect(await storedIds()).toContain(id);
  });

  it('stays in the list of what is to be removed while the storage fails', async () => {
    const id = await uploaded('#0f1');
    await editor.call('removePicture', { params: { id } });
    vi.spyOn(test.deps.pictureStorage, 'remove').mockRejectedValueOnce(new Error('no bucket'));
    await expect(removeUnnamedPictures(test.deps)).rejects.toThrow('no bucket');
    expect(await storedIds()).toContain(id);
  });
});
