import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';
import { keepPicture, receivePicture, showPicture } from './store-picture.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const photo = (width: number, height: number, colour = '#f60') =>
  sharp({ create: { width, height, channels: 3, background: colour } });

async function storePicture(deps: TestApp['deps'], bytes: Buffer): Promise<string> {
  const received = await receivePicture(deps, bytes);
  await deps.db.transaction().execute((tx) => showPicture(tx, received));
  return received.id;
}

/** Fetches a file of the picture as a browser does. */
async function fetchFile(pictureId: string, file: string) {
  const answer = await test.app.inject({ url: `/media/${pictureId}/${file}` });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
}
const formatsOf = async (pictureId: string) =>
  (
    await test.deps.db
      .selectFrom('pictures')
      .select('formats')
      .where('id', '=', pictureId)
      .executeTakeFirstOrThrow()
  ).formats;

/** Runs the queue once per waiting picture, since it runs one picture job at a time. */
async function makeWaitingFormats(): Promise<void> {
  const pictures = await test.deps.db.selectFrom('pictures').select('formats').execute();
  const waiting = pictures.filter(({ formats }) => !formats.includes('avif'));
  for (let count = 0; count < waiting.length; count += 1) await test.runJobs();
}

describe('an uploaded picture', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'may be %s',
    { tags: 'long' },
    async (format) => {
      const bytes = await photo(1600, 1000)[format]().toBuffer();
      const id = await storePicture(test.deps, bytes);
      expect(id).toBe(createHash('sha256').update(bytes).digest('hex'));
      for (const width of [320, 640, 1280]) {
        const { status, headers, bytes: file } = await fetchFile(id, `${width}.webp`);
        expect(status).toBe(200);
        expect(headers['content-type']).toBe('image/webp');
        expect(await sharp(file).metadata()).toMatchObject({
          format: 'webp',
          width,
          height: (width * 1000) / 1600,
        });
      }
    },
  );

  it('is not enlarged', async () => {
    const id = await storePicture(test.deps, await photo(500, 400).png().toBuffer());
    const { bytes } = await fetchFile(id, '1280.webp');
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 500, height: 400 });
  });

  it('is rotated as recorded by the camera and loses the place where it was taken', async () => {
    const bytes = await photo(800, 400, '#0af')
      .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const id = await storePicture(test.deps, bytes);
    const row = await test.deps.db
      .selectFrom('pictures')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ width: 400, height: 800 });
    const made = await sharp((await fetchFile(id, '320.webp')).bytes).metadata();
    expect(made.exif).toBeUndefined();
    expect([made.width, made.height]).toEqual([320, 640]);
  });

  it('is stored once, however often it is uploaded', async () => {
    const bytes = await photo(700, 400, '#123').png().toBuffer();
    const ids = await Promise.all([1, 2, 3].map(() => storePicture(test.deps, bytes)));
    ids.push(await storePicture(test.deps, bytes));
    expect(new Set(ids).size).toBe(1);
  });

  it('is offered as AVIF once a job has made the AVIF files', { tags: 'long' }, async () => {
    const id = await storePicture(test.deps, await photo(900, 500, '#a31').png().toBuffer());
    expect(await formatsOf(id)).toEqual(['webp']);
    expect((await fetchFile(id, '640.avif')).status).toBe(404);
    await makeWaitingFormats();
    expect(await formatsOf(id)).toEqual(['webp', 'avif']);
    const { headers, bytes } = await fetchFile(id, '640.avif');
    expect(headers['content-type']).toBe('image/avif');
    expect(await sharp(bytes).metadata()).toMatchObject({ compression: 'av1', width: 640 });
  });

  it('is stored unchanged if its files were made before', async () => {
    const files = new Map(
      await Promise.all(
        [320, 640, 1280].map(async (width): Promise<[number, Buffer]> => [
          width,
          await photo(width, width / 2, '#777')
            .webp()
            .toBuffer(),
        ]),
      ),
    );
    const original = files.get(1280) ?? Buffer.alloc(0);
    const id = await keepPicture(test.deps, { width: 1280, height: 640, original, files });
    for (const [width, bytes] of files) {
      expect((await fetchFile(id, `${width}.webp`)).bytes).toEqual(bytes);
    }
  });
});

describe('a picture that is not in the database', () => {
  it('is not looked for in the storage', async () => {
    const get = vi.spyOn(test.deps.pictureStorage, 'get');
    const unknownId = createHash('sha256').update('nobody stored this').digest('hex');
    const known = await storePicture(test.deps, await photo(640, 320, '#5a7').png().toBuffer());
    expect((await fetchFile(unknownId, '640.webp')).status).toBe(404);
    expect((await fetchFile(known, '640.avif')).status).toBe(404);
    expect(get).not.toHaveBeenCalled();
    expect((await fetchFile(known, '640.webp')).status).toBe(200);
    expect(get).toHaveBeenCalledOnce();
  });
});

const animation = async () =>
  sharp([await photo(20, 20).png().toBuffer(), await photo(20, 20, '#000').png().toBuffer()], {
    join: { animated: true },
  })
    .webp()
    .toBuffer();

describe('an upload that is not a picture', () => {
  const refusal = { code: 'invalid_request', status: 400 };

  it.each([
    ['nothing', () => Buffer.alloc(0)],
    ['a text', () => Buffer.from('GIF89a, honestly')],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    [
      'a drawing that may name other files',
      () =>
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>',
        ),
    ],
    ['a document', () => Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj')],
    ['a GIF', () => photo(20, 20).gif().toBuffer()],
    ['an animation', animation],
    ['a head without a body', async () => (await photo(90, 90).png().toBuffer()).subarray(0, 40)],
    ['too many bytes', () => Buffer.alloc(12 * 1024 * 1024 + 1)],
  ])('is refused: %s', async (_what, make) => {
    const ids = test.deps.db.selectFrom('pictures').select('id').orderBy('id');
    const before = await ids.execute();
    await expect(storePicture(test.deps, await make())).rejects.toMatchObject(refusal);
    expect(await ids.execute()).toEqual(before);
  });

  it.each(['jpeg', 'png', 'webp'] as const)('is refused: half a %s', async (format) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const whole = await sharp({
      create: { width: 400, height: 400, channels: 3, background: '#000', noise },
    })
      [format]()
      .toBuffer();
    await expect(
      storePicture(test.deps, whole.subarray(0, whole.length >> 1)),
    ).rejects.toMatchObject(refusal);
  });

  it('is refused: a small file that expands to too many pixels', { tags: 'long' }, async () => {
    const bomb = await photo(9_000, 6_000).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    await expect(storePicture(test.deps, bomb)).rejects.toMatchObject(refusal);
  });
});
