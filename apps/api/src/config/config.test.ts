import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { connectTo } from '../platform/database/address.ts';
import { AUTHORITY_FILE } from '../../test/offer-tls.ts';
import { ConfigError, readConfig } from './config.ts';
import { SECRETS } from './topic.ts';

const COMPLETE = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://wallet:secret@db.example/wallet',
  DATABASE_CA_FILE: AUTHORITY_FILE,
  MEDIA_DIR: '/srv/pictures',
  PUBLIC_URL: 'https://wallet.example/',
  SIGNING_KEYS: randomBytes(32).toString('base64url'),
  HASHING_KEYS: randomBytes(32).toString('base64url'),
  DATA_KEYS: randomBytes(32).toString('base64url'),
  RECEIPT_KEY: randomBytes(32).toString('base64url'),
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Rewards <rewards@mail.example>',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  RATE_SOURCE: 'https://rates.example/ath',
};

/** `HASHING_KEY` and `HASHING_KEYS` exclude each other. */
const WITH_EVERY_SECRET = {
  ...COMPLETE,
  DATABASE_REPLICA_URL: 'postgres://wallet:secret@replica.example/wallet',
  QR_SIGNING_KEYS: randomBytes(32).toString('base64url'),
  HASHING_KEY: randomBytes(32).toString('base64url'),
  MEDIA_S3_ENDPOINT: 'https://s3.example',
  MEDIA_S3_BUCKET: 'pictures',
  MEDIA_S3_ACCESS_KEY_ID: 'id of pictures',
  MEDIA_S3_SECRET_ACCESS_KEY: 'secret of pictures',
  ANCHOR_S3_ENDPOINT: 'https://s3.example',
  ANCHOR_S3_BUCKET: 'anchors',
  ANCHOR_S3_ACCESS_KEY_ID: 'id of anchors',
  ANCHOR_S3_SECRET_ACCESS_KEY: 'secret of anchors',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
};

/** The faults of an environment, by variable. */
function faultsOf(over: Record<string, string | undefined>): string[] {
  try {
    readConfig({ ...COMPLETE, ...over });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((fault) => fault.split(':')[0] ?? '');
  }
}

