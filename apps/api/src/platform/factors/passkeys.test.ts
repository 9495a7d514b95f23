import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SoftwareAuthenticator, type Forgery } from '../../../test/software-authenticator.ts';
import { createTestApp, stopClock, type TestApp } from '../../../test/test-app.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import {
  judgeMadePasskey,
  judgeUsedPasskey,
  passkeyMakeOptions,
  passkeyUseOptions,
  relyingPartyOf,
  type Passkey,
  type PasskeySite,
} from './passkeys.ts';

const SITE = 'https://console.athos.example';
const MINUTE_MS = 60_000;
const OWNER = { handle: randomBytes(16), address: 'ada@athos.example', name: 'Ada' };

let test: TestApp;
let site: PasskeySite;
beforeAll(async () => {
  test = await createTestApp();
  const party = relyingPartyOf(SITE, 'Console');
  if (party === undefined) throw new Error('the site can have passkeys');
  site = { ...test.deps, party };
});
afterAll(() => test.close());

/** Registers a passkey of a new authenticator. */
async function register(): Promise<{ authenticator: SoftwareAuthenticator; passkey: Passkey }> {
  const authenticator = new SoftwareAuthenticator(SITE);
  const options = await passkeyMakeOptions(site, 'enrol 1', OWNER, []);
  const registered = await judgeMadePasskey(site, 'enrol 1', authenticator.create(options));
  if (registered.outcome !== 'made') throw registered.cause;
  return { authenticator, passkey: registered };
}

/** Ways in which a response can differ from an honest one. Each must be refused. */
const FORGERIES: readonly (readonly [what: string, forgery: Forgery])[] = [
  ['of another origin', { origin: 'https://console.athos.example.evil.test' }],
  ['of another port', { origin: `${SITE}:8443` }],
  ['for another relying party', { rpId: 'athos.example' }],
  ['without user verification', { isUserVerified: false }],
  ['for a challenge that was never given', { challenge: randomBytes(32).toString('base64url') }],
  ['for an empty challenge', { challenge: '' }],
  ['of another kind', { type: 'payment.get' }],
];

describe('registration', () => {
  it('asks for a discoverable passkey with user verification, and for none that is known', async () => {
    const { passkey } = await register();
    const options = await passkeyMakeOptions(site, 'enrol 1', OWNER, [passkey]);
    expect(options).toMatchObject({
      rp: { id: 'console.athos.example', name: 'Console' },
      user: { id: OWNER.handle.toString('base64url'), name: OWNER.address, displayName: 'Ada' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: passkey.credentialId }],
    });
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
  });

  it('keeps the id, the key and the count of a passkey', async () => {
    const { authenticator, passkey } = await register();
    expect(passkey.credentialId).toBe(authenticator.credentialId.toString('base64url'));
    expect(passkey).toMatchObject({ signCount: 0, transports: ['internal'] });
  });

  it.each(FORGERIES)('refuses a passkey %s', async (_what, forgery) => {
    const authenticator = new SoftwareAuthenticator(SITE);
    const options = await passkeyMakeOptions(site, 'enrol 1', OWNER, []);
    const response = authenticator.create(options, forgery);
    expect((await judgeMadePasskey(site, 'enrol 1', response)).outcome).toBe('refused');
  });

  it('refuses the answer to a challenge of another person', async () => {
    const options = await passkeyMakeOptions(site, 'enrol 1', OWNER, []);
    const response = new SoftwareAuthenticator(SITE).create(options);
    expect((await judgeMadePasskey(site, 'enrol 2', response)).outcome).toBe('refused');
    expect((await judgeMadePasskey(site, 'enrol 1', response)).outcome).toBe('made');
  });
});

