import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SCANNER_SHELL, WALLET_SHELL } from '../src/shells.ts';

const ORIGIN = 'https://wallet.test';
const ENTRY = '/assets/index-2.js';
const FILES = [ENTRY, '/assets/history-2.js'];
const PICTURE = `/media/${'a'.repeat(64)}/640.webp`;

interface FakeRequest {
  readonly url: string;
  readonly method: string;
  readonly mode: string;
}
type Asked = string | FakeRequest;
type Handler = (event: object) => void;

const pathOf = (asked: Asked): string =>
  new URL(typeof asked === 'string' ? asked : asked.url, ORIGIN).pathname;

/** A named cache that keeps the order of its entries. */
class FakeCache {
  readonly entries = new Map<string, Response>();
  match = (asked: Asked) => Promise.resolve(this.entries.get(pathOf(asked))?.clone());
  put = async (asked: Asked, response: Response) =>
    void this.entries.set(pathOf(asked), new Response(await response.text()));
  add = async (asked: Asked) => {
    const response = await serve(asked);
    if (!response.ok) throw new TypeError('Request failed');
    await this.put(asked, response);
  };
  keys = () => Promise.resolve([...this.entries.keys()]);
  delete = (asked: Asked) => Promise.resolve(this.entries.delete(pathOf(asked)));
}

const serve = vi.fn<(asked: Asked, init?: object) => Promise<Response>>();
let stored: Map<string, FakeCache>;
let handlers: Map<string, Handler>;
const skipWaiting = vi.fn<() => void>();

const caches = {
  open: (name: string) => {
    const cache = stored.get(name) ?? new FakeCache();
    stored.set(name, cache);
    return Promise.resolve(cache);
  },
  keys: () => Promise.resolve([...stored.keys()]),
  delete: (name: string) => Promise.resolve(stored.delete(name)),
  match: async (asked: Asked, options?: { cacheName?: string }) => {
    for (const [name, cache] of stored) {
      if (options?.cacheName !== undefined && options.cacheName !== name) continue;
      const found = await cache.match(asked);
      if (found !== undefined) return found;
    }
    return undefined;
  },
};

