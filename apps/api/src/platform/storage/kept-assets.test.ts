/** Two builds are served at the same time while processes are replaced: each process serves the assets of both. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordLog } from '../../../test/recorded-log.ts';
import { registerWebApps } from '../http/web-apps.ts';
import { createKeptAssets, type KeptAssets } from './kept-assets.ts';
import { createPictureStorage, type PictureStorage } from './picture-storage.ts';

const KEY = 'a key for hashes of at least 32 characters';
const { log, lines } = recordLog();

let folder: string;
let bucket: string;
let getCount = 0;
const started: FastifyInstance[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'builds-'));
  bucket = join(folder, 'bucket');
});
afterAll(async () => {
  for (const app of started) await app.close();
  await rm(folder, { recursive: true });
});

function keptWith(over: Partial<PictureStorage> = {}): KeptAssets {
  const storage = createPictureStorage({ kind: 'folder', dir: bucket });
  const pictureStorage = {
    ...storage,
    get: (name: string) => {
      getCount += 1;
      return storage.get(name);
    },
    ...over,
  };
  return createKeptAssets({ pictureStorage, config: { hashingKeys: [KEY] }, log });
}

/** A process with a build whose only script of each app has this name. */
async function start(build: string, script: string, kept = keptWith()): Promise<FastifyInstance> {
  const dist = (app: string): string => join(folder, build, app);
  for (const app of ['wallet', 'scanner']) {
    await mkdir(join(dist(app), 'assets'), { recursive: true });
    await writeFile(join(dist(app), 'index.html'), `<head><title>${app}</title></head>`);
    await writeFile(join(dist(app), 'assets', script), `// ${app} of ${build}`);
    await writeFile(join(dist(app), 'assets', `${script}.map`), 'private');
  }
  const app = Fastify();
  await registerWebApps(
    app,
    {
      staticDir: dist('wallet'),
      scannerStaticDir: dist('scanner'),
      isRehearsal: false,
      hasServiceWorker: true,
      stripe: { publishableKey: 'pk_test_x', scriptUrl: 'http://127.0.0.1:1/stripe.js' },
      analyticsUrl: undefined,
      analyticsDomain: undefined,
    },
    { apps: ['wallet', 'scanner'], keptAssets: kept },
  );
  for (const name of ['wallet', 'scanner']) await kept.keep(name, dist(name));
  started.push(app);
  return app;
}

const get = async (app: FastifyInstance, url: string) => {
  const { statusCode, headers, body } = await app.inject({ method: 'GET', url });
  return { status: statusCode, headers, body };
};

it('[P-054] every process serves the built assets of every other, and of builds before', async () => {
  const old = await start('old', 'index-AAAAAAAA.js');
  const fresh = await start('new', 'index-BBBBBBBB.js');
  for (const app of [old, fresh]) {
    for (const [script, build] of [
      ['index-AAAAAAAA.js', 'old'],
      ['index-BBBBBBBB.js', 'new'],
    ] as const) {
      for (const [path, name] of [
        ['', 'wallet'],
        ['/scanner', 'scanner'],
      ] as const) {
        const { status, headers, body } = await get(app, `${path}/assets/${script}`);
        expect([status, body]).toEqual([200, `// ${name} of ${build}`]);
        expect(headers['content-type']).toMatch(/javascript/);
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      }
    }
  }
  // The second answer comes from memory.
  const before = getCount;
  await get(fresh, '/assets/index-AAAAAAAA.js');
  expect(getCount).toBe(before);
});

it('serves nothing else that is stored: no other kind, no other folder, no name that no build makes', async () => {
  const app = await start('kinds', 'index-CCCCCCCC.js');
  const before = getCount;
  for (const name of [
    'index-AAAAAAAA.js.map',
    'page-AAAAAAAA.html',
    '..%2Fbuild-wallet%2Findex-AAAAAAAA.js',
    `${'x'.repeat(200)}-AAAAAAAA.js`,
  ]) {
    expect((await get(app, `/assets/${name}`)).status).toBe(404);
  }
  expect(getCount).toBe(before);
  expect((await get(app, '/assets/index-DDDDDDDD.js')).status).toBe(404);
  expect((await get(app, '/assets/index-DDDDDDDD.js')).status).toBe(404);
  expect(getCount).toBe(before + 1);
});

it('does not serve what somebody else wrote into the bucket, or moved there', async () => {
  await start('real', 'index-EEEEEEEE.js');
  const app = await start('other', 'index-FFFFFFFF.js');
  const stored = join(bucket, 'build-wallet/index-EEEEEEEE.js');
  const bytes = await readFile(stored);
  await writeFile(join(bucket, 'build-wallet/index-GGGGGGGG.js'), bytes);
  await writeFile(stored, Buffer.concat([bytes, Buffer.from('stolen()')]));
  for (const name of ['index-EEEEEEEE.js', 'index-GGGGGGGG.js']) {
    expect((await get(app, `/assets/${name}`)).status).toBe(404);
  }
  expect(lines.filter((line) => line.includes('was changed'))).toHaveLength(2);
});

it('starts and serves its own build while the bucket is away', async () => {
  const away = () => Promise.reject(new Error('the bucket is away'));
  const app = await start('alone', 'index-HHHHHHHH.js', keptWith({ put: away, get: away }));
  expect((await get(app, '/assets/index-HHHHHHHH.js')).status).toBe(200);
  expect((await get(app, '/assets/index-AAAAAAAA.js')).status).toBe(500);
});
