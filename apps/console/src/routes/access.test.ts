// @vitest-environment jsdom
import { queryClient } from '@athos/app-core/query-client';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../test/open-console.tsx';
import { noteSessionEnd } from '../state/session.ts';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

async function signInAs(user: UserEvent, email: string): Promise<void> {
  await user.type(screen.getByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Password'), 'long-enough-for-staff');
  await user.type(screen.getByLabelText('Code'), '123 456');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await settle();
}

describe('signing in', () => {
  it('keeps the address, and stores nothing that could open the console', async () => {
    backend.answer('me', () => problem('unauthenticated'));
    backend.answer('signIn', () => {
      backend.answer('me', () => staffWith());
      return { is_enrolled: true };
    });
    const user = await openConsole('/audit/1280');
    await signInAs(user, 'mara@provider.example');
    expect(backend.calls('signIn')[0]?.body).toEqual({
      email: 'mara@provider.example',
      password: 'long-enough-for-staff',
      code: '123 456',
    });
    expect(screen.getByRole('heading', { name: 'Invited a member of staff' })).toBeDefined();
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
    expect(document.cookie).toBe('');
  });

  it('says the same whatever was wrong, and asks for a new code', async () => {
    backend.answer('me', () => problem('unauthenticated'));
    backend.answer('signIn', () => problem('incorrect_credentials'));
    const user = await openConsole();
    await user.type(screen.getByLabelText('Email'), 'mara@provider.example');
    await user.type(screen.getByLabelText('Password'), 'wrong');
    await user.type(screen.getByLabelText('Code'), '123456');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await settle();
    expect(screen.getByText('Could not sign you in')).toBeDefined();
    expect(screen.getByLabelText('Code')).toHaveProperty('value', '');
    expect(screen.getByLabelText('Password')).toHaveProperty('value', 'wrong');
  });

  it('says that the session has ended, and continues at the same address', async () => {
    await openConsole('/audit?outcome=done');
    backend.answer('auditEntry', () => problem('session_ended'));
    screen.getAllByRole('link', { name: 'Invited a member of staff' })[0]?.click();
    await settle();
    expect(screen.getByText('Your session has ended')).toBeDefined();
    expect(location.pathname).toBe('/console/audit/1284');
  });
});

describe('signing out', () => {
  it('is not claimed while the session may still stand', async () => {
    const user = await openConsole('/me');
    backend.answer('signOut', networkFailure);
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    await settle(2_000);
    expect(screen.getByText(/You are still signed in/)).toBeDefined();
    expect(screen.queryByLabelText('Email')).toBeNull();
    backend.answer('signOut', () => ({ success: true }));
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    // Until the message has gone.
    await settle(6_000);
    expect(screen.getByLabelText('Email')).toBeDefined();
  });
});

describe('a person without a second factor', () => {
  const newcomer = { ...staffWith(), is_enrolled: false, factors: [] };

  it('gets the enrolment at every address, and the recovery codes once', async () => {
    backend.answer('me', () => newcomer);
    backend.answer('beginTotp', () => ({
      secret: 'JBSWY3DPEHPK3PXP',
      address: 'otpauth://totp/x',
    }));
    backend.answer('confirmTotp', () => ({ success: true }));
    backend.answer('makeRecoveryCodes', () => ({ codes: ['aaaa-bbbb', 'cccc-dddd'] }));
    const user = await openConsole('/audit');
    expect(screen.getByRole('heading', { name: 'Add a second factor' })).toBeDefined();
    expect(backend.calls('auditEntries')).toHaveLength(0);

    await user.click(screen.getByRole('button', { name: 'Add an authenticator app' }));
    await settle();
    expect(screen.getByText('JBSWY3DPEHPK3PXP')).toBeDefined();
    await user.type(screen.getByLabelText('Six digits from the app'), '123456');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    await settle();
    expect(backend.calls('confirmTotp')[0]?.body).toMatchObject({ code: '123456' });
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'aaaa-bbbb',
      'cccc-dddd',
    ]);

    backend.answer('me', () => staffWith());
    await user.click(screen.getByRole('button', { name: 'I have saved them' }));
    await settle();
    expect(screen.getByRole('heading', { level: 1, name: 'Audit' })).toBeDefined();
  });
});

describe('an action that needs a proof', () => {
  it('[O-025] continues by itself after the proof, as the same request with the same key', async () => {
    let isProved = false;
    backend.answer('removeFactor', () =>
      isProved ? { success: true } : problem('confirmation_required'),
    );
    backend.answer('prove', () => {
      isProved = true;
      return { proved_until: new Date().toISOString() };
    });
    const user = await openConsole('/me');
    await user.click(screen.getByRole('button', { name: 'Remove Authenticator app' }));
    await settle();
    await user.type(screen.getByLabelText('Six digits from the app'), '123456');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    await settle();
    const [first, second] = backend.calls('removeFactor');
    expect(second?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
    expect(second?.params).toEqual(first?.params);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is forgotten when the session ends, and is not sent by whoever signs in next', async () => {
    backend.answer('removeFactor', () => problem('confirmation_required'));
    const user = await openConsole('/me');
    await user.click(screen.getByRole('button', { name: 'Remove Authenticator app' }));
    await settle();
    expect(screen.getByRole('dialog')).toBeDefined();
    backend.answer('me', () => problem('session_ended'));
    noteSessionEnd();
    await settle();
    backend.answer('signIn', () => {
      backend.answer('me', () => ({ ...staffWith(), id: 'another' }));
      return { is_enrolled: true };
    });
    backend.answer('removeFactor', () => ({ success: true }));
    await signInAs(user, 'nils@provider.example');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(backend.calls('removeFactor')).toHaveLength(1);
  });

  it('says so when the ways to prove it cannot be read, and reads them again', async () => {
    backend.answer('removeFactor', () => problem('confirmation_required'));
    const user = await openConsole('/me');
    backend.answer('me', () => problem('internal_error'));
    queryClient.removeQueries({ queryKey: ['me'] });
    await user.click(screen.getByRole('button', { name: 'Remove Authenticator app' }));
    await settle(60_000);
    backend.answer('me', () => staffWith());
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: /again/i }));
    await settle();
    expect(screen.getByLabelText('Six digits from the app')).toBeDefined();
  });

  it('does nothing when the proof is cancelled', async () => {
    backend.answer('removeFactor', () => problem('confirmation_required'));
    const user = await openConsole('/me');
    await user.click(screen.getByRole('button', { name: 'Remove Authenticator app' }));
    await settle();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await settle();
    expect(backend.calls('removeFactor')).toHaveLength(1);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('every call', () => {
  it('carries the header of the console, the person of the page and no token', async () => {
    backend.answer('auditEntries', silence);
    await openConsole('/audit');
    const [call] = backend.calls('auditEntries');
    expect(call?.headers.get('x-console')).toBe('1');
    expect(call?.headers.get('x-staff-id')).toBe(staffWith().id);
    expect(backend.calls('me')[0]?.headers.get('x-staff-id')).toBeNull();
    expect(call?.headers.get('authorization')).toBeNull();
  });
});