beforeEach(async () => {
  stored = new Map();
  handlers = new Map();
  serve.mockReset().mockImplementation((asked) => Promise.resolve(new Response(pathOf(asked))));
  vi.stubGlobal('SHELL', { version: '2', entry: ENTRY, files: FILES, ...WALLET_SHELL });
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('fetch', serve);
  vi.stubGlobal('self', {
    location: { origin: ORIGIN },
    registration: {},
    clients: { claim: () => Promise.resolve() },
    skipWaiting,
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
  });
  vi.resetModules();
  await import('./service-worker.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function run(name: 'install' | 'activate'): Promise<void> {
  let work: Promise<unknown> = Promise.resolve();
  handlers.get(name)?.({ waitUntil: (promise: Promise<unknown>) => void (work = promise) });
  await work;
}

/** Returns the worker's response; `undefined` if it leaves the request to the browser. */
function ask(path: string, facts: Partial<FakeRequest> = {}): Promise<Response> | undefined {
  let answer: Promise<Response> | undefined;
  const url = path.startsWith('https:') ? path : ORIGIN + path;
  handlers.get('fetch')?.({
    request: { url, method: 'GET', mode: 'cors', ...facts },
    preloadResponse: Promise.resolve(),
    respondWith: (promise: Promise<Response>) => void (answer = promise),
    waitUntil: () => undefined,
  });
  return answer;
}
const visit = (path: string) => ask(path, { mode: 'navigate' });
const textOf = async (answer: Promise<Response> | undefined) => (await answer)?.text();

async function install(): Promise<void> {
  serve.mockImplementation((asked) =>
    Promise.resolve(new Response(pathOf(asked) === '/app' ? `page with ${ENTRY}` : pathOf(asked))),
  );
  await run('install');
}
const loseNetwork = () => serve.mockReset().mockRejectedValue(new TypeError('Failed to fetch'));

describe('the service worker', () => {
  it.each([
    '/',
    '/app',
    '/app/history',
    '/app/redeem?code=X',
    '/auth/sign-in',
    '/terms',
    '/user-data-deletion',
  ])('[D-111] serves the page of %s while the server cannot be reached', async (path) => {
    await install();
    loseNetwork();
    expect(await textOf(visit(path))).toBe(`page with ${ENTRY}`);
  });

  it('[D-111] serves the files of its build while the server cannot be reached', async () => {
    await install();
    loseNetwork();
    expect(await textOf(ask('/assets/history-2.js'))).toBe('/assets/history-2.js');
    expect(serve).not.toHaveBeenCalled();
  });

  it.each([
    ['/api/account/balance', {}],
    ['/api/account/transfer', { method: 'POST' }],
    ['/api/events', {}],
    ['/api/docs', { mode: 'navigate' }],
    ['/scanner', { mode: 'navigate' }],
    ['/scanner/today', { mode: 'navigate' }],
    ['/scanner/assets/index-1.js', {}],
    ['/console', { mode: 'navigate' }],
    ['/mailbox', { mode: 'navigate' }],
    ['/apple', { mode: 'navigate' }],
    ['/healthz', {}],
    ['/sw.js', {}],
    ['https://js.stripe.com/assets/x.js', {}],
  ])('leaves %s to the browser', async (path, facts) => {
    await install();
    expect(ask(path, facts)).toBeUndefined();
  });

  it.each([
    ['/scanner', true],
    ['/scanner/', true],
    ['/scanner/today', true],
    ['/scanner/assets/index-1.js', false],
    ['/scanners', false],
    ['/app', false],
    ['/console', false],
  ])("[W-033] of the scanner answers visits below the scanner's address only: %s", (path, isIt) => {
    expect(new RegExp(SCANNER_SHELL.pageAddresses).test(path)).toBe(isIt);
  });

  it("serves the server's page whenever there is one", async () => {
    await install();
    serve.mockResolvedValue(new Response('newer page'));
    expect(await textOf(visit('/app'))).toBe('newer page');
  });

  it('serves its own page instead of a 502', async () => {
    await install();
    serve.mockResolvedValue(new Response('Bad Gateway', { status: 502 }));
    expect(await textOf(visit('/app'))).toBe(`page with ${ENTRY}`);
  });

  it('waits 4 s for a page, and no longer', async () => {
    await install();
    vi.useFakeTimers();
    serve.mockReturnValue(new Promise(() => undefined));
    const settled = vi.fn<() => void>();
    const answer = Promise.resolve(visit('/app')).finally(settled);
    await vi.advanceTimersByTimeAsync(3999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await (await answer)?.text()).toBe(`page with ${ENTRY}`);
  });

  it('stores no page of another build', async () => {
    serve.mockResolvedValue(new Response('page with /assets/index-3.js'));
    await expect(run('install')).rejects.toThrow('not the page of 2');
    expect(stored.size).toBe(0);
  });

  it('reuses the files of an earlier build', async () => {
    await (await caches.open('shell-1')).put('/assets/history-2.js', new Response('of before'));
    await install();
    expect(serve.mock.calls.map(([asked]) => asked)).toEqual(['/app', ENTRY]);
    expect([...(stored.get('shell-2')?.entries.keys() ?? [])].toSorted()).toEqual([
      '/app',
      ...FILES.toSorted(),
    ]);
  });

  it('keeps the previous build for open tabs, and no older one', async () => {
    for (const name of ['shell-0', 'shell-1', 'pictures']) await caches.open(name);
    await caches.open('scanner-shell-0');
    await install();
    await run('activate');
    expect([...stored.keys()]).toEqual(['shell-1', 'pictures', 'scanner-shell-0', 'shell-2']);
  });

  it('is the newest build again after a rollback, with all its files', async () => {
    await install();
    await caches.open('shell-3');
    await caches.open('scanner-shell-4');
    serve.mockClear();
    await run('install');
    expect([...stored.keys()]).toEqual(['shell-3', 'scanner-shell-4', 'shell-2']);
    expect(serve.mock.calls.map(([asked]) => asked)).toEqual(['/app']);
    loseNetwork();
    expect(await textOf(visit('/app'))).toBe(`page with ${ENTRY}`);
    for (const file of FILES) expect(await textOf(ask(file))).toBe(file);
  });

  it('keeps the files of open pages when a rollback cannot be downloaded', async () => {
    await install();
    await caches.open('shell-3');
    stored.get('shell-2')?.entries.delete(ENTRY);
    serve.mockImplementation((asked) =>
      Promise.resolve(
        pathOf(asked) === ENTRY
          ? new Response('Bad Gateway', { status: 502 })
          : new Response(`page with ${ENTRY}`),
      ),
    );
    await expect(run('install')).rejects.toThrow('Request failed');
    loseNetwork();
    expect(await textOf(visit('/app'))).toBe(`page with ${ENTRY}`);
    expect(await textOf(ask('/assets/history-2.js'))).toBe('/assets/history-2.js');
  });

  it('never takes over unasked', async () => {
    await install();
    expect(skipWaiting).not.toHaveBeenCalled();
    handlers.get('message')?.({ data: 'something' });
    expect(skipWaiting).not.toHaveBeenCalled();
    handlers.get('message')?.({ data: 'activate' });
    expect(skipWaiting).toHaveBeenCalledOnce();
  });

  it('keeps pictures of the catalogue that were shown', async () => {
    serve.mockResolvedValue(new Response('picture'));
    expect(await textOf(ask(PICTURE))).toBe('picture');
    await expect.poll(() => stored.get('pictures')?.entries.has(PICTURE)).toBe(true);
    loseNetwork();
    expect(await textOf(ask(PICTURE))).toBe('picture');
  });
});
