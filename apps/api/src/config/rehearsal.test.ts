import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const key = (): string => randomBytes(32).toString('base64url');
/** Settings that a production start refuses unless it is a rehearsal. */
const REHEARSAL = {
  NODE_ENV: 'production',
  REHEARSAL: '1',
  DATABASE_URL: 'postgres://wallet:secret@127.0.0.1:5432/wallet',
  MEDIA_DIR: '/srv/pictures',
  PUBLIC_URL: 'http://127.0.0.1:8080',
  CONSOLE: 'with_api',
  CONSOLE_URL: 'http://localhost:8080',
  SEAL_MAIL_TO: 'seals@kept.example',
  SIGNING_KEYS: key(),
  HASHING_KEY: key(),
  DATA_KEYS: key(),
  RECEIPT_KEY: key(),
  SMTP_URL: 'smtp://127.0.0.1:1025',
  MAIL_FROM: 'Rewards <rewards@mail.example>',
  STRIPE_API_URL: 'http://127.0.0.1:8082',
  STRIPE_SCRIPT_URL: 'http://127.0.0.1:8082/endive/stripe.js',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  RATE_SOURCE: 'console',
};

function faultsOf(over: Readonly<Record<string, string | undefined>>): readonly string[] {
  try {
    readConfig({ ...REHEARSAL, ...over });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}
const variablesOf = (over: Readonly<Record<string, string | undefined>>): string[] =>
  faultsOf(over).map((fault) => fault.split(':')[0] ?? '');

describe('a rehearsal', () => {
  it('is a production start with the sandbox, the mailbox and test keys', () => {
    expect(readConfig(REHEARSAL)).toMatchObject({
      isProduction: true,
      isRehearsal: true,
      isDemo: false,
      console: { mode: 'with_api', origin: 'http://localhost:8080' },
    });
  });

  it.each(['0', undefined])('is what REHEARSAL=1 alone makes of it, and never %s', (given) => {
    expect(variablesOf({ REHEARSAL: given }).toSorted()).toEqual(
      [
        'PUBLIC_URL',
        'CONSOLE_URL',
        'DATABASE_CA_FILE',
        'SMTP_URL',
        'STRIPE_API_URL',
        'STRIPE_PUBLISHABLE_KEY',
        'STRIPE_SCRIPT_URL',
        'STRIPE_SECRET_KEY',
      ].toSorted(),
    );
  });

  it.each(['development', 'test', undefined])('belongs to production, not to %s', (mode) => {
    expect(faultsOf({ NODE_ENV: mode })).toEqual([
      'REHEARSAL: belongs to a production start (NODE_ENV=production)',
    ]);
  });

  it.each([
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '192.168.1.7'],
    ['CONSOLE_HOST', '0.0.0.0'],
    ['PUBLIC_URL', 'https://wallet.example'],
    ['PUBLIC_URL', 'http://127.0.0.1.wallet.example'],
    ['CONSOLE_URL', 'http://localhost.example'],
    ['STRIPE_API_URL', 'https://api.stripe.com'],
    ['STRIPE_API_URL', undefined],
    ['STRIPE_SCRIPT_URL', undefined],
    ['SMTP_URL', 'smtps://mail.example'],
    ['SMTP_URL', 'smtp://localhost@mail.example'],
    ['DATABASE_URL', 'postgres://wallet:secret@db.example/wallet'],
    ['DATABASE_URL', 'postgres://wallet:secret@127.0.0.1/wallet?host=db.example'],
    ['DATABASE_URL', 'postgres:///wallet?host=127.0.0.1&host=db.example'],
  ])('is refused with %s=%s, which is not of this machine', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([
      `${name}: must be an address of this machine (127.0.0.1, localhost) in a rehearsal`,
    ]);
  });

  it.each([
    ['HOST', '::1'],
    ['HOST', 'localhost'],
    ['HOST', '127.0.1.1'],
    ['PUBLIC_URL', 'http://[::1]:8080'],
    ['DATABASE_URL', 'postgres:///wallet?host=/var/run/postgresql'],
    ['DATABASE_URL', 'postgres://[::1]/wallet'],
    ['SMTP_URL', 'smtp://localhost:25'],
  ])('takes %s=%s', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([]);
  });

  it('takes no live key', () => {
    const keys = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
    const variables = new Set(variablesOf(keys));
    expect([...variables].toSorted()).toEqual(['STRIPE_PUBLISHABLE_KEY', 'STRIPE_SECRET_KEY']);
  });

  it('is in everything else as strict as production', () => {
    const typed = Buffer.from('changeme'.repeat(4)).toString('base64url');
    expect(variablesOf({ DEMO: '1' })).toEqual(['DEMO']);
    expect(variablesOf({ RATE_SOURCE: 'walk' })).toEqual(['RATE_SOURCE']);
    expect(variablesOf({ SIGNING_KEYS: typed })).toEqual(['SIGNING_KEYS']);
    expect(variablesOf({ SEAL_MAIL_TO: undefined })).toEqual(['SEAL_MAIL_TO']);
    expect(variablesOf({ CONSOLE_URL: 'http://127.0.0.1:8080' })).toEqual(['CONSOLE_URL']);
    expect(variablesOf({ MEDIA_S3_BUCKET: 'pictures' })).toContain('MEDIA_S3_ENDPOINT');
  });
});