describe('use', () => {
  it('accepts a signature over the challenge, and returns the new count', async () => {
    const { authenticator, passkey } = await register();
    const options = await passkeyUseOptions(site, 'sign in');
    expect(options).toMatchObject({ rpId: 'console.athos.example', userVerification: 'required' });
    expect(options.allowCredentials).toBeUndefined();
    const used = await judgeUsedPasskey(site, 'sign in', authenticator.get(options), passkey);
    expect(used).toEqual({ outcome: 'used', signCount: 1 });
  });

  it.each([...FORGERIES, ['with a tampered signature', { isSignatureTampered: true }] as const])(
    'refuses a signature %s',
    async (_what, forgery) => {
      const { authenticator, passkey } = await register();
      const options = await passkeyUseOptions(site, 'sign in');
      const used = await judgeUsedPasskey(
        site,
        'sign in',
        authenticator.get(options, forgery),
        passkey,
      );
      expect(used.outcome).toBe('refused');
    },
  );

  it('refuses a signature of another passkey', async () => {
    const [ada, eve] = [await register(), await register()];
    const response = eve.authenticator.get(await passkeyUseOptions(site, 'sign in'));
    expect((await judgeUsedPasskey(site, 'sign in', response, ada.passkey)).outcome).toBe(
      'refused',
    );
  });

  it('accepts a challenge once, even from twenty at once, and not again after a refusal', async () => {
    const { authenticator, passkey } = await register();
    const response = authenticator.get(await passkeyUseOptions(site, 'sign in'));
    const used = await Promise.all(
      Array.from({ length: 20 }, () => judgeUsedPasskey(site, 'sign in', response, passkey)),
    );
    expect(used.filter(({ outcome }) => outcome === 'used')).toHaveLength(1);
    const options = await passkeyUseOptions(site, 'sign in');
    const forged = authenticator.get(options, { isUserVerified: false });
    expect((await judgeUsedPasskey(site, 'sign in', forged, passkey)).outcome).toBe('refused');
    const honest = authenticator.get(options);
    expect((await judgeUsedPasskey(site, 'sign in', honest, passkey)).outcome).toBe('refused');
  });

  it('takes at most 10 ms of a core, so that signatures of strangers cost little', async () => {
    const { authenticator, passkey } = await register();
    const costsMs: number[] = [];
    // The first runs compile the code that the others use. The median excludes them and the runs that collect garbage.
    for (let count = 0; count < 30; count += 1) {
      const response = authenticator.get(await passkeyUseOptions(site, 'sign in'));
      const before = process.cpuUsage();
      const { outcome } = await judgeUsedPasskey(site, 'sign in', response, {
        ...passkey,
        signCount: count,
      });
      const { user, system } = process.cpuUsage(before);
      costsMs.push((user + system) / 1000);
      expect(outcome).toBe('used');
    }
    expect(costsMs.toSorted((one, other) => one - other)[15]).toBeLessThanOrEqual(10);
  });

  it('refuses a challenge of another purpose, or one of five minutes ago', async () => {
    const advance = stopClock(test);
    const { authenticator, passkey } = await register();
    const response = authenticator.get(await passkeyUseOptions(site, 'sign in'));
    expect((await judgeUsedPasskey(site, 'proof 1', response, passkey)).outcome).toBe('refused');
    advance(5 * MINUTE_MS);
    expect((await judgeUsedPasskey(site, 'sign in', response, passkey)).outcome).toBe('refused');
  });

  it.each([
    [5, 5],
    [5, 4],
    [5, 0],
  ])(
    'refuses a count that goes from %d to %d, as that of a copy does',
    async (known, signCount) => {
      const { authenticator, passkey } = await register();
      const response = authenticator.get(await passkeyUseOptions(site, 'sign in'), { signCount });
      const used = await judgeUsedPasskey(site, 'sign in', response, {
        ...passkey,
        signCount: known,
      });
      expect(used.outcome).toBe('refused');
    },
  );

  it('accepts an authenticator that never counts', async () => {
    const { authenticator, passkey } = await register();
    const response = authenticator.get(await passkeyUseOptions(site, 'sign in'), { signCount: 0 });
    expect(await judgeUsedPasskey(site, 'sign in', response, passkey)).toEqual({
      outcome: 'used',
      signCount: 0,
    });
  });

  it.each(['', 'bm90IEpTT04', Buffer.from('null').toString('base64url'), '{'.repeat(50_000)])(
    'refuses client data that is no JSON object (%#)',
    async (clientDataJSON) => {
      const { authenticator, passkey } = await register();
      const honest = authenticator.get(await passkeyUseOptions(site, 'sign in'));
      const response = { ...honest, response: { ...honest.response, clientDataJSON } };
      expect((await judgeUsedPasskey(site, 'sign in', response, passkey)).outcome).toBe('refused');
    },
  );
});

it('deletes challenges that nobody answered in time, and keeps the others', async () => {
  const advance = stopClock(test);
  await passkeyUseOptions(site, 'early');
  advance(5 * MINUTE_MS);
  await passkeyUseOptions(site, 'late');
  await enqueueJob(test.deps.db, 'factors_prune', {});
  await test.runJobs();
  const left = await test.deps.db.selectFrom('factor_challenges').select('purpose').execute();
  expect(left).toEqual([{ purpose: 'late' }]);
});

it.each(['http://127.0.0.1:8080', 'http://[::1]:8080', 'https://203.0.113.7'])(
  'has no passkeys at %s, since an IP address cannot be a relying party',
  (url) => {
    expect(relyingPartyOf(url, 'Console')).toBeUndefined();
  },
);

it('takes host name and origin from the address of the site', () => {
  expect(relyingPartyOf('http://localhost:8080/console', 'Console')).toEqual({
    id: 'localhost',
    origins: ['http://localhost:8080'],
    name: 'Console',
  });
});
