// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import { ownPasskeys } from '@athos/testing/samples/security';
import { closeApp } from '../../../test/signed-in.tsx';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  vi.stubGlobal('PublicKeyCredential', class {});
  backend.answer('passkeys', () => ({ passkeys: [] }));
});
afterEach(async () => {
  await endWholeTest();
  vi.unstubAllGlobals();
});

const card = () => screen.queryByRole('region', { name: 'Sign in faster next time' });

async function open(path = '/app'): Promise<UserEvent> {
  const user = await startAt(path);
  await settle(1200);
  await settle(1000);
  return user;
}
async function verify(): Promise<UserEvent> {
  backend.answer('verify', () => ({ token: fakeToken(), uuid: FAKE_UUID }));
  return open('/auth/verify-account?code=abc');
}

describe('a passkey', () => {
  it('is offered on home after the account was verified, and leads to where it is added', async () => {
    const user = await verify();
    expect(card()?.textContent).toContain('takes no password and no code');
    await user.click(screen.getByRole('link', { name: 'Add a passkey' }));
    await settle();
    expect(address()).toBe('/app/settings/security/passkeys');
    expect(card()).toBeNull();
  });

  it('is not offered again on this device after "Not now", also for another account', async () => {
    const user = await verify();
    await user.click(screen.getByRole('button', { name: 'Not now' }));
    expect(card()).toBeNull();
    closeApp();
    await open();
    expect(card()).toBeNull();
    closeApp();
    localStorage.removeItem('jwt');
    await verify();
    expect(card()).toBeNull();
  });

  it('is offered still after a reload', async () => {
    await verify();
    closeApp();
    await open();
    expect(card()).not.toBeNull();
  });

  it('is not offered to an account that has one', async () => {
    backend.answer('passkeys', () => ({ passkeys: ownPasskeys }));
    await verify();
    expect(card()).toBeNull();
  });

  it('is not offered after a sign-in of an account that was verified elsewhere, and nothing is asked', async () => {
    localStorage.setItem('jwt', fakeToken());
    await open();
    expect(card()).toBeNull();
    expect(backend.calls('passkeys')).toEqual([]);
  });

  it('is not offered by a browser without them', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined);
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    await verify();
    expect(card()).toBeNull();
  });
});
