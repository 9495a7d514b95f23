/**
 * The service worker as the page sees it (docs/decisions/0011-offline.md): it is registered once the app is there, and a
 * new build that it has ready is offered, never forced.
 */
import { log } from '@athos/app-core/log';
import { createValue } from '@athos/app-core/value';

const WORKER_URL = '/sw.js';
/** As in `worker/service-worker.ts`. */
const SHELL_PREFIX = 'shell-';
const PAGE = '/app';
/** An app on a home screen may stay open for weeks. */
const LOOK_EVERY_MS = 3_600_000;
/** A worker takes over at once, or something is wrong with it and the page from the server is the better one. */
const TAKE_OVER_MS = 3000;

/** Another build than this page's is ready. */
export const isUpdateReady = createValue(false);

/** In the native app the build comes with the app. */
const isNative = (): boolean =>
  (
    globalThis as { Capacitor?: { isNativePlatform?: () => boolean } }
  ).Capacitor?.isNativePlatform?.() ?? false;

/** Whether the newest build kept is the one that this page is of: the page came from the server and may be the newer one. */
async function isOwnBuild(): Promise<boolean> {
  const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
  const newest = (await caches.keys()).findLast((name) => name.startsWith(SHELL_PREFIX));
  const page = newest && (await caches.match(PAGE, { cacheName: newest }));
  return !page || (await page.text()).includes(entry);
}

/** A worker waits: to be activated in silence where it changes nothing for this page, and to be offered otherwise. */
async function handleWaiting(registration: ServiceWorkerRegistration): Promise<void> {
  if (await isOwnBuild()) registration.waiting?.postMessage('activate');
  else isUpdateReady.set(true);
}

function handleFound(registration: ServiceWorkerRegistration): void {
  const { installing } = registration;
  installing?.addEventListener('statechange', () => {
    if (installing.state === 'installed') void handleWaiting(registration);
  });
}

let isRegistered = false;

/** Registers it, once, and looks for new builds for as long as the page lives. Without one the app works on, online. */
export async function registerServiceWorker(): Promise<void> {
  if (isRegistered || !('serviceWorker' in navigator) || isNative()) return;
  const { serviceWorker } = navigator;
  isRegistered = true;
  try {
    const registration = await serviceWorker.register(WORKER_URL, { updateViaCache: 'none' });
    registration.addEventListener('updatefound', () => handleFound(registration));
    if (registration.waiting !== null) void handleWaiting(registration);
    // Another tab has loaded a new build.
    serviceWorker.addEventListener('controllerchange', () => {
      void isOwnBuild().then((isOwn) => isUpdateReady.set(!isOwn));
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
    // Offline: there is another hour.
    registration.update().catch(() => undefined);
  };
  setInterval(look, LOOK_EVERY_MS);
  document.addEventListener('visibilitychange', look);
}

/** The user's wish: the same address in the new build. */
export async function loadUpdate(): Promise<void> {
  const waiting = (await navigator.serviceWorker.getRegistration(WORKER_URL))?.waiting;
  const reload = (): void => location.reload();
  if (!waiting) return reload();
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  setTimeout(reload, TAKE_OVER_MS);
  waiting.postMessage('activate');
}
