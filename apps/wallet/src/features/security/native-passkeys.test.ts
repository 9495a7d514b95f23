// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import { installFakeShell, type FakeShell } from '../../../test/fake-shell.ts';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';
import { phonePasskeys } from '../../native/shell.ts';
import { sendDraftOf } from '../../state/send-draft.ts';

const FRIEND = '0192bbbb-0000-7000-8000-000000000002';
const HASH = 'a'.repeat(64);
const CONFIRMATION = 'c'.repeat(43);

const credential = { id: 'AQID', rawId: 'AQID', type: 'public-key' };
const used = {
  ...credential,
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
};
const made = { ...credential, response: { clientDataJSON: 'e30', attestationObject: 'AA' } };

let backend: FakeBackend;
let shell: FakeShell;
beforeEach(async () => {
  backend = beginTest();
  shell = installFakeShell('android');
  shell.answer('CapacitorPasskey.getCredential', () => used);
  shell.answer('CapacitorPasskey.createCredential', () => made);
  const { passkeys } = await import('../../native/plugins.ts');
  phonePasskeys.set(passkeys);
});
afterEach(async () => {
  phonePasskeys.set(undefined);
  await endWholeTest();
});

/** The phone refuses, with the code that the plugin takes from the system's exception. */
const refuse = (method: string, code: string): void =>
  shell.answer(`CapacitorPasskey.${method}`, () => {
    throw Object.assign(new Error('refused by the phone'), { code });
  });
const requestsOf = (method: string): unknown[] =>
  (shell.calls(`CapacitorPasskey.${method}`) as { requestJson: string }[]).map(({ requestJson }) =>
    JSON.parse(requestJson),
  );
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

async function click(user: UserEvent, name: string): Promise<void> {
  await user.click(button(name));
  await settle();
}

describe('signing in', () => {
  it('[W-122] takes a passkey of the phone and nothing typed', async () => {
    const user = await startAt('/auth/sign-in');
    await click(user, 'Sign in with a passkey');
    expect(requestsOf('getCredential')).toEqual([
      expect.objectContaining({ rpId: 'localhost', challenge: 'c'.repeat(43) }),
    ]);
    expect(backend.calls('signInByPasskey').map(({ body }) => body)).toEqual([{ passkey: used }]);
    await settle(1000);
    expect(address()).toBe('/app');
  });

  it('asks the phone for nothing before the button is pressed', async () => {
    await startAt('/auth/sign-in');
    await settle(5 * 60_000);
    expect(backend.calls('passkeyOptions')).toEqual([]);
    expect(shell.calls('CapacitorPasskey.getCredential')).toEqual([]);
  });

  it.each([
    ['the user cancels', 'NotAllowedError'],
    ['the phone has none of this site', 'NotFoundError'],
    ['the phone supports none', 'NotSupportedError'],
    ['Android does not say why', 'UnknownError'],
  ])('says as on the web that no passkey was used if %s', async (_why, code) => {
    refuse('getCredential', code);
    const user = await startAt('/auth/sign-in');
    await click(user, 'Sign in with a passkey');
    expect(screen.getByText('No passkey was used')).toBeDefined();
    expect(backend.calls('signInByPasskey')).toEqual([]);
    expect(button('Sign in with a passkey').disabled).toBe(false);
  });

  it('says that a passkey was not accepted', async () => {
    backend.answer('signInByPasskey', () => problem('incorrect_credentials'));
    const user = await startAt('/auth/sign-in');
    await click(user, 'Sign in with a passkey');
    expect(screen.getByText('This passkey was not accepted')).toBeDefined();
  });
});

describe('adding a passkey', () => {
  async function add(): Promise<void> {
    localStorage.setItem('jwt', fakeToken());
    const user = await startAt('/app/settings/security/passkeys');
    await settle(2200);
    await click(user, 'Add a passkey');
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!');
    await click(user, 'Add a passkey');
  }

  it('has the phone make it', async () => {
    await add();
    expect(requestsOf('createCredential')).toEqual([
      expect.objectContaining({ rp: expect.anything(), user: expect.anything() }),
    ]);
    expect(backend.calls('registerPasskey').map(({ body }) => body)).toEqual([{ passkey: made }]);
    expect(screen.getByText('Passkey added')).toBeDefined();
  });

  it('says that none was added if the user cancels', async () => {
    refuse('createCredential', 'NotAllowedError');
    await add();
    expect(screen.getByText('No passkey was added')).toBeDefined();
    expect(backend.calls('registerPasskey')).toEqual([]);
  });
});

describe('confirming', () => {
  async function sendAndUsePasskey(): Promise<void> {
    localStorage.setItem('jwt', fakeToken());
    backend.answer('confirmOptions', () => ({
      rpId: 'localhost',
      challenge: 'd'.repeat(43),
      timeout: 300_000,
      userVerification: 'required',
    }));
    backend.answer('transfer', ({ headers }) =>
      headers.get('x-confirmation') === CONFIRMATION
        ? { id: 7, balance: '0' }
        : problem('confirmation_required', {
            action: 'send',
            action_hash: HASH,
            methods: ['passkey', 'password'],
          }),
    );
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '5', address: FRIEND });
    const user = await startAt('/app/send/summary');
    await settle(2200);
    await click(user, 'Send');
    await settle(500);
    await click(user, 'Use a passkey');
    await settle(500);
  }

  it('signs the act with a passkey of the phone', async () => {
    await sendAndUsePasskey();
    expect(requestsOf('getCredential')).toEqual([
      expect.objectContaining({ challenge: 'd'.repeat(43) }),
    ]);
    expect(backend.calls('confirm').map(({ body }) => body)).toEqual([
      { action_hash: HASH, proof: { method: 'passkey', passkey: used } },
    ]);
    expect(screen.getByRole('dialog', { name: 'Successfully sent' })).toBeDefined();
  });

  it('goes on asking if the user cancels', async () => {
    refuse('getCredential', 'NotAllowedError');
    await sendAndUsePasskey();
    expect(backend.calls('confirm')).toEqual([]);
    expect(screen.getByRole('dialog', { name: 'Confirm that it is you' })).toBeDefined();
  });
});

describe('a phone without passkeys', () => {
  beforeEach(() => phonePasskeys.set(undefined));

  it('offers none at the sign-in', async () => {
    await startAt('/auth/sign-in');
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
  });

  it('says in the settings that none can be added', async () => {
    localStorage.setItem('jwt', fakeToken());
    await startAt('/app/settings/security/passkeys');
    await settle(2200);
    expect(screen.getByText('Passkeys cannot be added here.')).toBeDefined();
  });
});

it('leaves the browser its own prompt on the web', async () => {
  vi.unstubAllGlobals();
  phonePasskeys.set(undefined);
  await endWholeTest();
  backend = beginTest();
  vi.stubGlobal('PublicKeyCredential', class {});
  const user = await startAt('/auth/sign-in');
  await click(user, 'Sign in with a passkey');
  expect(backend.calls('passkeyOptions')).toHaveLength(1);
  expect(shell.calls('CapacitorPasskey.getCredential')).toEqual([]);
});
