import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startS3Server, type TestS3Server } from '../../../test/s3-server.ts';
import { createPrivateFiles } from '../files/private-files.ts';
import { createPictureStorage, type PictureStorage } from './picture-storage.ts';

let dir: string;
let server: TestS3Server;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'storage-'));
  server = await startS3Server();
});
afterAll(async () => {
  await rm(dir, { recursive: true });
  await server.close();
});
afterEach(() => {
  vi.useRealTimers();
  server.answerAll(undefined);
});

const bucket = (accessKeyId = 'key-id'): PictureStorage =>
  createPictureStorage({
    kind: 's3',
    endpoint: server.endpoint,
    bucket: 'pictures',
    region: 'eu-north-1',
    accessKeyId,
    secretAccessKey: 'secret',
  });
const folder = (): PictureStorage =>
  createPictureStorage({ kind: 'folder', dir: join(dir, 'media') });

describe.each([
  ['a folder', folder],
  ['a bucket', () => bucket()],
])('pictures in %s', (_kind, open) => {
  it('are read as they were written', async () => {
    const storage = open();
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    expect(await storage.has('a/1.webp')).toBe(false);
    expect(await storage.get('a/1.webp')).toBeUndefined();
    await storage.put('a/1.webp', bytes);
    expect(await storage.has('a/1.webp')).toBe(true);
    expect(await storage.get('a/1.webp')).toEqual(bytes);
  });

  it('may be written concurrently', async () => {
    const storage = open();
    const bytes = Buffer.alloc(200_000, 7);
    await Promise.all(Array.from({ length: 8 }, () => storage.put('b/2.webp', bytes)));
    expect(await storage.get('b/2.webp')).toEqual(bytes);
  });
});

describe('a folder', () => {
  it('keeps no partially written file', async () => {
    // A file takes the place of the folder, so that nothing can be created below it.
    await writeFile(join(dir, 'taken'), '');
    const storage = createPictureStorage({ kind: 'folder', dir: join(dir, 'taken') });
    await expect(storage.put('c/1.webp', Buffer.from('x'))).rejects.toMatchObject({
      code: 'try_again',
    });
    await folder().put('c/1.webp', Buffer.from('x'));
    expect(await readdir(join(dir, 'media/c'))).toEqual(['1.webp']);
  });
});

describe('a folder on a share that is lost', () => {
  it('costs the process only some of its threads, and is refused', { tags: 'long' }, async () => {
    await mkdir(join(dir, 'lost/d'), { recursive: true });
    // Opening a pipe without a writer does not return.
    const pipe = join(dir, 'lost/export');
    execFileSync('mkfifo', [pipe, join(dir, 'lost/d/1.webp')]);
    const exports = createPrivateFiles(join(dir, 'lost'));
    const pictures = createPictureStorage({ kind: 'folder', dir: join(dir, 'lost') });
    // The exports are first, so theirs are the calls that hang.
    const reads = [
      ...Array.from({ length: 20 }, () => exports.read('export')),
      ...Array.from({ length: 20 }, () => pictures.get('d/1.webp')),
    ];
    const settled = Promise.allSettled(reads);
    try {
      const first = [readdir(dir).then(() => 'listed'), settled.then(() => 'given up')];
      expect(await Promise.race(first)).toBe('listed');
      for (const read of await settled) {
        expect(read).toMatchObject({ status: 'rejected', reason: { code: 'try_again' } });
      }
    } finally {
      // Lets the reads that hang return.
      await appendFile(pipe, '');
    }
  });
});

describe('a bucket', () => {
  it('names the object by bucket and file, in a signed request', async () => {
    await bucket().put('d/1.webp', Buffer.from('picture'));
    expect(server.objects.get('/pictures/d/1.webp')).toEqual(Buffer.from('picture'));
  });

  it.each([403, 500, 503])(
    'that responds with %s is not treated as one without the picture',
    async (status) => {
      server.answerAll(status);
      for (const asked of [
        () => bucket().get('e/1.webp'),
        () => bucket().has('e/1.webp'),
        () => bucket().put('e/1.webp', Buffer.from('x')),
      ]) {
        await expect(asked()).rejects.toMatchObject({ code: 'try_again' });
      }
    },
  );

  it('that rejects the key causes an error', async () => {
    await expect(bucket('another').get('d/1.webp')).rejects.toMatchObject({ code: 'try_again' });
  });

  it('that never responds times out after 4 s', async () => {
    server.answerAll('silence');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = bucket().get('d/1.webp');
    const refused = expect(asked).rejects.toMatchObject({
      code: 'try_again',
      options: { detail: 'The pictures cannot be reached.' },
    });
    await vi.advanceTimersByTimeAsync(4_000);
    await refused;
  });
});
