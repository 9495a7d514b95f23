/**
 * The server's support for the native apps: the files that tell Apple and Google that links to this host and its passkeys belong to the
 * apps, and CORS headers for the pages inside them. Everything is off until it is configured.
 */
// Adds `hide` to the type of route schemas.
import type {} from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { api } from '@athos/contract/api';
import { APP_LINK_PATHS } from '@athos/contract/app-links';
import { PICTURE_PREFIX } from '@athos/contract/pictures';
import { API_PREFIX } from '@athos/contract/call';
import { CONSOLE_PREFIX } from '@athos/contract/console/console-call';

export interface NativeAppSettings {
  /** Team and bundle in Apple's format. If undefined, links do not open an iOS app and it has no passkeys. */
  readonly iosAppId: string | undefined;
  readonly androidPackage: string;
  /** If empty, links do not open an Android app and it has no passkeys. */
  readonly androidFingerprints: readonly string[];
  /** If empty, no page of another origin may read a response. */
  readonly origins: readonly string[];
}

const appleAssociation = (appId: string) => ({
  applinks: {
    details: [{ appIDs: [appId], components: APP_LINK_PATHS.map((path) => ({ '/': path })) }],
  },
  webcredentials: { apps: [appId] },
});

const androidAssociation = (packageName: string, fingerprints: readonly string[]) => [
  {
    relation: [
      'delegate_permission/common.handle_all_urls',
      'delegate_permission/common.get_login_creds',
    ],
    target: {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: fingerprints,
    },
  },
];

/** Serves the association files, with 404 for an app that is not configured. */
export function registerAppLinks(app: FastifyInstance, settings: NativeAppSettings): void {
  const { iosAppId, androidPackage, androidFingerprints } = settings;
  const serve = (file: string, content: object): void => {
    const text = JSON.stringify(content);
    app.get(`/.well-known/${file}`, { schema: { hide: true } }, (_request, reply) =>
      reply.type('application/json').header('cache-control', 'public, max-age=3600').send(text),
    );
  };
  if (iosAppId !== undefined) serve('apple-app-site-association', appleAssociation(iosAppId));
  if (androidFingerprints.length > 0) {
    serve('assetlinks.json', androidAssociation(androidPackage, androidFingerprints));
  }
}

/** Headers that the wallet's client sends and reads, beyond those that CORS always allows. */
const REQUEST_HEADERS = 'authorization, content-type, idempotency-key, x-device-id, x-confirmation';
const ANSWER_HEADERS = 'date, retry-after';
/** The methods of the contract. Our clients use no others. */
const METHODS = [...new Set(Object.values(api).map(({ method }) => method))].toSorted().join(', ');
const PREFLIGHT_SECONDS = 7200;

const isShared = (url: string): boolean =>
  (url.startsWith(`${API_PREFIX}/`) && !url.startsWith(`${API_PREFIX}${CONSOLE_PREFIX}/`)) ||
  url === '/healthz' ||
  url.startsWith(`${PICTURE_PREFIX}/`);

/**
 * Lets the pages inside the apps read responses of the API and show pictures. The token is sent in a header and there are no cookies, so
 * credentials are not allowed and pages of other origins gain nothing.
 */
export function registerAppOrigins(app: FastifyInstance, { origins }: NativeAppSettings): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    if (!isShared(request.url)) return done();
    // Browsers request pictures without an Origin header.
    if (request.url.startsWith(`${PICTURE_PREFIX}/`)) {
      reply.header('cross-origin-resource-policy', 'cross-origin');
    }
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return done();
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': ANSWER_HEADERS,
    });
    if (request.method !== 'OPTIONS') return done();
    void reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': PREFLIGHT_SECONDS,
      })
      .send();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // Set in onSend, because routes may set `vary` themselves.
    if (isShared(request.url)) reply.header('vary', withOrigin(reply.getHeader('vary')));
    done(null, payload);
  });
}

const withOrigin = (vary: unknown): string =>
  typeof vary === 'string' && vary !== '' ? `${vary}, origin` : 'origin';
