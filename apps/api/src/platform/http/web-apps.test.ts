import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { registerWebApps } from './web-apps.ts';

const folder = mkdtempSync(join(tmpdir(), 'web-apps-'));
const SLOT = '<script id="settings" type="application/json">{}</script>';
let app: FastifyInstance;

function writeApp(name: string): string {
  const dist = join(folder, name);
  mkdirSync(join(dist, 'assets'), { recursive: true });
  writeFileSync(
    join(dist, 'index.html'),
    `<head><title>${name}</title>${SLOT}</head><body></body>`,
  );
  writeFileSync(join(dist, 'assets/index-abc.js'), `// ${name}`);
  writeFileSync(join(dist, 'icon.svg'), `<svg id="${name}"/>`);
  writeFileSync(join(dist, 'sw.js'), `// worker of ${name}`);
  writeFileSync(join(dist, 'build-manifest.json'), '{"src/main.tsx":{}}');
  return dist;
}

async function startWith(
  hasServiceWorker: boolean,
  { isRehearsal = false } = {},
): Promise<FastifyInstance> {
  const started = Fastify();
  await registerWebApps(started, {
    staticDir: writeApp('wallet'),
    scannerStaticDir: writeApp('scanner'),
    isRehearsal,
    hasServiceWorker,
    stripe: { publishableKey: 'pk_test_x', scriptUrl: 'http://127.0.0.1:1/stripe.js' },
    analyticsUrl: 'https://plausible.io/api/event',
    analyticsDomain: 'wallet.example',
  });
  return started;
}

beforeAll(async () => {
  app = await startWith(true);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string) => app.inject({ method: 'GET', url });

describe('the wallet', () => {
  it.each(['/', '/auth/sign-in', '/app', '/app/history/1', '/terms', '/user-data-deletion'])(
    'is the page at %s',
    async (url) => {
      const { body, headers } = await get(url);
      expect(body).toContain('<title>wallet</title>');
      expect(body).toContain('pk_test_x');
      expect(body).toContain(
        '"analyticsUrl":"https://plausible.io/api/event","analyticsDomain":"wallet.example"',
      );
      expect(headers['cache-control']).toBe('no-cache');
    },
  );
});

it.each(['/', '/sw.js'])('is compressed for a browser at %s', async (url) => {
  const ask = (encodings: string) =>
    app.inject({ method: 'GET', url, headers: { 'accept-encoding': encodings } });
  const { headers, rawPayload } = await ask('gzip, deflate, br');
  expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(brotliDecompressSync(rawPayload).toString()).toBe((await get(url)).body);
  expect((await ask('gzip')).headers['content-encoding']).toBe('gzip');
});

describe('an unknown address', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const ask = (url: string, accept: string, method: 'GET' | 'POST' = 'GET') =>
    app.inject({ method, url, headers: { accept } });

  it("is the wallet's page with status 404 for a browser that navigates", async () => {
    const { statusCode, body, headers } = await ask('/nonsense', BROWSER);
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('<title>wallet</title>');
  });

  it.each([
    ['a program', '/nonsense', '*/*', 'GET'],
    ['a call of the API', '/api/nonsense', BROWSER, 'GET'],
    ['a form', '/nonsense', BROWSER, 'POST'],
  ] as const)('is a problem for %s', async (_who, url, accept, method) => {
    const { statusCode, headers } = await ask(url, accept, method);
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });
});

it.each(['/build-manifest.json', '/scanner/build-manifest.json'])(
  'does not serve the build manifest %s',
  async (url) => {
    expect((await get(url)).body).not.toContain('main.tsx');
  },
);

describe("an app's service worker", () => {
  it('[D-111] is never served from a cache', async () => {
    const { body, headers } = await get('/sw.js');
    expect(body).toBe('// worker of wallet');
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/javascript; charset=utf-8',
    });
  });

  it('[W-033] of the scanner may answer at /scanner itself', async () => {
    const { body, headers } = await get('/scanner/sw.js');
    expect(body).toBe('// worker of scanner');
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'service-worker-allowed': '/scanner',
    });
  });

  it.each(['/sw.js', '/scanner/sw.js'])(
    'at %s is replaced by one that unregisters itself if it is switched off',
    async (url) => {
      const off = await startWith(false);
      const { body } = await off.inject({ method: 'GET', url });
      await off.close();
      type Handler = (event: { waitUntil: (work: Promise<unknown>) => void }) => void;
      const handlers = new Map<string, Handler>();
      const kept = ['shell-1', 'pictures'];
      const skipWaiting = vi.fn<() => void>();
      const unregister = vi.fn<() => Promise<boolean>>().mockResolvedValue(true);
      runInNewContext(body, {
        addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
        skipWaiting,
        caches: {
          keys: () => Promise.resolve([...kept]),
          delete: (name: string) => Promise.resolve(kept.splice(kept.indexOf(name), 1).length > 0),
        },
        registration: { unregister },
      });
      let work: Promise<unknown> = Promise.resolve();
      for (const name of ['install', 'activate']) {
        handlers.get(name)?.({ waitUntil: (promise) => void (work = promise) });
        await work;
      }
      expect(skipWaiting).toHaveBeenCalledOnce();
      expect(kept).toEqual([]);
      expect(unregister).toHaveBeenCalledOnce();
    },
  );
});

describe('the scanner app', () => {
  it.each(['/scanner', '/scanner/', '/scanner/today', '/scanner/index.html'])(
    '[D-079] is the page at %s, and no search engine lists it',
    async (url) => {
      const { statusCode, body, headers } = await get(url);
      expect(statusCode).toBe(200);
      expect(body).toContain('<title>scanner</title>');
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' });
    },
  );

  it('has its own hashed files, cached permanently', async () => {
    for (const [prefix, name] of [
      ['', 'wallet'],
      ['/scanner', 'scanner'],
    ]) {
      const { body, headers } = await get(`${prefix}/assets/index-abc.js`);
      expect(body).toBe(`// ${name}`);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect((await get(`${prefix}/icon.svg`)).headers['cache-control']).toBe(
        'public, max-age=3600',
      );
    }
  });

  it('responds with 404, not with the page, for a file of an earlier build', async () => {
    expect((await get('/scanner/assets/index-old.js')).statusCode).toBe(404);
  });
});

it('a rehearsal says so on every page, outside of what the apps draw, and no other start does', async () => {
  const rehearsal = await startWith(true, { isRehearsal: true });
  for (const url of ['/', '/app/history', '/terms', '/scanner', '/scanner/scan']) {
    const { body } = await rehearsal.inject({ method: 'GET', url });
    expect(body, url).toContain('<body><aside id="rehearsal">Rehearsal: no real money</aside>');
    expect(body).toContain('<link rel="stylesheet" href="/rehearsal.css" /></head>');
    expect((await get(url)).body, url).not.toContain('rehearsal');
  }
  await rehearsal.close();
});
