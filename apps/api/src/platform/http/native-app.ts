/**
 * What the packaged apps need of the server: the files by which Apple and Google learn that links of this host belong to
 * them, and answers that a page of the app's own origin may read. All of it is off until it is configured.
 */
// For `hide`: programs that read the settings alone do not load the API's page.
import type {} from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { brand } from '@athos/brand/brand';
import { api } from '@athos/contract/api';
import { APP_LINK_PATHS } from '@athos/contract/app-links';
import { PICTURE_PREFIX } from '@athos/contract/pictures';
import { API_PREFIX } from '@athos/contract/call';
import { listed } from '../../config/listed.ts';

/** Origins of the pages inside the apps: iOS, then Android. */
const SHELL_ORIGINS = ['capacitor://localhost', 'https://localhost'];

/** Settings of the environment. */
export const nativeAppFields = {
  IOS_TEAM_ID: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'must be the ten letters and digits of the Apple developer team')
    .optional(),
  IOS_BUNDLE_ID: z
    .string()
    .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'must be the bundle id of the iOS app')
    .default(brand.app.id),
  ANDROID_PACKAGE: z
    .string()
    .regex(/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/, 'must be the package name of the Android app')
    .default(brand.app.id),
  /** Of the certificates that sign the Android app: the store's, and our own for builds beside it. */
  ANDROID_CERT_SHA256: z
    .string()
    .default('')
    .transform((text) => listed(text).map((part) => part.toUpperCase()))
    .refine(
      (parts) => parts.every((part) => /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/.test(part)),
      'must be SHA-256 fingerprints such as "14:6D:…" of 32 bytes, separated by commas',
    ),
  APP_ORIGINS: z
    .string()
    .default('')
    .transform(listed)
    .refine(
      (parts) => parts.every((part) => SHELL_ORIGINS.includes(part)),
      `must be ${SHELL_ORIGINS.join(' or ')}, or both, separated by a comma`,
    ),
};

type Fields = z.output<z.ZodObject<typeof nativeAppFields>>;

export interface NativeAppSettings {
  /** Team and bundle, as Apple joins them. Undefined: links open no iOS app. */
  readonly iosAppId: string | undefined;
  readonly androidPackage: string;
  /** Empty: links open no Android app. */
  readonly androidFingerprints: readonly string[];
  /** Empty: no page of another origin may read an answer. */
  readonly origins: readonly string[];
}

export const nativeAppOf = (env: Fields): NativeAppSettings => ({
  iosAppId: env.IOS_TEAM_ID === undefined ? undefined : `${env.IOS_TEAM_ID}.${env.IOS_BUNDLE_ID}`,
  androidPackage: env.ANDROID_PACKAGE,
  androidFingerprints: env.ANDROID_CERT_SHA256,
  origins: env.APP_ORIGINS,
});

const appleAssociation = (appId: string) => ({
  applinks: {
    details: [{ appIDs: [appId], components: APP_LINK_PATHS.map((path) => ({ '/': path })) }],
  },
});

const androidAssociation = (packageName: string, fingerprints: readonly string[]) => [
  {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: fingerprints,
    },
  },
];

/** The association files; 404 for an app that is not configured. */
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

/** Headers of requests that the wallet's client sends, and of answers that it reads, beyond those that need no word. */
const REQUEST_HEADERS = 'authorization, content-type, idempotency-key, x-device-id';
const ANSWER_HEADERS = 'date, retry-after';
/** Those of the contract: a browser sends no PUT that is not named here. */
const METHODS = [...new Set(Object.values(api).map(({ method }) => method))].toSorted().join(', ');
const PREFLIGHT_SECONDS = 7200;

const isShared = (url: string): boolean =>
  url.startsWith(`${API_PREFIX}/`) || url === '/healthz' || url.startsWith(`${PICTURE_PREFIX}/`);

/**
 * Lets the pages of the apps read answers of the API, and show pictures. The token travels in a header and there are no
 * cookies, so no credentials are allowed and a page elsewhere gains nothing.
 */
export function registerAppOrigins(app: FastifyInstance, { origins }: NativeAppSettings): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    if (!isShared(request.url)) return done();
    // A picture is asked for without naming an origin.
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
    // Added at the end: routes have their own reasons to vary.
    if (isShared(request.url)) reply.header('vary', withOrigin(reply.getHeader('vary')));
    done(null, payload);
  });
}

const withOrigin = (vary: unknown): string =>
  typeof vary === 'string' && vary !== '' ? `${vary}, origin` : 'origin';
