/**
 * An app's service worker, seen from the page (decision 0011): the page registers it once the app is running, and
 * offers a new build when one is ready. It never forces an update.
 */
import { log } from './log.ts';
import { createValue } from './value.ts';

interface AppWorker {
  /** Address of the worker's script. */
  readonly url: string;
  /** The addresses that it answers, where they are more than those below the script's own. */
  readonly scope?: string;
  /** Address of the app's only page, under which the worker caches it. */
  readonly page: string;
  /** Prefix of the names of the worker's caches, each of which holds one build. */
  readonly cachePrefix: string;
}

/** An app on a home screen may stay open for weeks. */
const LOOK_EVERY_MS = 3_600_000;
/** A worker takes over at once. If it has not by now, something is wrong, and the page is loaded from the server. */
const TAKE_OVER_MS = 3000;

/** True when a build other than this page's is ready. */
export const isUpdateReady = createValue(false);

/**
 * Whether the newest cached build is this page's. The page came from the server, so it may be newer than every cached
 * build.
 */
async function isOwnBuild({ page, cachePrefix }: AppWorker): Promise<boolean> {
  const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
  const newest = (await caches.keys()).findLast((name) => name.startsWith(cachePrefix));
  const kept = newest && (await caches.match(page, { cacheName: newest }));
  return !kept || (await kept.text()).includes(entry);
}

/** Activates a waiting worker at once if it holds this page's build. Otherwise offers it as an update. */
async function handleWaiting(
  registration: ServiceWorkerRegistration,
  worker: AppWorker,
): Promise<void> {
  if (await isOwnBuild(worker)) registration.waiting?.postMessage('activate');
  else isUpdateReady.set(true);
}

function handleFound(registration: ServiceWorkerRegistration, worker: AppWorker): void {
  const { installing } = registration;
  installing?.addEventListener('statechange', () => {
    if (installing.state === 'installed') void handleWaiting(registration, worker);
  });
}

let isRegistered = false;

/**
 * Registers the worker once and checks for new builds as long as the page lives. Without service worker support the app
 * works online only.
 */
export async function registerServiceWorker(worker: AppWorker): Promise<void> {
  if (isRegistered || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  isRegistered = true;
  try {
    const { url, scope } = worker;
    const registration = await serviceWorker.register(url, {
      updateViaCache: 'none',
      ...(scope !== undefined && { scope }),
    });
    registration.addEventListener('updatefound', () => handleFound(registration, worker));
    if (registration.waiting !== null) void handleWaiting(registration, worker);
    // Another tab has loaded a new build.
    serviceWorker.addEventListener('controllerchange', () => {
      void isOwnBuild(worker).then((isOwn) => isUpdateReady.set(!isOwn));
    });
    lookForBuilds(registration);
  } catch (error) {
    isRegistered = false;
    log('service_worker_failed', { error: String(error) });
  }
}

function lookForBuilds(registration: ServiceWorkerRegistration): void {
  let lookedAtMs = Date.now();
  const look = (): void => {
    if (document.visibilityState === 'hidden' || Date.now() - lookedAtMs < LOOK_EVERY_MS) return;
    lookedAtMs = Date.now();
    // A check that fails, for example without a network, is retried an hour later.
    registration.update().catch(() => undefined);
  };
  setInterval(look, LOOK_EVERY_MS);
  document.addEventListener('visibilitychange', look);
}

/** Loads the waiting build when the user asks for it. The address stays the same. */
export async function loadUpdate(): Promise<void> {
  const waiting = (await navigator.serviceWorker.getRegistration())?.waiting;
  const reload = (): void => location.reload();
  if (!waiting) return reload();
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  setTimeout(reload, TAKE_OVER_MS);
  waiting.postMessage('activate');
}
