// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem } from '@athos/testing/fake-api';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endWholeTest);

const emailField = () => screen.getByLabelText<HTMLInputElement>('Email');
const passwordField = () => screen.getByLabelText<HTMLInputElement>('Password');
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

async function submit(user: UserEvent, email = 'ada@example.com', password = 'Passw0rd!') {
  await user.type(emailField(), email);
  await user.type(passwordField(), password);
  await user.click(button('Sign In'));
  await settle();
}

describe('/auth/sign-in', () => {
  it('[S2-025] [S5-014] [S5-010] shows an e-mail field and a password field of at least 8', async () => {
    await startAt('/auth/sign-in');
    expect(emailField()).toMatchObject({ type: 'email', required: true });
    expect(passwordField()).toMatchObject({ type: 'password', required: true, minLength: 8 });
  });

  it('[S5-010] makes no call with a password of 7 characters', async () => {
    const user = await startAt('/auth/sign-in');
    await submit(user, 'ada@example.com', 'Short1!');
    expect(backend.calls('login')).toHaveLength(0);
    expect(screen.getByText('At least 8 characters')).toBeDefined();
    expect(button('Sign In').disabled).toBe(false);
  });

  it('loses the message of a failed attempt when the next one begins', async () => {
    backend.answer('login', () => problem('incorrect_credentials'));
    const user = await startAt('/auth/sign-in');
    await submit(user);
    expect(screen.getByText('Incorrect credentials')).toBeDefined();
    await user.click(button('Sign In'));
    await settle();
    expect(screen.getByText('Shown 2 times')).toBeDefined();
    backend.answer('login', () => ({ token: fakeToken(), uuid: FAKE_UUID }));
    await user.click(button('Sign In'));
    await settle();
    expect(button('Signed In!')).toBeDefined();
    expect(screen.queryByText('Incorrect credentials')).toBeNull();
  });

  it("[S2-026] passes the typed e-mail on to 'Forgot password'", async () => {
    const user = await startAt('/auth/sign-in');
    await user.type(emailField(), 'ada+1@example.com');
    await user.click(screen.getByRole('link', { name: 'Forgot password' }));
    await settle();
    expect(address()).toBe('/auth/forgot-password?email=ada%2B1%40example.com');
    expect(emailField().value).toBe('ada+1@example.com');
  });

  it("[S2-027] has a 'Sign Up' link", async () => {
    const user = await startAt('/auth/sign-in');
    await user.click(screen.getByRole('link', { name: 'Sign Up' }));
    await settle();
    expect(address()).toBe('/auth/sign-up');
  });

  it('[S2-028] [S4-013] [S2-008] goes idle, submitting, submitted, and on to /app after 1 s', async () => {
    let answer: (() => void) | undefined;
    backend.answer('login', async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { token: 'token', uuid: FAKE_UUID };
    });
    const user = await startAt('/auth/sign-in');
    await submit(user);
    expect(button('Signing In...').disabled).toBe(true);
    answer?.();
    await settle();
    expect(button('Signed In!').disabled).toBe(true);
    await settle(999);
    expect(address()).toBe('/auth/sign-in');
    expect(button('Signed In!')).toBeDefined();
    await settle(1);
    expect(address()).toBe('/app');
  });

  it('[S2-008] [S2-010] goes to the remembered route with its query and clears it', async () => {
    localStorage.setItem('had-previous-session', 'true');
    const user = await startAt('/app/history?type=Send');
    expect(address()).toBe('/auth/sign-in');
    expect(localStorage.getItem('intended-route')).toBe('/app/history?type=Send');
    await submit(user);
    await settle(1000);
    expect(address()).toBe('/app/history?type=Send');
    expect(localStorage.getItem('intended-route')).toBeNull();
  });

  it('[D-143] [D-144] [S7-009] [S6-003] [S5-007] trims and lowercases the e-mail, trims the password', async () => {
    const user = await startAt('/auth/sign-in');
    await submit(user, '  Ada@Example.COM ', '  Passw0rd!  ');
    expect(backend.calls('login')[0]?.body).toEqual({
      email: 'ada@example.com',
      password: 'Passw0rd!',
      tenant_id: 1,
      mode: 'production',
    });
  });

  it('sends the same device id with every sign-in', async () => {
    backend.answer('login', () => problem('incorrect_credentials'));
    const user = await startAt('/auth/sign-in');
    await submit(user);
    await user.click(button('Sign In'));
    await settle();
    const [first, second] = backend.calls('login').map(({ headers }) => headers.get('x-device-id'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
  });

  it('[S4-079] [S3-001] [S3-003] stores the token and the flag, fetches the balance and starts polling', async () => {
    backend.answer('login', () => ({ token: 'a.fresh.token', uuid: FAKE_UUID }));
    const user = await startAt('/auth/sign-in');
    await submit(user);
    expect(localStorage.getItem('jwt')).toBe('a.fresh.token');
    expect(localStorage.getItem('had-previous-session')).toBe('true');
    const fetchedCount = backend.calls('balance').length;
    expect(fetchedCount).toBeGreaterThan(0);
    await settle(15_000);
    expect(backend.calls('balance').length).toBeGreaterThan(fetchedCount);
  });

  it("[S8-002] [S4-014] [D-151] shows 'Incorrect credentials' for 4 s and returns to idle", async () => {
    backend.answer('login', () => problem('incorrect_credentials'));
    const user = await startAt('/auth/sign-in');
    await submit(user);
    expect(screen.getByText('Incorrect credentials')).toBeDefined();
    expect(button('Sign In').disabled).toBe(false);
    await settle(3999);
    expect(screen.queryByText('Incorrect credentials')).not.toBeNull();
    await settle(1);
    expect(screen.queryByText('Incorrect credentials')).toBeNull();
    expect(address()).toBe('/auth/sign-in');
  });

  it('[S2-042] merges repeated failures into one toast with a count', async () => {
    backend.answer('login', () => problem('incorrect_credentials'));
    const user = await startAt('/auth/sign-in');
    await submit(user);
    await user.click(button('Sign In'));
    await settle();
    expect(screen.getAllByText('Incorrect credentials')).toHaveLength(1);
    expect(screen.getByText('Shown 2 times')).toBeDefined();
  });

  it('says how long to wait when the server asks for a pause', async () => {
    backend.answer('login', () => problem('too_many_attempts', { retry_after_seconds: 8 }));
    const user = await startAt('/auth/sign-in');
    await submit(user);
    expect(screen.getByText('Incorrect credentials')).toBeDefined();
    expect(screen.getByText('Too many attempts. Wait 8 seconds and try again.')).toBeDefined();
  });

  it('says that the account is on hold, and not that the password is wrong', async () => {
    backend.answer('login', () => problem('account_restricted'));
    const user = await startAt('/auth/sign-in');
    await submit(user);
    expect(
      screen.getByText(
        'This account cannot be used at the moment. Please write to support@athos.example.',
      ),
    ).toBeDefined();
    expect(screen.queryByText('Incorrect credentials')).toBeNull();
  });

  it('[S2-043] shows and hides the password', async () => {
    const user = await startAt('/auth/sign-in');
    await user.click(button('Show password'));
    expect(passwordField().type).toBe('text');
    await user.click(button('Hide password'));
    expect(passwordField().type).toBe('password');
  });

  it('[S1-027] shows the powered by footer with the provider’s logo', async () => {
    await startAt('/auth/sign-in');
    const footer = screen.getByRole('contentinfo');
    expect(footer.textContent?.toLowerCase()).toContain('powered by');
    expect(screen.getByRole('img', { name: 'Meridian Pay' })).toBeDefined();
  });
});
