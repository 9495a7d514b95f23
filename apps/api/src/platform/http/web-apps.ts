import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_PREFIX } from '@athos/contract/call';
import { AppError } from '../errors.ts';
import { callerOf } from '../limits/caller.ts';
import type { KeptAssets } from '../storage/kept-assets.ts';
import { sendProblem } from './problem.ts';
import { markRehearsal } from './rehearsal.ts';

interface WebAppConfig {
  readonly staticDir: string | undefined;
  readonly scannerStaticDir: string | undefined;
  readonly isRehearsal: boolean;
  readonly hasServiceWorker: boolean;
  readonly stripe: { readonly publishableKey: string; readonly scriptUrl: string };
  readonly analyticsUrl: string | undefined;
  readonly analyticsDomain: string | undefined;
}

/** The placeholder in the wallet's page for the settings that the browser needs before its first request. */
const SETTINGS_SLOT = /(<script id="settings" type="application\/json">)[^<]*(<\/script>)/;

/** Paths that serve the wallet's page; all others are not found. */
const WALLET_PATHS = [
  '/',
  '/auth',
  '/auth/*',
  '/app',
  '/app/*',
  '/terms',
  '/privacy',
  '/user-data-deletion',
  '/receipt',
] as const;

/** Personal pages, which search engines must not list. */
const PRIVATE_PATH = /^\/(?:app|receipt)\b/;

/** The cache policy for files whose name contains the hash of their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const SCANNER_PATH = '/scanner';
/** The path of the console. */
export const CONSOLE_PATH = '/console';

