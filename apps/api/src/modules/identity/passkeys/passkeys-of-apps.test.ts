import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAccount, PASSWORD } from '../../../../test/accounts.ts';
import { post } from '../../../../test/second-step.ts';
import { SoftwareAuthenticator } from '../../../../test/software-authenticator.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../../../test/test-app.ts';

/** The port sets the web's origin apart from that of iOS. */
const SITE = 'https://wallet.example:8443';
/** Two certificates: the store's and that of our own builds. */
const FINGERPRINTS = `${'FB:FF:BF:'.repeat(10)}FB:FF, ${'00:'.repeat(31)}00`;
const ANDROID = `android:apk-key-hash:${'-_-_'.repeat(10)}-_8`;
const ANDROID_OWN_BUILD = `android:apk-key-hash:${'A'.repeat(43)}`;
const IOS = 'https://wallet.example';
const ACTION_HASH = 'a'.repeat(64);

let test: TestApp;
const start = (env: Record<string, string>) => async () => {
  test = await createTestApp({ env: { PUBLIC_URL: SITE, ...env } });
};
const end = () => test.close();

const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];

let token: string;
let authenticator: SoftwareAuthenticator;
const openHolder = async (): Promise<void> => {
  ({ token } = await openAccount(test, `app-passkey-${randomUUID()}@athos.example`));
  authenticator = new SoftwareAuthenticator(SITE);
};

async function register(origin?: string): Promise<TestAnswer> {
  const { body } = await post(test, 'passkey/begin', { token, password: PASSWORD });
  const passkey = authenticator.create(body, origin === undefined ? {} : { origin });
  return post(test, 'passkey/register', { token, passkey });
}

async function signIn(origin: string): Promise<TestAnswer> {
  const { body } = await post(test, 'passkey/options');
  return post(test, 'passkey/sign_in', { passkey: authenticator.get(body, { origin }) });
}

async function confirm(origin: string): Promise<TestAnswer> {
  const act = { token, action_hash: ACTION_HASH };
  const { body } = await post(test, 'confirm/options', act);
  const passkey = authenticator.get(body, { origin });
  return post(test, 'confirm', { ...act, proof: { method: 'passkey', passkey } });
}

describe('the packaged apps of this installation', () => {
  beforeAll(start({ ANDROID_CERT_SHA256: FINGERPRINTS, IOS_TEAM_ID: 'A1B2C3D4E5' }));
  afterAll(end);
  beforeEach(openHolder);

  it.each([
    ['Android', ANDROID],
    ['Android, signed with another certificate', ANDROID_OWN_BUILD],
    ['iOS', IOS],
  ])('[W-122] add a passkey, sign in and confirm with it: %s', async (_app, origin) => {
    expect(outcomeOf(await register(origin))).toEqual([200, 'ok']);
    expect(outcomeOf(await signIn(origin))).toEqual([200, 'ok']);
    expect(outcomeOf(await confirm(origin))).toEqual([200, 'ok']);
  });

  it('share passkeys with the web', async () => {
    expect(outcomeOf(await register())).toEqual([200, 'ok']);
    expect(outcomeOf(await signIn(ANDROID))).toEqual([200, 'ok']);
    expect(outcomeOf(await signIn(SITE))).toEqual([200, 'ok']);
  });

  it.each([
    ['the key of another app', `android:apk-key-hash:${'-_-_'.repeat(10)}-_4`],
    ['our key in plain base64', `android:apk-key-hash:${'+/+/'.repeat(10)}+/8=`],
    ['our key as a fingerprint', `android:apk-key-hash:${'FB:FF:BF:'.repeat(10)}FB:FF`],
    ['no key', 'android:apk-key-hash:'],
    ['the page inside the Android app', 'https://localhost'],
    ['the page inside the iOS app', 'capacitor://localhost'],
    ['another port', 'https://wallet.example:9443'],
    ['a host below ours', 'https://evil.wallet.example'],
  ])('are told from others by their origin: %s is refused', async (_whose, origin) => {
    expect(outcomeOf(await register(origin))).toEqual([422, 'invalid_passkey']);
    expect(outcomeOf(await register())).toEqual([200, 'ok']);
    expect(outcomeOf(await signIn(origin))).toEqual([401, 'incorrect_credentials']);
    expect(outcomeOf(await confirm(origin))).toEqual([422, 'invalid_passkey']);
  });
});

describe('an installation without packaged apps', () => {
  beforeAll(start({}));
  afterAll(end);
  beforeEach(openHolder);

  it.each([ANDROID, IOS])('refuses their origins: %s', async (origin) => {
    expect(outcomeOf(await register())).toEqual([200, 'ok']);
    expect(outcomeOf(await signIn(origin))).toEqual([401, 'incorrect_credentials']);
    expect(outcomeOf(await signIn(SITE))).toEqual([200, 'ok']);
  });
});