describe('the settings', () => {
  it('are read from a complete environment', () => {
    const config = readConfig(COMPLETE);
    expect(config).toMatchObject({
      isProduction: true,
      isDemo: false,
      port: 8080,
      metricsHost: '127.0.0.1',
      publicUrl: 'https://wallet.example',
      rateSource: { kind: 'url', url: 'https://rates.example/ath' },
      stripe: {
        apiUrl: 'https://api.stripe.com',
        scriptUrl: 'https://js.stripe.com/endive/stripe.js',
      },
    });
  });

  it('let a process that ends serve for 3 s in production, or as long as they say', () => {
    const drainMsOf = (over: Record<string, string>) =>
      readConfig({ ...COMPLETE, ...over }).drainMs;
    expect(drainMsOf({})).toBe(3_000);
    expect(drainMsOf({ DRAIN_SECONDS: '10' })).toBe(10_000);
    expect(drainMsOf({ NODE_ENV: 'test' })).toBe(0);
  });

  it('bound the pools of connections, which have a size without them', () => {
    expect(readConfig(COMPLETE).pools).toEqual({ main: 10, console: 5, history: 3 });
    const small = { DATABASE_POOL_SIZE: '5', DATABASE_CONSOLE_POOL_SIZE: '2' };
    expect(readConfig({ ...COMPLETE, ...small, DATABASE_HISTORY_POOL_SIZE: '2' }).pools).toEqual({
      main: 5,
      console: 2,
      history: 2,
    });
    const names = [
      'DATABASE_POOL_SIZE',
      'DATABASE_CONSOLE_POOL_SIZE',
      'DATABASE_HISTORY_POOL_SIZE',
    ] as const;
    for (const name of names)
      for (const size of ['1', '51', 'many']) expect(faultsOf({ [name]: size })).toEqual([name]);
    expect(faultsOf({ DATABASE_POOL_SIZE: '4' })).toEqual(['DATABASE_POOL_SIZE']);
  });

  it('list every fault at once', () => {
    expect(
      faultsOf({ PORT: 'eighty', DATABASE_URL: 'mysql://x', SIGNING_KEYS: 'short', MAIL_FROM: '' }),
    ).toEqual(['PORT', 'DATABASE_URL', 'SIGNING_KEYS', 'MAIL_FROM']);
  });

  it('distinguish missing variables from wrong ones', () => {
    const messageFor = (over: Record<string, string | undefined>): string => {
      try {
        readConfig({ ...COMPLETE, ...over });
      } catch (error) {
        return String(error);
      }
      return '';
    };
    expect(messageFor({ SMTP_URL: undefined })).toContain('SMTP_URL: is missing');
    expect(messageFor({ SMTP_URL: '' })).toContain('SMTP_URL: is missing');
    expect(messageFor({ SMTP_URL: 'http://x' })).toContain(
      'SMTP_URL: must be an smtp:// or smtps:// address',
    );
  });

  it('never show a secret in an error', () => {
    try {
      readConfig({
        ...COMPLETE,
        STRIPE_SECRET_KEY: 'hunter2-secret',
        DATABASE_URL: 'x://u:hunter3-secret@db',
      });
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toMatch(/hunter/);
    }
  });

  it.each([['-1'], ['65536'], ['8080x'], ['8e3'], [' ']])('refuse the port %j', (port) => {
    expect(faultsOf({ PORT: port })).toEqual(['PORT']);
  });

  it('accept addresses and networks of trusted proxies, and nothing else', () => {
    for (const good of ['10.0.0.1', '10.0.0.1, fd00::/8', '2001:db8::1']) {
      expect(faultsOf({ TRUSTED_PROXIES: good })).toEqual([]);
    }
    for (const bad of ['proxy.example', '10.0.0.1/33', '10.0.0.0/0', '10.0.0.0/8/8', '*', 'true']) {
      expect(faultsOf({ TRUSTED_PROXIES: bad })).toEqual(['TRUSTED_PROXIES']);
    }
  });

  it('accept several signing keys, so that they can be rotated', () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const keys = `${first.toString('base64url')},${second.toString('base64url')}`;
    expect(readConfig({ ...COMPLETE, SIGNING_KEYS: keys }).signingSeeds).toEqual([first, second]);
    expect(readConfig({ ...COMPLETE, DATA_KEYS: keys }).dataKeys).toEqual([first, second]);
    expect(readConfig({ ...COMPLETE, QR_SIGNING_KEYS: keys }).qrSigningSeeds).toEqual([
      first,
      second,
    ]);
    expect(
      readConfig({ ...COMPLETE, STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old' }).stripe
        .webhookSecrets,
    ).toEqual(['whsec_new', 'whsec_old']);
  });

  it.each([['0'], ['-1'], ['soon'], ['0.123456789'], ['ftp://x']])(
    'refuse the rate source %j',
    (source) => {
      expect(faultsOf({ RATE_SOURCE: source })).toEqual(['RATE_SOURCE']);
    },
  );
});

describe('the database', () => {
  const SERVER_NAME = 'db.athos.example';

  it('[P-069] of a production start is refused without the authority that vouches for it', () => {
    expect(faultsOf({ DATABASE_CA_FILE: undefined })).toEqual(['DATABASE_CA_FILE']);
    expect(faultsOf({ DATABASE_CA_FILE: '/nowhere/ca.pem' })).toEqual(['DATABASE_CA_FILE']);
    // An address must not weaken the verification that the file sets up.
    const { DATABASE_URL: url } = COMPLETE;
    for (const mode of ['disable', 'no-verify', 'require']) {
      expect(faultsOf({ DATABASE_URL: `${url}?sslmode=${mode}` })).toEqual(['DATABASE_URL']);
    }
    expect(faultsOf({ DATABASE_URL: `${url}?ssl=0` })).toEqual(['DATABASE_URL']);
  });

  it.each([
    'options=-c%20synchronous_commit%3Doff',
    'application_name=wallet&options=-csynchronous_commit=off',
  ])(
    'of a production start is refused if its address can make commits less durable: %s',
    (query) => {
      const url = `${COMPLETE.DATABASE_URL}?${query}`;
      expect(faultsOf({ DATABASE_URL: url })).toEqual(['DATABASE_URL']);
      expect(faultsOf({ DATABASE_REPLICA_URL: url })).toEqual(['DATABASE_REPLICA_URL']);
    },
  );

  it('is verified by its host, or by another name behind a proxy of the machine', () => {
    const addressOf = (over: Record<string, string>) =>
      connectTo(readConfig({ ...COMPLETE, ...over }).databaseUrl);
    expect(addressOf({}).connectionString).toContain('sslmode=verify-full');
    const verified = addressOf({ DATABASE_SERVER_NAME: SERVER_NAME }).ssl;
    expect(verified).toMatchObject({ ca: readFileSync(AUTHORITY_FILE, 'utf8') });
    expect(faultsOf({ DATABASE_CA_FILE: undefined, DATABASE_SERVER_NAME: SERVER_NAME })).toEqual([
      'DATABASE_SERVER_NAME',
      'DATABASE_CA_FILE',
    ]);
  });

  it('may have a replica, which is verified as the database itself is', () => {
    const replica = 'postgres://wallet:secret@replica.example/wallet';
    const replicaOf = (over: Record<string, string>) =>
      readConfig({ ...COMPLETE, DATABASE_REPLICA_URL: replica, ...over }).databaseReplicaUrl ?? '';
    expect(readConfig(COMPLETE).databaseReplicaUrl).toBeUndefined();
    expect(connectTo(replicaOf({})).connectionString).toContain('sslmode=verify-full');
    expect(connectTo(replicaOf({ DATABASE_SERVER_NAME: SERVER_NAME })).ssl).toMatchObject({
      ca: readFileSync(AUTHORITY_FILE, 'utf8'),
    });
    for (const wrong of ['mysql://x', `${replica}?sslmode=disable`]) {
      expect(faultsOf({ DATABASE_REPLICA_URL: wrong })).toEqual(['DATABASE_REPLICA_URL']);
    }
  });

  it('[P-071] is not beside pictures in the default folder', () => {
    expect(faultsOf({ MEDIA_DIR: undefined })).toEqual(['MEDIA_DIR']);
    const bucket = {
      MEDIA_DIR: undefined,
      MEDIA_S3_ENDPOINT: 'https://s3.example',
      MEDIA_S3_BUCKET: 'pictures',
      MEDIA_S3_ACCESS_KEY_ID: 'id',
      MEDIA_S3_SECRET_ACCESS_KEY: 'secret',
    };
    expect(faultsOf(bucket)).toEqual([]);
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileWith = (text: string): string => {
    const file = join(folder, randomBytes(6).toString('hex'));
    writeFileSync(file, text);
    return file;
  };

  it.each(SECRETS)(
    '[P-070] is taken from %s_FILE, and refused if it is also given itself',
    (name) => {
      const beside = name === 'HASHING_KEY' ? 'HASHING_KEYS' : 'HASHING_KEY';
      const given = { ...WITH_EVERY_SECRET, [beside]: undefined };
      const file = { [`${name}_FILE`]: fileWith(`${WITH_EVERY_SECRET[name]}\n`) };
      expect(readConfig({ ...given, ...file, [name]: undefined })).toEqual(readConfig(given));
      expect(faultsOf({ ...given, ...file })).toEqual([name]);
    },
  );

  it('[P-070] is refused if its file is empty, a folder or not there', () => {
    for (const file of [fileWith('\n'), folder, join(folder, 'nothing')]) {
      expect(faultsOf({ SIGNING_KEYS: undefined, SIGNING_KEYS_FILE: file })).toContain(
        'SIGNING_KEYS_FILE',
      );
    }
  });
});

describe('the headers for the collector of traces', () => {
  const headersOf = (list: string) =>
    readConfig({ ...COMPLETE, OTEL_EXPORTER_OTLP_HEADERS: list }).traces.collectorHeaders;

  it('are read as OpenTelemetry writes them', () => {
    expect(headersOf('')).toEqual({});
    expect(headersOf('authorization=Basic%20YTpi=, x-scope=wallet')).toEqual({
      authorization: 'Basic YTpi=',
      'x-scope': 'wallet',
    });
  });

  it.each(['key', '=value', 'key=', 'key=%zz', 'key=%0d%0a', 'key=é', 'a=1,,b=2'])(
    'are refused as %s',
    (list) => {
      expect(faultsOf({ OTEL_EXPORTER_OTLP_HEADERS: list })).toEqual([
        'OTEL_EXPORTER_OTLP_HEADERS',
      ]);
    },
  );
});

describe('a production start', () => {
  it('lists what is missing and what belongs to the demo together', () => {
    const faults = faultsOf({ HASHING_KEYS: undefined, DEMO: '1', PORT: 'eighty' });
    expect(faults.toSorted()).toEqual(['DEMO', 'HASHING_KEYS', 'PORT']);
  });

  it('[O-170] refuses the past of the demo', () => {
    expect(faultsOf({ DEMO_HISTORY: 'on' })).toEqual(['DEMO_HISTORY']);
    expect(faultsOf({ DEMO_HISTORY: 'off' })).toEqual([]);
  });

  it.each([
    'DATABASE_URL',
    'SIGNING_KEYS',
    'HASHING_KEYS',
    'DATA_KEYS',
    'SMTP_URL',
    'MAIL_FROM',
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'RATE_SOURCE',
    'PUBLIC_URL',
  ])('[D-105] is refused without %s, which it names', (name) => {
    expect(faultsOf({ [name]: undefined })).toEqual([name]);
  });

  it.each(['DATA_KEYS', 'RECEIPT_KEY'])('[W-006] is refused without %s', (name) => {
    expect(faultsOf({ [name]: undefined })).toEqual([name]);
  });

  it('is refused with a receipt key that signs or seals', () => {
    const key = randomBytes(32).toString('base64url');
    for (const other of ['SIGNING_KEYS', 'QR_SIGNING_KEYS', 'DATA_KEYS']) {
      expect(faultsOf({ [other]: key, RECEIPT_KEY: key })).toEqual(['RECEIPT_KEY']);
    }
  });

  it('[D-105] lists everything that is missing at once', () => {
    const without = { SIGNING_KEYS: undefined, SMTP_URL: undefined, STRIPE_SECRET_KEY: undefined };
    expect(faultsOf(without)).toEqual(['SIGNING_KEYS', 'SMTP_URL', 'STRIPE_SECRET_KEY']);
  });

  it('[D-104] is refused with the sandbox instead of the provider', () => {
    expect(
      faultsOf({
        STRIPE_API_URL: 'http://127.0.0.1:8082',
        STRIPE_SECRET_KEY: 'sk_test_1',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      }),
    ).toEqual(['STRIPE_API_URL', 'STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY']);
    expect(faultsOf({ STRIPE_SCRIPT_URL: 'http://127.0.0.1:8082/stripe.js' })).toEqual([
      'STRIPE_SCRIPT_URL',
    ]);
  });

  it.each([
    ['sk_test_1', 'pk_test_1', ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY']],
    ['rk_test_1', 'pk_test_1', ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY']],
    ['sk_live_1', 'pk_test_1', ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_PUBLISHABLE_KEY']],
    ['sk_test_1', 'pk_live_1', ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY']],
    ['rk_live_1', 'pk_live_1', []],
  ])('is refused with test keys: %s and %s', (secret, publishable, faults) => {
    const keys = { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable };
    expect(faultsOf(keys)).toEqual(faults);
  });

  it.each([['MEDIA_S3_ENDPOINT', 'ANALYTICS_URL']])(
    'is refused with plain http for %s and %s',
    (bucket, pageViews) => {
      const others = {
        MEDIA_S3_BUCKET: 'wallet-pictures',
        MEDIA_S3_ACCESS_KEY_ID: 'id',
        MEDIA_S3_SECRET_ACCESS_KEY: 'secret',
        ANALYTICS_DOMAIN: 'wallet.example',
      };
      const at = (scheme: string) => ({
        ...others,
        [bucket]: `${scheme}://bucket.example`,
        [pageViews]: `${scheme}://views.example/api/event`,
      });
      expect(faultsOf(at('https'))).toEqual([]);
      expect(faultsOf(at('HTTP')).toSorted()).toEqual([pageViews, bucket].toSorted());
      expect(faultsOf({ ...at('http'), NODE_ENV: 'development' })).toEqual([]);
    },
  );

  it('[D-109] is refused with the mailbox instead of a mail server', () => {
    for (const url of ['smtp://127.0.0.1:1025', 'smtp://localhost', 'smtp://[::1]:25']) {
      expect(faultsOf({ SMTP_URL: url })).toEqual(['SMTP_URL']);
    }
  });

  it("is refused with demo data or the demo's rate source", () => {
    expect(faultsOf({ DEMO: '1', RATE_SOURCE: 'walk' })).toEqual(['DEMO', 'RATE_SOURCE']);
  });

  it('is refused with a rate source that anybody on the way could change', () => {
    const source = 'http://rates.example/ath';
    expect(faultsOf({ RATE_SOURCE: source })).toEqual(['RATE_SOURCE']);
    expect(faultsOf({ NODE_ENV: 'test', RATE_SOURCE: source })).toEqual([]);
  });

  it.each([
    ['equal bytes', Buffer.alloc(32, 7)],
    ['00 01 02 …', Buffer.from(Array.from({ length: 32 }, (_, index) => index))],
    ['ff fe fd …', Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index))],
    ['00 11 22 …, past ff', Buffer.from(Array.from({ length: 32 }, (_, index) => index * 17))],
    ['two bytes in turn', Buffer.from('00ff'.repeat(16), 'hex')],
    ['16 random bytes, twice', Buffer.from('9f1c7e02b3d85a64e7110c9a3f5b82d6'.repeat(2), 'hex')],
    ['a word that is repeated', Buffer.from('changeme'.repeat(4))],
    ['the alphabet', Buffer.from('abcdefghijklmnopqrstuvwxyz012345')],
  ])('is refused with a signing or data key of %s', (_pattern, key) => {
    const typed = key.toString('base64url');
    for (const name of ['SIGNING_KEYS', 'QR_SIGNING_KEYS', 'DATA_KEYS', 'RECEIPT_KEY']) {
      expect(faultsOf({ [name]: typed })).toEqual([name]);
      const random = randomBytes(32).toString('base64url');
      expect(faultsOf({ [name]: `${random},${typed}` })).toEqual([name]);
      expect(faultsOf({ NODE_ENV: 'test', [name]: typed })).toEqual([]);
    }
  });

  it.each([
    'changeme'.repeat(4),
    '0'.repeat(64),
    '0123456789'.repeat(4),
    '0123456789abcdef0123456789abcdef',
    '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
    'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ',
  ])('is refused with a hashing key that a person typed: %s', (typed) => {
    expect(faultsOf({ HASHING_KEYS: typed })).toEqual(['HASHING_KEYS']);
    expect(faultsOf({ HASHING_KEYS: `${COMPLETE.HASHING_KEYS}, ${typed}` })).toEqual([
      'HASHING_KEYS',
    ]);
    expect(faultsOf({ HASHING_KEYS: undefined, HASHING_KEY: typed })).toEqual(['HASHING_KEY']);
  });

  it('[P-073] takes hashing keys in their order, or the only key of before as it is written', () => {
    const [first, second] = [1, 2].map(() => randomBytes(32).toString('hex'));
    const keysOf = (over: Record<string, string | undefined>) =>
      readConfig({ ...COMPLETE, HASHING_KEYS: undefined, ...over }).hashingKeys;
    expect(keysOf({ HASHING_KEYS: `${first}, ${second}` })).toEqual([first, second]);
    expect(keysOf({ HASHING_KEY: `${first}, ${second}` })).toEqual([`${first}, ${second}`]);
    expect(faultsOf({ HASHING_KEYS: `${first},short` })).toEqual(['HASHING_KEYS']);
    expect(() => readConfig({ ...COMPLETE, HASHING_KEY: first })).toThrow(
      'HASHING_KEY: is given beside HASHING_KEYS; put its key into HASHING_KEYS and remove it',
    );
  });

  it('is refused with a key that signs tokens and codes, or seals and signs codes', () => {
    const key = randomBytes(32).toString('base64url');
    for (const other of ['SIGNING_KEYS', 'DATA_KEYS']) {
      expect(faultsOf({ [other]: key, QR_SIGNING_KEYS: key })).toEqual(['QR_SIGNING_KEYS']);
    }
  });

  it.each(['production', 'test'])('is refused with a key that signs and seals, in %s', (env) => {
    const [signing, data, both] = [1, 2, 3].map(() => randomBytes(32));
    const listOf = (...keys: (Buffer | undefined)[]) =>
      keys.map((key) => key?.toString('base64url')).join(', ');
    const given = { NODE_ENV: env, SIGNING_KEYS: listOf(signing, both) };
    expect(faultsOf({ ...given, DATA_KEYS: listOf(data, both) })).toEqual(['DATA_KEYS']);
    expect(faultsOf({ ...given, DATA_KEYS: listOf(data) })).toEqual([]);
    // The same bytes, written with padding.
    expect(faultsOf({ ...given, DATA_KEYS: `${listOf(both)}=` })).toEqual(['DATA_KEYS']);
  });

  it('accepts random keys, in every way to write them', { tags: 'long' }, () => {
    for (let count = 0; count < 2_000; count += 1) {
      const bytes = randomBytes(32);
      for (const written of [
        bytes.toString('base64url'),
        bytes.toString('hex'),
        bytes.toString('hex').slice(32),
      ]) {
        expect(faultsOf({ HASHING_KEYS: written })).toEqual([]);
      }
      expect(faultsOf({ SIGNING_KEYS: bytes.toString('base64url') })).toEqual([]);
    }
  });

  it('is refused on an address that is not https', () => {
    expect(faultsOf({ PUBLIC_URL: 'http://wallet.example' })).toEqual(['PUBLIC_URL']);
  });
});

describe('the console', () => {
  const at = (url: string) => ({
    CONSOLE: 'with_api',
    CONSOLE_URL: url,
    SEAL_MAIL_TO: 'seals@kept.example',
  });

  it.each(['with_api', 'own'])('[O-056] needs an origin of its own in production, %s', (mode) => {
    expect(faultsOf({ CONSOLE: mode })).toEqual(['CONSOLE_URL', 'SEAL_MAIL_TO']);
    for (const url of [
      'http://console.example',
      'https://wallet.example',
      'https://WALLET.example:443/console',
    ]) {
      expect(faultsOf({ ...at(url), CONSOLE: mode })).toEqual(['CONSOLE_URL']);
    }
    expect(faultsOf({ ...at('https://console.example'), CONSOLE: mode })).toEqual([]);
    expect(faultsOf({ ...at('https://wallet.example:8443'), CONSOLE: mode })).toEqual([]);
  });

  it('is off in production unless it is asked for, and part of the API elsewhere, at a name that can have passkeys', () => {
    expect(readConfig(COMPLETE).console.mode).toBe('off');
    const { console: demo } = readConfig({
      ...COMPLETE,
      NODE_ENV: 'development',
      PUBLIC_URL: 'http://127.0.0.1:8080',
    });
    expect(demo).toMatchObject({ mode: 'with_api', origin: 'http://localhost:8080' });
    const { console: given } = readConfig({
      ...COMPLETE,
      ...at('https://console.example/console'),
    });
    expect(given).toMatchObject({ mode: 'with_api', origin: 'https://console.example' });
  });

  it('mails the seal of each day to one address, without which production has no console', () => {
    const console = at('https://console.example');
    expect(faultsOf({ ...console, SEAL_MAIL_TO: undefined })).toEqual(['SEAL_MAIL_TO']);
    expect(faultsOf({ SEAL_MAIL_TO: undefined })).toEqual([]);
    for (const wrong of ['seals', 'a@b.example, c@d.example', 'a@b.example\nBcc: c@d.example']) {
      expect(faultsOf({ ...console, SEAL_MAIL_TO: wrong }), wrong).toEqual(['SEAL_MAIL_TO']);
    }
    expect(readConfig({ ...COMPLETE, ...console }).console.sealMailTo).toBe('seals@kept.example');
  });

  it('shows times in a time zone that exists', () => {
    for (const wrong of ['Mars/Olympus', '+01:00', 'Europe', 'UTC; drop']) {
      expect(faultsOf({ PROGRAMME_TIME_ZONE: wrong }), wrong).toEqual(['PROGRAMME_TIME_ZONE']);
    }
    expect(readConfig(COMPLETE).console.timeZone).toBe('UTC');
    const berlin = readConfig({ ...COMPLETE, PROGRAMME_TIME_ZONE: 'Europe/Berlin' });
    expect(berlin.console.timeZone).toBe('Europe/Berlin');
  });

  it('takes networks, and times within bounds', () => {
    expect(
      faultsOf({ NODE_ENV: 'test', CONSOLE: 'sometimes', CONSOLE_NETWORKS: 'office' }).toSorted(),
    ).toEqual(['CONSOLE', 'CONSOLE_NETWORKS']);
    expect(faultsOf({ CONSOLE_IDLE_MINUTES: '0', CONSOLE_SESSION_HOURS: '169' })).toEqual([
      'CONSOLE_IDLE_MINUTES',
      'CONSOLE_SESSION_HOURS',
    ]);
    const { console: settings } = readConfig({ ...COMPLETE, CONSOLE_NETWORKS: '10.0.0.0/8, ::1' });
    expect(settings).toMatchObject({
      networks: ['10.0.0.0/8', '::1'],
      idleMs: 1_800_000,
      sessionMs: 43_200_000,
    });
  });
});

it('a live key is never sent to a sandbox, in any mode', () => {
  expect(faultsOf({ NODE_ENV: 'development', STRIPE_API_URL: 'http://127.0.0.1:8082' })).toEqual([
    'STRIPE_SECRET_KEY',
  ]);
});

it('a test key and a live key are never used together, in any mode', () => {
  for (const [secret, publishable] of [
    ['sk_live_1', 'pk_test_1'],
    ['sk_test_1', 'pk_live_1'],
  ]) {
    const keys = { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable };
    expect(faultsOf({ NODE_ENV: 'development', ...keys })).toEqual(['STRIPE_PUBLISHABLE_KEY']);
  }
});

describe('the picture storage', () => {
  const bucket = {
    MEDIA_S3_ENDPOINT: 'https://s3.example/',
    MEDIA_S3_BUCKET: 'wallet-pictures',
    MEDIA_S3_ACCESS_KEY_ID: 'id',
    MEDIA_S3_SECRET_ACCESS_KEY: 'secret',
  };

  it('is a folder by default', () => {
    const development = { ...COMPLETE, NODE_ENV: 'development', MEDIA_DIR: undefined };
    expect(readConfig(development).pictureStorage).toEqual({ kind: 'folder', dir: 'data/media' });
    expect(readConfig({ ...COMPLETE, MEDIA_DIR: '/srv/media' }).pictureStorage).toEqual({
      kind: 'folder',
      dir: '/srv/media',
    });
  });

  it('is a bucket if one is set, even if a folder is set too', () => {
    expect(readConfig({ ...COMPLETE, ...bucket, MEDIA_DIR: '/srv/media' }).pictureStorage).toEqual({
      kind: 's3',
      endpoint: 'https://s3.example',
      bucket: 'wallet-pictures',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
  });

  const pageViews = {
    ANALYTICS_URL: 'https://plausible.io/api/event',
    ANALYTICS_DOMAIN: 'wallet.example',
  };

  it('sends page views nowhere unless both address and name are set', () => {
    expect(readConfig(COMPLETE)).toMatchObject({
      analyticsUrl: undefined,
      analyticsDomain: undefined,
    });
    expect(readConfig({ ...COMPLETE, ...pageViews })).toMatchObject({
      analyticsUrl: 'https://plausible.io/api/event',
      analyticsDomain: 'wallet.example',
    });
    expect(faultsOf({ ANALYTICS_URL: 'https://plausible.io/api/event' })).toEqual([
      'ANALYTICS_DOMAIN',
    ]);
    expect(faultsOf({ ANALYTICS_DOMAIN: 'wallet.example' })).toEqual(['ANALYTICS_URL']);
    expect(faultsOf({ ANALYTICS_URL: 'plausible', ANALYTICS_DOMAIN: 'https://x/' })).toEqual([
      'ANALYTICS_URL',
      'ANALYTICS_DOMAIN',
    ]);
  });

  it('lists what is missing or wrong in the settings of a bucket', () => {
    expect(faultsOf({ MEDIA_S3_BUCKET: 'wallet-pictures' })).toEqual([
      'MEDIA_S3_ENDPOINT',
      'MEDIA_S3_ACCESS_KEY_ID',
      'MEDIA_S3_SECRET_ACCESS_KEY',
    ]);
    expect(
      faultsOf({
        ...bucket,
        MEDIA_S3_ENDPOINT: 's3.example',
        MEDIA_S3_BUCKET: '../etc',
        MEDIA_S3_REGION: 'Frankfurt!',
      }),
    ).toEqual(['MEDIA_S3_ENDPOINT', 'MEDIA_S3_BUCKET', 'MEDIA_S3_REGION']);
  });
});
