/**
 * The service worker of the wallet and of the scanner (docs/decisions/0011-offline.md). It serves the page and the files of one build
 * while the server cannot be reached, and nothing else: it never sees an API call, let alone stores one.
 */

/** The app and the content of one build, filled in by `src/service-worker.ts`. */
interface Shell {
  /** Changes with every file. */
  readonly version: string;
  /** The script that only this build's page refers to. */
  readonly entry: string;
  readonly files: readonly string[];
  /** The one page for all of the app's own addresses. */
  readonly page: string;
  /** A regular expression of these addresses. */
  readonly pageAddresses: string;
  /** The folder of the files, which the apps of one origin do not share. */
  readonly assets: string;
  /** Begins the names of the app's caches. The apps of one origin see each other's. */
  readonly cachePrefix: string;
}
declare const SHELL: Shell;

const worker = self as unknown as ServiceWorkerGlobalScope;

const PAGE_ADDRESSES = new RegExp(SHELL.pageAddresses);
const PICTURE_ADDRESSES = /^\/media\/[0-9a-f]{64}\//;
/** Some connections exist in name only. After this time, the cached page is better. */
const PAGE_DEADLINE_MS = 4000;

const SHELL_CACHE = SHELL.cachePrefix + SHELL.version;
const PICTURE_CACHE = 'pictures';
/** About 5 MB in the sizes that a phone loads. */
const PICTURE_COUNT_MAX = 120;

/** A file's name identifies its content, so a file of an earlier build is not fetched again. */
async function keepFile(cache: Cache, file: string): Promise<void> {
  const known = await caches.match(file);
  if (known === undefined) await cache.add(file);
  else await cache.put(file, known);
}

/**
 * Installs all files or none. Fails if the server has another build by now, and is retried later: page and files belong
 * together.
 */
async function install(): Promise<void> {
  const page = await fetch(SHELL.page, { cache: 'no-store', credentials: 'omit' });
  if (!page.ok || !(await page.clone().text()).includes(SHELL.entry)) {
    throw new Error(`not the page of ${SHELL.version}`);
  }
  const cache = await caches.open(SHELL_CACHE);
  await Promise.all(SHELL.files.map((file) => keepFile(cache, file)));
  await cache.put(SHELL.page, page);
  await makeNewest(cache);
}

const shellNames = async (): Promise<string[]> =>
  (await caches.keys()).filter((name) => name.startsWith(SHELL.cachePrefix));

/**
 * Makes this build's cache the last of all. After a rollback it exists already, in its old place, and pages take the last one for the newest
 * build. Only a complete cache is replaced, and from itself, so that a failed download leaves open pages of this build their files. The page
 * is stored last, because a cache without it counts as no build.
 */
async function makeNewest(cache: Cache): Promise<void> {
  if ((await shellNames()).at(-1) === SHELL_CACHE) return;
  const kept = await Promise.all(
    [...SHELL.files, SHELL.page].map(async (file) => ({ file, copy: await cache.match(file) })),
  );
  await caches.delete(SHELL_CACHE);
  const newest = await caches.open(SHELL_CACHE);
  for (const { file, copy } of kept) if (copy !== undefined) await newest.put(file, copy);
}

/** Keeps the previous build, whose files open tabs may still request, and removes older ones. */
async function activate(): Promise<void> {
  const others = (await shellNames()).filter((name) => name !== SHELL_CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/**
 * Serves the server's page whenever there is one, so that no start shows an old build, and the cached page after a
 * failure or the deadline.
 */
async function answerPage(event: FetchEvent): Promise<Response> {
  const kept = await caches.match(SHELL.page, { cacheName: SHELL_CACHE });
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
  // A proxy whose server is down sends its own page.
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
  // A failed write, for example to a full disk, is ignored.
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
  } else if (pathname.startsWith(SHELL.assets)) {
    event.respondWith(answerFile(request));
  } else if (PICTURE_ADDRESSES.test(pathname)) {
    event.respondWith(answerPicture(event));
  }
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('fetch', handleFetch);
// Sent when the user asks for the update, or by a page that has just started on the new build. The worker never
// activates by itself.
worker.addEventListener('message', ({ data }) => {
  if (data === 'activate') void worker.skipWaiting();
});