const WORKER_PATH = '/sw.js';
/** Replaces an app's service worker when it is switched off: deletes its caches and unregisters itself, without a reload. */
const RETIRING_WORKER = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
})()));
`;

function pageSettings({ stripe, analyticsUrl, analyticsDomain }: WebAppConfig): string {
  const settings = {
    stripePublishableKey: stripe.publishableKey,
    stripeScriptUrl: stripe.scriptUrl,
    analyticsUrl: analyticsUrl ?? null,
    analyticsDomain: analyticsDomain ?? null,
  };
  // Escapes "<", the only character that could end the script element early.
  return JSON.stringify(settings).replaceAll('<', '\\u003c');
}

/**
 * Serves the built apps: the wallet at the root, the scanner below `/scanner`. At an unknown address a browser gets the wallet's page,
 * which says that nothing was found, and every other client a problem.
 */
export async function registerWebApps(
  app: FastifyInstance,
  config: WebAppConfig,
  builds?: KeptBuilds,
): Promise<void> {
  const { hasServiceWorker: isOn } = config;
  const walletPage =
    config.staticDir === undefined
      ? undefined
      : await registerWallet(app, config.staticDir, config);
  if (config.scannerStaticDir !== undefined) {
    const page = await readPage(config.scannerStaticDir, config);
    await registerAppBelow(app, { path: SCANNER_PATH, folder: config.scannerStaticDir, page });
    await registerWorker(app, config.scannerStaticDir, { path: SCANNER_PATH, isOn });
  }
  registerNotFound(app, { page: walletPage, builds });
}

interface NotFound {
  /** The page for browsers. */
  readonly page?: Text | undefined;
  readonly builds?: KeptBuilds | undefined;
}

/** The apps whose assets from other builds are served. The console's assets belong to its own process, with its own networks. */
interface KeptBuilds {
  readonly apps: readonly string[];
  readonly keptAssets: KeptAssets;
}

/** The assets of an app, whose builds are kept under its name. */
const ASSET_URL = /^(?:\/(scanner|console))?\/assets\/([^/?#]+)$/;

/** Looks up an asset of another build, which only other processes have on their disks. Returns whether it was sent. */
async function isAssetSent(
  request: FastifyRequest,
  reply: FastifyReply,
  builds: KeptBuilds | undefined,
): Promise<boolean> {
  const [, app = 'wallet', name] = ASSET_URL.exec(request.url) ?? [];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (name === undefined || builds?.apps.includes(app) !== true || !isRead) return false;
  const asset = await builds.keptAssets.find(callerOf(request), app, name);
  if (asset === undefined) return false;
  await reply.code(200).type(asset.type).header('cache-control', FOR_EVER).send(asset.bytes);
  return true;
}

/** Answers requests that match no route: with an asset of another build, the page, or a problem. */
export function registerNotFound(app: FastifyInstance, { page, builds }: NotFound = {}): void {
  app.setNotFoundHandler(async (request, reply) => {
    if (await isAssetSent(request, reply, builds)) return reply;
    if (page === undefined || !wantsPage(request)) {
      return sendProblem(new AppError('not_found'), request, reply);
    }
    return sendPage(reply.code(404), page, { isPrivate: true });
  });
}

/** Whether a browser is navigating: only then does Accept name HTML. Below the API the answer is always a problem. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return (
    isRead && !url.startsWith(`${API_PREFIX}/`) && (headers.accept ?? '').includes('text/html')
  );
}

/** Registers the wallet and returns its page. */
async function registerWallet(
  app: FastifyInstance,
  folder: string,
  config: WebAppConfig,
): Promise<Text> {
  const template = await readPage(folder, config);
  const page = compress(
    template.replace(
      SETTINGS_SLOT,
      (_match, open: string, close: string) => open + pageSettings(config) + close,
    ),
  );
  await registerFiles(app, folder, '/');
  await registerWorker(app, folder, { path: '', isOn: config.hasServiceWorker });
  const sendWallet = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendPage(reply, page, { isPrivate: PRIVATE_PATH.test(request.url) });
  for (const path of WALLET_PATHS) app.get(path, { schema: { hide: true } }, sendWallet);
  return page;
}

/** The worker is requested at every start, and by browsers once a day, so that they find a new build. */
async function registerWorker(
  app: FastifyInstance,
  folder: string,
  { path, isOn }: { readonly path: string; readonly isOn: boolean },
): Promise<void> {
  const file = join(folder, WORKER_PATH);
  if (isOn && !existsSync(file)) return;
  const worker = compress(isOn ? await readFile(file, 'utf8') : RETIRING_WORKER);
  app.get(path + WORKER_PATH, { schema: { hide: true } }, (_request, reply) => {
    // Without this header, a worker may not control the address of its own folder without the trailing slash.
    if (path !== '') reply.header('service-worker-allowed', path);
    return sendText(reply.type('text/javascript; charset=utf-8'), worker);
  });
}

/** Serves the built console. */
export async function registerConsolePages(
  app: FastifyInstance,
  folder: string,
  config: Pick<WebAppConfig, 'isRehearsal'>,
): Promise<void> {
  const page = await readPage(folder, config);
  await registerAppBelow(app, { path: CONSOLE_PATH, folder, page }, { isConsolePage: true });
}

/** Serves a built app whose page answers every path below its own. */
async function registerAppBelow(
  app: FastifyInstance,
  { path, folder, page }: { readonly path: string; readonly folder: string; readonly page: string },
  config: { readonly isConsolePage?: true } = {},
): Promise<void> {
  const compressed = compress(page);
  await registerFiles(app, folder, `${path}/`);
  const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply | void => {
    // A missing file of an earlier build must not get the page, which would be run as a script.
    if (request.url.startsWith(`${path}/assets/`)) return reply.callNotFound();
    return sendPage(reply, compressed, { isPrivate: true });
  };
  for (const address of [path, `${path}/*`]) {
    app.get(address, { schema: { hide: true }, config }, send);
  }
}

/** The page of a built app. */
async function readPage(
  folder: string,
  { isRehearsal }: Pick<WebAppConfig, 'isRehearsal'>,
): Promise<string> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  return isRehearsal ? markRehearsal(page) : page;
}

/** Hashed files are cached permanently, others for an hour; pages have their own routes. */
async function registerFiles(app: FastifyInstance, folder: string, prefix: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    prefix,
    decorateReply: false,
    index: false,
    wildcard: false,
    // Pages and worker have their own routes, and the build manifest is private.
    globIgnore: ['**/index.html', `**${WORKER_PATH}*`, '**/build-manifest.json*'],
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const isHashed = path.includes('/assets/');
      reply.header('cache-control', isHashed ? FOR_EVER : 'public, max-age=3600');
    },
  });
}

/** A text in each encoding. It contains no secret that its compressed size could reveal. */
type Text = Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>;

function compress(text: string): Text {
  const identity = Buffer.from(text);
  return { br: brotliCompressSync(identity), gzip: gzipSync(identity), identity };
}

/** Sends the page that serves every path of an app. */
function sendPage(
  reply: FastifyReply,
  page: Text,
  { isPrivate }: { isPrivate: boolean },
): FastifyReply {
  if (isPrivate) reply.header('x-robots-tag', 'noindex');
  return sendText(reply.type('text/html; charset=utf-8'), page);
}

function sendText(reply: FastifyReply, text: Text): FastifyReply {
  const accepted = String(reply.request.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name)) ?? 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply
    .headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' })
    .send(text[encoding]);
}
