/**
 * The wallet's service worker (docs/decisions/0011-offline.md): the page and the files of one build, for when the server
 * cannot be reached. It answers nothing else: no call of the API is ever seen by it, let alone kept.
 */

/** Of one build; filled in by `build/service-worker.ts`. */
interface Shell {
  /** Changes with every file. */
  readonly version: string;
  /** The script that the page of this build names, and no other build's. */
  readonly entry: string;
  readonly files: readonly string[];
}
declare const SHELL: Shell;

const worker = self as unknown as ServiceWorkerGlobalScope;

/** The one page of all the wallet's own addresses. */
const PAGE = '/app';
const PAGE_ADDRESSES = /^\/(?:$|(?:app|auth)(?:\/|$)|(?:terms|privacy|user-data-deletion)$)/;
const PICTURE_ADDRESSES = /^\/media\/[0-9a-f]{64}\//;
/** A connection that is there in name only: after this long what is kept is better. */
const PAGE_DEADLINE_MS = 4000;

const SHELL_PREFIX = 'shell-';
const SHELL_CACHE = SHELL_PREFIX + SHELL.version;
const PICTURE_CACHE = 'pictures';
/** Some 5 MB in the sizes of a phone. */
const PICTURE_COUNT_MAX = 120;

/** A file's name says what is in it, so one that an earlier build had need not be fetched again. */
async function keepFile(cache: Cache, file: string): Promise<void> {
  const known = await caches.match(file);
  if (known === undefined) await cache.add(file);
  else await cache.put(file, known);
}

/** All or nothing. Fails, to be tried again later, when the server has another build by now: page and files belong together. */
async function install(): Promise<void> {
  const page = await fetch(PAGE, { cache: 'no-store', credentials: 'omit' });
  if (!page.ok || !(await page.clone().text()).includes(SHELL.entry)) {
    throw new Error(`not the page of ${SHELL.version}`);
  }
  const cache = await caches.open(SHELL_CACHE);
  await Promise.all(SHELL.files.map((file) => keepFile(cache, file)));
  await cache.put(PAGE, page);
}

/** The build before stays: tabs that were open then still ask for its files. Older ones go. */
async function activate(): Promise<void> {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(SHELL_PREFIX) && name !== SHELL_CACHE,
  );
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** The server's page wherever there is one, so that no start shows an old build; the kept one after a failure or too long. */
async function answerPage(event: FetchEvent): Promise<Response> {
  const kept = await caches.match(PAGE, { cacheName: SHELL_CACHE });
  const asked = (async (): Promise<Response> => {
    const preloaded = (await event.preloadResponse) as Response | undefined;
    return preloaded ?? fetch(event.request);
  })();
  if (kept === undefined) return asked;
  event.waitUntil(asked.catch(() => undefined));
  const late = new Promise<Response>((resolve) => {
    setTimeout(() => resolve(kept), PAGE_DEADLINE_MS);
  });
  const response = await Promise.race([asked.catch(() => kept), late]);
  // A proxy without its server says something of its own.
  return response.status >= 500 ? kept : response;
}

const answerFile = async (request: Request): Promise<Response> =>
  (await caches.match(request.url)) ?? fetch(request);

async function keepPicture(cache: Cache, request: Request, picture: Response): Promise<void> {
  await cache.put(request, picture);
  const [...kept] = await cache.keys();
  await Promise.all(kept.slice(0, -PICTURE_COUNT_MAX).map((oldest) => cache.delete(oldest)));
}

async function answerPicture(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(PICTURE_CACHE);
  const kept = await cache.match(event.request);
  if (kept !== undefined) return kept;
  const picture = await fetch(event.request);
  // A full disk keeps nothing more.
  if (picture.ok) {
    event.waitUntil(keepPicture(cache, event.request, picture.clone()).catch(() => undefined));
  }
  return picture;
}

function handleFetch(event: FetchEvent): void {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (request.mode === 'navigate') {
    if (PAGE_ADDRESSES.test(pathname)) event.respondWith(answerPage(event));
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(answerFile(request));
  } else if (PICTURE_ADDRESSES.test(pathname)) {
    event.respondWith(answerPicture(event));
  }
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('fetch', handleFetch);
// The user's own wish, or a page that has just started on the new build: never by itself.
worker.addEventListener('message', ({ data }) => {
  if (data === 'activate') void worker.skipWaiting();
});
