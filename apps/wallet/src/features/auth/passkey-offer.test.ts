// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';

const NOTHING = new ArrayBuffer(0);
const credential = {
  id: 'AQID',
  rawId: NOTHING,
  type: 'public-key',
  response: { authenticatorData: NOTHING, clientDataJSON: NOTHING, signature: NOTHING },
  getClientExtensionResults: () => ({}),
};

let backend: FakeBackend;
/** Settles the browser's pending offer. */
let choose: () => void;
const get = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>();

beforeEach(() => {
  backend = beginTest();
  vi.stubGlobal(
    'PublicKeyCredential',
    class {
      static isConditionalMediationAvailable = () => Promise.resolve(true);
    },
  );
  get.mockReset().mockImplementation(({ mediation, signal }) => {
    if (mediation !== 'conditional') return Promise.reject(new DOMException('', 'NotAllowedError'));
    return new Promise((resolve, reject) => {
      choose = () => resolve(credential);
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
});
afterEach(async () => {
  await endWholeTest();
  Reflect.deleteProperty(navigator, 'credentials');
});

const offerCount = (): number =>
  get.mock.calls.filter(([{ mediation }]) => mediation === 'conditional').length;
const pressUse = async (user: Awaited<ReturnType<typeof startAt>>): Promise<void> => {
  await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
  await settle();
};

describe('passkeys in the e-mail field', () => {
  it('are offered again every four minutes, before the challenge ends', async () => {
    await startAt('/auth/sign-in');
    expect(offerCount()).toBe(1);
    await settle(4 * 60_000);
    expect(offerCount()).toBe(2);
  });

  it('are offered again once the prompt of the button is dismissed, which is still reported', async () => {
    const user = await startAt('/auth/sign-in');
    await pressUse(user);
    expect(get).toHaveBeenCalledTimes(3);
    expect(offerCount()).toBe(2);
    expect(screen.getByText('No passkey was used')).toBeDefined();
  });

  it('are not offered while that prompt is open', async () => {
    const user = await startAt('/auth/sign-in');
    get.mockReturnValueOnce(new Promise(() => undefined));
    await pressUse(user);
    await settle(4 * 60_000);
    expect(offerCount()).toBe(1);
  });

  it.each(['too_many_requests', 'overloaded'] as const)(
    'are left out in silence if the server answers %s',
    async (code) => {
      backend.answer('passkeyOptions', () => problem(code));
      await startAt('/auth/sign-in');
      await settle(4 * 60_000);
      expect(backend.calls('passkeyOptions')).toHaveLength(2);
      expect(screen.queryByText('This passkey was not accepted')).toBeNull();
    },
  );

  it('sign in when one is chosen', async () => {
    await startAt('/auth/sign-in');
    choose();
    await settle();
    await settle(1000);
    expect(backend.calls('signInByPasskey')).toHaveLength(1);
    expect(address()).toBe('/app');
  });

  it('are reported when the chosen one is refused', async () => {
    backend.answer('signInByPasskey', () => problem('incorrect_credentials'));
    await startAt('/auth/sign-in');
    choose();
    await settle();
    expect(screen.getByText('This passkey was not accepted')).toBeDefined();
  });
});

it('the button reports that the server has no challenge', async () => {
  backend.answer('passkeyOptions', () => problem('too_many_requests'));
  const user = await startAt('/auth/sign-in');
  await pressUse(user);
  expect(screen.getByText('This passkey was not accepted')).toBeDefined();
});
