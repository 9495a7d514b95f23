// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { fakeToken, STAFF_UUID } from '@athos/testing/session';
import { BAR, HALL } from '@athos/testing/samples/scanner';
import { pass } from '@athos/testing/fake-time';
import { beginTest, closeApp, endTest, openApp, openSignedIn } from '../../test/staff.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const token = () => localStorage.getItem('scanner-jwt');

async function signIn(): Promise<void> {
  const user = await openApp();
  await user.type(screen.getByLabelText('Email'), ' Staff@Example.com ');
  await user.type(screen.getByLabelText('Password'), 'Staff-scans-3-codes');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await pass();
  // The code behind the sign-in is loaded after it.
  await act(async () => {
    await vi.dynamicImportSettled();
  });
  await pass();
}

describe('signing in', () => {
  it('[S5-007] takes staff to the camera', async () => {
    await signIn();
    const [call] = backend.calls('login');
    expect(call?.body).toMatchObject({ email: 'staff@example.com' });
    expect(call?.headers.get('x-device-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(screen.getByRole('heading', { level: 1, name: 'Scan a code' })).toBeDefined();
    expect(token()).toBe(fakeToken(STAFF_UUID));
  });

  it('[D-079] shows the camera widget with its title', async () => {
    await signIn();
    expect(screen.getByRole('region', { name: 'Code Scanner' })).toBeDefined();
  });

  it('[S2-043] shows and hides the typed password', async () => {
    const user = await openApp();
    const password = screen.getByLabelText<HTMLInputElement>('Password');
    await user.type(password, 'Staff-scans-3-codes');
    expect(password.type).toBe('password');
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password).toMatchObject({ value: 'Staff-scans-3-codes', type: 'text' });
    await user.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(password.type).toBe('password');
  });

  it('informs a user who is not staff, and signs the account out again', async () => {
    backend.answer('scannerVenues', () => problem('forbidden'));
    await signIn();
    expect(screen.getByText('This account is not staff')).toBeDefined();
    expect(backend.calls('logout')[0]?.headers.get('authorization')).toBe(
      `Bearer ${fakeToken(STAFF_UUID)}`,
    );
    expect(token()).toBeNull();
  });

  it('informs a former member of staff', async () => {
    backend.answer('scannerVenues', () => problem('staff_revoked'));
    await signIn();
    expect(screen.getByText('No longer staff')).toBeDefined();
    expect(token()).toBeNull();
  });

  it.each([
    ['incorrect_credentials', {}, 'Incorrect credentials'],
    ['account_restricted', {}, 'This account is on hold'],
    [
      'too_many_attempts',
      { retry_after_seconds: 8 },
      'Too many attempts. Wait 8 seconds and try again.',
    ],
    ['internal_error', {}, 'Signing in did not work'],
  ] as const)('says what is wrong with %s', async (code, more, words) => {
    backend.answer('login', () => problem(code, more));
    await signIn();
    expect(screen.getByText(words)).toBeDefined();
    expect(token()).toBeNull();
  });

  it('says when there is no network', async () => {
    backend.answer('login', networkFailure);
    await signIn();
    expect(
      screen.getByText('The server cannot be reached. Check the network and try again.'),
    ).toBeDefined();
  });
});

describe('a session', () => {
  it('is resumed at once, and its token refreshed at the start and at half-life', async () => {
    await openSignedIn();
    expect(screen.getByRole('heading', { level: 1, name: 'Scan a code' })).toBeDefined();
    expect(backend.calls('refreshJwt')).toHaveLength(1);
    await pass(43_199_000);
    expect(backend.calls('refreshJwt')).toHaveLength(1);
    await pass(2000);
    expect(backend.calls('refreshJwt')).toHaveLength(2);
  });

  it('continues while the refresh waits for a network', async () => {
    backend.answer('refreshJwt', silence);
    await openSignedIn();
    expect(screen.getByRole('heading', { level: 1, name: 'Scan a code' })).toBeDefined();
  });

  it('ends with an explanation when the server refuses its refresh', async () => {
    backend.answer('refreshJwt', () => problem('session_ended'));
    await openSignedIn();
    expect(screen.getByText('You were signed out')).toBeDefined();
    expect(token()).toBeNull();
  });

  it('is revoked by signing out', async () => {
    const user = await openSignedIn('/scanner/today');
    const held = token();
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    await pass();
    expect(backend.calls('logout')[0]?.headers.get('authorization')).toBe(`Bearer ${held}`);
    expect(token()).toBeNull();
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeDefined();
    expect(screen.queryByText('You were signed out')).toBeNull();
  });

  it('follows a sign-out in another tab', async () => {
    await openSignedIn();
    localStorage.removeItem('scanner-jwt');
    await act(async () => {
      dispatchEvent(new StorageEvent('storage', { key: 'scanner-jwt', newValue: null }));
    });
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeDefined();
  });

  it("leaves the wallet's session alone", async () => {
    await openSignedIn();
    await act(async () => {
      dispatchEvent(new StorageEvent('storage', { key: 'jwt', newValue: null }));
    });
    expect(screen.getByRole('heading', { level: 1, name: 'Scan a code' })).toBeDefined();
  });
});

describe('the venue', () => {
  const choices = () =>
    within(screen.getByRole('list', { name: 'Your venues' })).getAllByRole('button');

  it('is not requested if staff have only one', async () => {
    await openSignedIn();
    expect(screen.getByText('Harbour Bar')).toBeDefined();
    expect(screen.queryByRole('link', { name: /Change venue/ })).toBeNull();
  });

  it('is chosen once, remembered on the device, and changeable', async () => {
    backend.answer('scannerVenues', () => ({ venues: [BAR, HALL] }));
    const user = await openSignedIn();
    expect(choices().map(({ textContent }) => textContent)).toEqual([
      'Harbour Bar 1 Quay ',
      'Great Hall 2 Square ',
    ]);
    await user.click(screen.getByRole('button', { name: /Great Hall/ }));
    await pass();
    closeApp();
    const later = await openSignedIn();
    await later.click(screen.getByRole('link', { name: 'Change venue, now Great Hall' }));
    await pass();
    await later.click(screen.getByRole('button', { name: /Harbour Bar/ }));
    await pass();
    expect(screen.getByRole('link', { name: 'Change venue, now Harbour Bar' })).toBeDefined();
  });

  it('is requested again after it was taken away', async () => {
    localStorage.setItem(`scanner-venue:${STAFF_UUID}`, JSON.stringify({ id: 9, name: 'Old' }));
    backend.answer('scannerVenues', () => ({ venues: [BAR, HALL] }));
    await openSignedIn();
    expect(choices()).toHaveLength(2);
  });

  it('shows a message if there is none', async () => {
    backend.answer('scannerVenues', () => ({ venues: [] }));
    await openSignedIn();
    expect(screen.getByText('No venue yet')).toBeDefined();
  });

  it('can be reloaded after a failure', async () => {
    backend.answer('scannerVenues', () => problem('not_found'));
    const user = await openSignedIn();
    expect(screen.getByText('Your venues could not be loaded')).toBeDefined();
    backend.answer('scannerVenues', () => ({ venues: [BAR] }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(screen.getByRole('heading', { level: 1, name: 'Scan a code' })).toBeDefined();
  });
});
