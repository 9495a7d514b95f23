import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { brand } from '@athos/brand/brand';
import { nativeApps } from '../../config/native-apps.ts';
import { registerAppLinks, registerAppOrigins } from './native-app.ts';

const FINGERPRINT = Array.from({ length: 32 }, () => '0a').join(':');
const CONFIGURED = {
  IOS_TEAM_ID: 'A1B2C3D4E5',
  ANDROID_CERT_SHA256: `${FINGERPRINT}, ${FINGERPRINT.replace('0a', 'FF')}`,
  APP_ORIGINS: 'capacitor://localhost, https://localhost',
};

let app: FastifyInstance;
afterEach(() => app.close());

async function startWith(environment: Record<string, string>): Promise<void> {
  app = Fastify();
  const { value: settings } = nativeApps(environment);
  if (settings === undefined) throw new Error('the settings are wrong');
  registerAppOrigins(app, settings);
  registerAppLinks(app, settings);
  app.post('/api/account/transfer', () => ({ id: 1 }));
  app.get('/api/categories', (_request, reply) =>
    reply.header('vary', 'accept-encoding').send({ categories: [] }),
  );
  app.get('/media/:id/:file', () => 'a picture');
  app.get('/app', () => 'a page');
  await app.ready();
}

const ask = (method: 'GET' | 'POST' | 'OPTIONS', url: string, origin?: string) =>
  app.inject({ method, url, headers: origin === undefined ? {} : { origin } });

describe('the association files', () => {
  it('tell Apple which links belong to the app, and that the passkeys of this host do', async () => {
    await startWith(CONFIGURED);
    const answer = await ask('GET', '/.well-known/apple-app-site-association');
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json()).toEqual({
      applinks: {
        details: [
          {
            appIDs: [`A1B2C3D4E5.${brand.app.id}`],
            components: [
              { '/': '/auth/verify-account' },
              { '/': '/auth/reset-password' },
              { '/': '/app/redeem' },
              { '/': '/app/pay' },
            ],
          },
        ],
      },
      webcredentials: { apps: [`A1B2C3D4E5.${brand.app.id}`] },
    });
  });

  it('tell Google which app may open links and use passkeys, with every certificate that signs it', async () => {
    await startWith(CONFIGURED);
    const answer = await ask('GET', '/.well-known/assetlinks.json');
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json()).toEqual([
      {
        relation: [
          'delegate_permission/common.handle_all_urls',
          'delegate_permission/common.get_login_creds',
        ],
        target: {
          namespace: 'android_app',
          package_name: brand.app.id,
          sha256_cert_fingerprints: [
            FINGERPRINT.toUpperCase(),
            FINGERPRINT.replace('0a', 'FF').toUpperCase(),
          ],
        },
      },
    ]);
  });

  it('do not exist until they are configured', async () => {
    await startWith({});
    for (const file of ['assetlinks.json', 'apple-app-site-association']) {
      expect((await ask('GET', `/.well-known/${file}`)).statusCode).toBe(404);
    }
  });

  it.each([
    ['IOS_TEAM_ID', 'short'],
    ['IOS_BUNDLE_ID', 'wallet'],
    ['ANDROID_PACKAGE', '1.2'],
    ['ANDROID_CERT_SHA256', '14:6D'],
    ['ANDROID_CERT_SHA256', FINGERPRINT.slice(0, 20 * 3 - 1)],
    ['ANDROID_CERT_SHA256', FINGERPRINT.replaceAll(':', '')],
    ['ANDROID_CERT_SHA256', `${FINGERPRINT},android:apk-key-hash:${'A'.repeat(43)}`],
    ['APP_ORIGINS', 'https://evil.example'],
  ])('come from settings that are checked: %s may not be %s', (name, text) => {
    const { faults } = nativeApps({ [name]: text });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([name]);
  });
});

describe('the origins of the apps', () => {
  it.each(['capacitor://localhost', 'https://localhost'])(
    'may read responses: %s',
    async (origin) => {
      await startWith(CONFIGURED);
      const { headers } = await ask('POST', '/api/account/transfer', origin);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-expose-headers']).toBe('date, retry-after');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    },
  );

  it('may send the headers of the client', async () => {
    await startWith(CONFIGURED);
    const answer = await ask('OPTIONS', '/api/account/transfer', 'https://localhost');
    expect(answer.statusCode).toBe(204);
    expect(answer.headers['access-control-allow-headers']).toBe(
      'authorization, content-type, idempotency-key, x-device-id, x-confirmation',
    );
    expect(answer.headers['access-control-allow-methods']).toBe('GET, POST, PUT');
  });

  it('are added to the Vary header of a response', async () => {
    await startWith(CONFIGURED);
    const { headers } = await ask('GET', '/api/categories');
    expect(headers['vary']).toBe('accept-encoding, origin');
  });

  it('may show pictures', async () => {
    await startWith(CONFIGURED);
    const { headers } = await ask('GET', '/media/a/320.webp');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
  });

  it.each([
    ['another origin', CONFIGURED, '/api/account/transfer', 'https://evil.example'],
    ['an origin that is not configured', {}, '/api/account/transfer', 'https://localhost'],
  ])('are the only ones: %s gets no headers', async (_, environment, url, origin) => {
    await startWith(environment);
    const read = await ask('POST', url, origin);
    expect(read.headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await ask('OPTIONS', url, origin);
    expect(preflight.statusCode).toBe(404);
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('may not read pages', async () => {
    await startWith(CONFIGURED);
    const { headers } = await ask('GET', '/app', 'https://localhost');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});
