import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SoftwareAuthenticator, type Forgery } from '../../../../test/software-authenticator.ts';
import { askAsGuest, invitePerson, sessionOf } from '../../../../test/staff-accounts.ts';
import type { TestStaff } from '../../../../test/console.ts';
import {
  createTestApp,
  requestTo,
  stopClock,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';
import { buildConsoleApp } from '../../../app.ts';

let test: TestApp;
let advance: (byMs: number) => void;
let authenticator: SoftwareAuthenticator;
let ada: TestStaff;
let accepted: TestAnswer;
let place = '';
let counter = 0;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(async () => {
  advance = stopClock(test);
  place = `203.0.113.${(counter += 1)}`;
  authenticator = new SoftwareAuthenticator(test.deps.config.console.origin);
  const invited = await invitePerson(test, ['support']);
  const { code, name } = invited;
  ada = invited;
  const { body } = await askAsGuest(test, 'invitePasskeyOptions', { code, name });
  const passkey = authenticator.create(body);
  accepted = await askAsGuest(test, 'acceptInvite', { code, name, passkey });
});
afterAll(() => test.close());

const at = () => ({ remoteAddress: place });
const optionsFor = async () => (await askAsGuest(test, 'passkeySignInOptions', {}, at())).body;
const send = (passkey: object) => askAsGuest(test, 'passkeySignIn', { passkey }, at());
const signIn = async (forgery?: Forgery): Promise<TestAnswer> =>
  send(authenticator.get(await optionsFor(), forgery));
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];
const REFUSED = [401, 'incorrect_credentials'];

it('[O-007] signs in with the passkey of the invite alone', async () => {
  expect(accepted.body).toEqual({ is_enrolled: true });
  const answer = await signIn();
  expect([answer.status, answer.body]).toEqual([200, { is_enrolled: true }]);
  const me = (await (await sessionOf(test, ada, answer)).call('me')).body;
  expect(me).toMatchObject({ email: ada.email, has_password: false, is_enrolled: true });
  expect(me.factors).toMatchObject([{ kind: 'passkey', name: 'Passkey' }]);
  expect(me.session.proved_until).not.toBeNull();
  expect((await signIn()).status).toBe(200);
});

it.each<[string, Forgery]>([
  ['[O-007] without user verification', { isUserVerified: false }],
  ['of another origin', { origin: 'https://console.evil.example' }],
  ['for another relying party', { rpId: 'evil.example' }],
  ['with a tampered signature', { isSignatureTampered: true }],
])('refuses a passkey %s', async (_what, forgery) => {
  expect(outcomeOf(await signIn(forgery))).toEqual(REFUSED);
});

it('refuses a repeated response, and accepts one of twenty at once', async () => {
  const passkey = authenticator.get(await optionsFor());
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(passkey)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  advance(3_600_000);
  expect(outcomeOf(await send(passkey))).toEqual(REFUSED);
});

it('refuses a falling signature count, the sign of a copied authenticator', async () => {
  expect((await signIn({ signCount: 7 })).status).toBe(200);
  expect(outcomeOf(await signIn({ signCount: 7 }))).toEqual(REFUSED);
  expect((await signIn({ signCount: 8 })).status).toBe(200);
});

it('refuses an unknown passkey, and a known one with another person’s handle', async () => {
  const foreign = new SoftwareAuthenticator(test.deps.config.console.origin);
  foreign.create({ ...(await optionsFor()), user: { id: 'AAAA' } });
  expect(outcomeOf(await send(foreign.get(await optionsFor())))).toEqual(REFUSED);
  const honest = authenticator.get(await optionsFor());
  const response = { ...honest.response, userHandle: Buffer.alloc(16).toString('base64url') };
  expect(outcomeOf(await send({ ...honest, response }))).toEqual(REFUSED);
});

it('refuses the passkey of a suspended person', async () => {
  await test.deps.db
    .updateTable('staff')
    .set({ state: 'suspended' })
    .where('id', '=', ada.staffId)
    .execute();
  expect(outcomeOf(await signIn())).toEqual(REFUSED);
});

it('issues at most 30 challenges a minute to a network place', async () => {
  for (let count = 0; count < 30; count += 1) await optionsFor();
  const answer = await askAsGuest(test, 'passkeySignInOptions', {}, at());
  expect(outcomeOf(answer)).toEqual([429, 'too_many_requests']);
});

it('has no passkeys at an IP address, and says why', async () => {
  const { deps } = test;
  const origin = 'http://127.0.0.1:8080';
  const config = { ...deps.config, console: { ...deps.config.console, origin } };
  const app = await buildConsoleApp({ ...deps, config });
  const there = { ...test, deps: { ...deps, config }, request: requestTo(app) };
  const answer = await askAsGuest(there, 'passkeySignInOptions', {}, at());
  await app.close();
  expect(outcomeOf(answer)).toEqual([404, 'not_found']);
  expect(answer.body.detail).toContain('host name');
});

it.each([{}, { id: 'x' }, { id: 'A'.repeat(5_000), rawId: 'A', type: 'public-key', response: {} }])(
  'refuses %j as a shape',
  async (passkey) => {
    expect(outcomeOf(await send(passkey))).toEqual([400, 'invalid_request']);
  },
);
