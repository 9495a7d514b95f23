import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

interface WebAppConfig {
  readonly staticDir: string | undefined;
  readonly stripe: { readonly publishableKey: string; readonly scriptUrl: string };
  readonly analyticsUrl: string | undefined;
}

/** Replaced in the wallet's page by what the browser must know before its first call. */
const SETTINGS_SLOT = /(<script id="settings" type="application\/json">)[^<]*(<\/script>)/;

function pageSettings({ stripe, analyticsUrl }: WebAppConfig): string {
  const settings = {
    stripePublishableKey: stripe.publishableKey,
    stripeScriptUrl: stripe.scriptUrl,
    analyticsUrl: analyticsUrl ?? null,
  };
  // Inside a script element only "<" could end it early.
  return JSON.stringify(settings).replaceAll('<', '\\u003c');
}

/** Serves the built wallet: hashed files for ever, its one page for every address of its own. */
export async function registerWebApps(app: FastifyInstance, config: WebAppConfig): Promise<void> {
  if (config.staticDir === undefined) return;
  const template = await readFile(join(config.staticDir, 'index.html'), 'utf8');
  const page = template.replace(
    SETTINGS_SLOT,
    (_match, open: string, close: string) => open + pageSettings(config) + close,
  );
  await app.register(fastifyStatic, {
    root: config.staticDir,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const isHashed = path.includes('/assets/');
      reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
  const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const isPrivate = request.url.startsWith('/app');
    if (isPrivate) reply.header('x-robots-tag', 'noindex');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  };
  for (const path of ['/', '/auth', '/auth/*', '/app', '/app/*', '/terms', '/privacy'])
    app.get(path, { schema: { hide: true } }, sendPage);
}
