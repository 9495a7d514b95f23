// @vitest-environment jsdom
import { legal } from '@athos/brand/legal';
import { fireEvent, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem } from '@athos/testing/fake-api';
import { FAKE_UUID } from '@athos/testing/session';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';

const STRONG = 'Passw0rd!';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endWholeTest);

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const press = async (user: UserEvent, name: string) => {
  await user.click(button(name));
  await settle();
};
/** Delays the response to a call until the returned function is called. */
function holdBack(name: 'register' | 'forgotPassword' | 'resetPassword'): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  backend.answer(name, async () => {
    await held;
    return { success: true };
  });
  return () => release();
}
async function expectToast(text: string, durationMs: number) {
  expect(screen.getByText(text)).toBeDefined();
  await settle(durationMs - 1);
  expect(screen.queryByText(text)).not.toBeNull();
  await settle(1);
  expect(screen.queryByText(text)).toBeNull();
}

describe('/auth/get-started', () => {
  it('[S1-024] [S1-025] [S1-026] [D-003] introduces the programme and its benefits', async () => {
    await startAt('/auth/get-started');
    expect(screen.getByRole('heading', { name: 'Welcome to Athos Rewards' })).toBeDefined();
    expect(screen.getByText('Supercharge your experiences')).toBeDefined();
    const text = screen.getByText(/Get access to/).textContent;
    for (const benefit of ['music events', 'discounts', 'supercar experiences']) {
      expect(text).toContain(benefit);
    }
  });

  it("[S2-012] opens /auth/choose with 'Get Started'", async () => {
    const user = await startAt('/auth/get-started');
    await user.click(screen.getByRole('link', { name: 'Get Started' }));
    await settle();
    expect(address()).toBe('/auth/choose');
  });

  it('[S1-027] [D-004] shows the powered by footer of Meridian Pay', async () => {
    await startAt('/auth/get-started');
    const footer = within(screen.getByRole('contentinfo'));
    expect(footer.getByText(/^powered by$/i)).toBeDefined();
    expect(footer.getByRole('img', { name: 'Meridian Pay' })).toBeDefined();
  });
});

describe('/auth/choose', () => {
  it('[S2-013] shows a terms notice with both texts', async () => {
    const user = await startAt('/auth/choose');
    expect(screen.getByText(/By continuing you agree to the/)).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'Terms of Service' }));
    await settle();
    expect(screen.getByRole('heading', { name: 'Terms of Service' })).toBeDefined();
    expect(screen.getByText(legal.terms.intro)).toBeDefined();
  });

  it.each([
    ['[S2-014]', 'Sign In', '/auth/sign-in'],
    ['[S2-015]', 'Sign Up', '/auth/sign-up'],
    ['[S2-016]', 'Back', '/auth/get-started'],
  ])("%s: '%s' opens %s", async (_, name, to) => {
    const user = await startAt('/auth/choose');
    await user.click(screen.getByRole('link', { name }));
    await settle();
    expect(address()).toBe(to);
  });
});

describe('/auth/sign-up', () => {
  async function fill(user: UserEvent, email = 'ada@example.com', password = STRONG) {
    await user.type(field('Email'), email);
    await user.type(field('Password'), password);
  }

  it('[S2-017] [S5-014] [S2-018] [S2-043] shows both fields, checklist and toggle', async () => {
    const user = await startAt('/auth/sign-up');
    expect(field('Email')).toMatchObject({ type: 'email', required: true });
    expect(field('Password').type).toBe('password');
    const rules = within(screen.getByRole('list', { name: 'Your password needs' }));
    expect(rules.getAllByText('Not met yet')).toHaveLength(4);
    await user.type(field('Password'), 'Abcdefg1');
    expect(rules.getAllByText('Not met yet')).toHaveLength(1);
    await user.click(button('Show password'));
    expect(field('Password').type).toBe('text');
  });

  it("[S2-019] [S4-011] [S2-021] [S2-022] submits with 'Create Account' and shows the created account", async () => {
    const release = holdBack('register');
    const user = await startAt('/auth/sign-up');
    await fill(user, 'Ada@Example.com');
    await press(user, 'Create Account');
    expect(button('Creating Account...').disabled).toBe(true);
    release();
    await settle();
    expect(screen.getByRole('heading', { name: 'Your account has been created!' })).toBeDefined();
    expect(screen.getByText('A verification link was sent to ada@example.com.')).toBeDefined();
    expect(screen.getByText(/yours can take up to an hour/)).toBeDefined();
  });

  it('[S2-020] links to /auth/sign-in', async () => {
    const user = await startAt('/auth/sign-up');
    await user.click(screen.getByRole('link', { name: 'Sign In' }));
    await settle();
    expect(address()).toBe('/auth/sign-in');
  });

  it('[S7-007] [S5-007] [S5-008] [S6-003] sends trimmed data, tenant and accepted terms', async () => {
    const user = await startAt('/auth/sign-up');
    await fill(user, '  Ada@Example.COM ', `  ${STRONG} `);
    await press(user, 'Create Account');
    const [call] = backend.calls('register');
    expect(call?.headers.get('x-device-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(call?.body).toEqual({
      email: 'ada@example.com',
      password: STRONG,
      tenant_id: 1,
      mode: 'production',
      terms_version: legal.terms.version,
    });
  });

  it.each(['password', 'Password', 'Password1', 'Pass0!'])(
    "[S5-001] refuses '%s' with the toast for 4 s and makes no call",
    async (password) => {
      const user = await startAt('/auth/sign-up');
      await fill(user, 'ada@example.com', password);
      await press(user, 'Create Account');
      expect(backend.calls('register')).toHaveLength(0);
      expect(button('Create Account').disabled).toBe(false);
      await expectToast('Must meet password strength requirements', 4000);
    },
  );

  it('[S5-009] makes no call with an empty e-mail or password', async () => {
    const user = await startAt('/auth/sign-up');
    const submit = async () => {
      await press(user, 'Create Account');
      // Bypasses the browser's own validation.
      fireEvent.submit(button('Create Account'));
      await settle();
    };
    await user.type(field('Password'), STRONG);
    await submit();
    await user.clear(field('Password'));
    await user.type(field('Email'), 'ada@example.com');
    await submit();
    await user.type(field('Password'), '         ');
    await submit();
    expect(backend.calls('register')).toHaveLength(0);
    await user.type(field('Password'), STRONG);
    await press(user, 'Create Account');
    expect(backend.calls('register')).toHaveLength(1);
  });

  it('[S8-001] [S4-012] [D-151] shows the failure for 4 s and returns to idle', async () => {
    backend.answer('register', () => problem('internal_error'));
    const user = await startAt('/auth/sign-up');
    await fill(user);
    await press(user, 'Create Account');
    expect(button('Create Account').disabled).toBe(false);
    await expectToast('Something went wrong. Please try again.', 4000);
  });

  it('resends with the same data, at most once a minute', async () => {
    const user = await startAt('/auth/sign-up');
    await fill(user);
    await press(user, 'Create Account');
    expect(button('Send again').disabled).toBe(true);
    expect(screen.getByText('You can send it again in 60 seconds.')).toBeDefined();
    await settle(59_000);
    expect(button('Send again').disabled).toBe(true);
    await settle(1000);
    await press(user, 'Send again');
    const [first, second, ...more] = backend.calls('register');
    expect(second?.body).toEqual(first?.body);
    expect(more).toHaveLength(0);
    expect(button('Sent again!').disabled).toBe(true);
    await settle(60_000);
    expect(button('Send again').disabled).toBe(false);
  });
});

describe('/auth/verify-account', () => {
  it('[S2-023] [S7-008] [S2-024] reads the code, shows progress, and sends it once', async () => {
    let release: () => void = () => undefined;
    backend.answer('verify', async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { token: 'token', uuid: FAKE_UUID };
    });
    await startAt('/auth/verify-account?code=abc');
    const text = 'Verifying Account - This should only take a second';
    expect(screen.getByText(text)).toBeDefined();
    expect(backend.calls('verify').map(({ body }) => body)).toEqual([{ code: 'abc' }]);
    release();
    await settle();
  });

  it('asks for the password on another device, says what is wrong with it, and signs in', async () => {
    backend.answer('verify', () => problem('incorrect_password'));
    const user = await startAt('/auth/verify-account?code=abc');
    expect(screen.getByRole('heading', { name: 'Enter your password' })).toBeDefined();
    expect(screen.getByText(/This is not the device you signed up on/)).toBeDefined();
    expect(screen.queryByText(/Something went wrong/)).toBeNull();
    expect(document.activeElement).toBe(field('Password'));
    await user.type(field('Password'), 'Wr0ng-word!');
    await press(user, 'Verify Account');
    expect(screen.getByRole('alert').textContent).toContain(
      'This is not the password of this sign-up. If you signed up more than once, open the link in the newest email.',
    );
    expect(document.activeElement).toBe(field('Password'));
    await user.clear(field('Password'));
    await user.type(field('Password'), ` ${STRONG} `);
    backend.answer('verify', () => ({ token: 'a.fresh.token', uuid: FAKE_UUID }));
    await press(user, 'Verify Account');
    expect(backend.calls('verify').map(({ body }) => body)).toEqual([
      { code: 'abc' },
      { code: 'abc', password: 'Wr0ng-word!' },
      { code: 'abc', password: STRONG },
    ]);
    expect(address()).toBe('/app');
  });

  it('says how long to wait after too many wrong passwords, and keeps the form', async () => {
    backend.answer('verify', () => problem('incorrect_password'));
    const user = await startAt('/auth/verify-account?code=abc');
    await user.type(field('Password'), STRONG);
    backend.answer('verify', () => problem('too_many_attempts', { retry_after_seconds: 8 }));
    await press(user, 'Verify Account');
    expect(screen.getByText('Too many attempts. Wait 8 seconds and try again.')).toBeDefined();
    expect(button('Verify Account').disabled).toBe(false);
  });

  it('[S2-009] [S4-079] signs in, fetches the balance and goes to /app', async () => {
    backend.answer('verify', () => ({ token: 'a.fresh.token', uuid: FAKE_UUID }));
    await startAt('/auth/verify-account?code=abc');
    expect(address()).toBe('/app');
    expect(localStorage.getItem('jwt')).toBe('a.fresh.token');
    const fetchedCount = backend.calls('balance').length;
    expect(fetchedCount).toBeGreaterThan(0);
    await settle(15_000);
    expect(backend.calls('balance').length).toBeGreaterThan(fetchedCount);
  });

  it('[S2-009] [S2-010] goes to the remembered route and clears it', async () => {
    localStorage.setItem('intended-route', '/app/wallet?x=1');
    await startAt('/auth/verify-account?code=abc');
    expect(address()).toBe('/app/wallet?x=1');
    expect(localStorage.getItem('intended-route')).toBeNull();
  });

  it('[S4-021] goes to /auth/sign-in without a code', async () => {
    await startAt('/auth/verify-account');
    expect(address()).toBe('/auth/sign-in');
    expect(backend.calls('verify')).toHaveLength(0);
  });

  it('[S8-004] [D-151] shows the failure for 4 s and offers to sign in', async () => {
    backend.answer('verify', () => problem('invalid_code'));
    await startAt('/auth/verify-account?code=abc');
    expect(screen.getByRole('link', { name: 'Sign In' })).toBeDefined();
    await expectToast(
      'Something went wrong. Please try clicking your email verification link again.',
      4000,
    );
  });
});

describe('/auth/forgot-password', () => {
  it('[S2-029] [S2-030] [S2-031] shows title, text and an empty required e-mail field', async () => {
    await startAt('/auth/forgot-password');
    expect(screen.getByRole('heading', { name: 'Forgot Your Password?' })).toBeDefined();
    expect(screen.getByText("We'll send you an email to reset it.")).toBeDefined();
    expect(field('Email')).toMatchObject({ value: '', type: 'email', required: true });
  });

  it('[S2-031] prefills the e-mail from the query', async () => {
    await startAt('/auth/forgot-password?email=ada%2B1%40example.com');
    expect(field('Email').value).toBe('ada+1@example.com');
  });

  it('[S2-032] [S4-015] [S2-033] [S7-011] [S5-007] goes idle, submitting, submitted, with a note', async () => {
    const release = holdBack('forgotPassword');
    const user = await startAt('/auth/forgot-password?email=%20Ada%40Example.com%09');
    await press(user, 'Initiate Password Reset');
    expect(button('Submitting...').disabled).toBe(true);
    release();
    await settle();
    expect(button('Email sent!').disabled).toBe(true);
    expect(screen.getByText('A reset link was sent to ada@example.com.')).toBeDefined();
    expect(backend.calls('forgotPassword').map(({ body }) => body)).toEqual([
      { email: 'ada@example.com', tenant_id: 1, mode: 'production' },
    ]);
  });

  it('[S8-003] [S4-016] [D-151] shows the failure for 4 s and returns to idle', async () => {
    backend.answer('forgotPassword', () => problem('internal_error'));
    const user = await startAt('/auth/forgot-password?email=ada%40example.com');
    await press(user, 'Initiate Password Reset');
    expect(button('Initiate Password Reset').disabled).toBe(false);
    await expectToast('There was an error initiating the password reset.', 4000);
  });
});

describe('/auth/reset-password', () => {
  it('[S2-035] [S2-036] [S2-037] [S5-011] [S2-043] shows title, text and a new-password field', async () => {
    const user = await startAt('/auth/reset-password?code=abc');
    expect(screen.getByRole('heading', { name: 'Reset Your Password' })).toBeDefined();
    const text =
      "You're almost there! Just enter your new password below and you'll be good to go.";
    expect(screen.getByText(text)).toBeDefined();
    expect(field('New Password')).toMatchObject({
      type: 'password',
      required: true,
      minLength: 8,
    });
    await user.click(button('Show password'));
    expect(field('New Password').type).toBe('text');
    await user.click(button('Hide password'));
    expect(field('New Password').type).toBe('password');
  });

  it('[S2-034] [S2-038] [S4-017] [S4-020] [S4-018] [S7-012] resets with the code, then signs in', async () => {
    const release = holdBack('resetPassword');
    const user = await startAt('/auth/reset-password?code=abc');
    await user.type(field('New Password'), ` ${STRONG} `);
    await press(user, 'Reset Password');
    expect(button('Resetting...').disabled).toBe(true);
    expect(backend.calls('resetPassword').map(({ body }) => body)).toEqual([
      { code: 'abc', new_password: STRONG },
    ]);
    release();
    await settle();
    expect(button('Password Reset!').disabled).toBe(true);
    await settle(1000);
    expect(address()).toBe('/auth/sign-in');
    expect(history.state).toMatchObject({ usr: { update: true } });
    expect(screen.getByText('Your password was reset. Sign in with the new one.')).toBeDefined();
  });

  it('[D-048] refuses a weak password, as sign-up does', async () => {
    const user = await startAt('/auth/reset-password?code=abc');
    await user.type(field('New Password'), 'password');
    await press(user, 'Reset Password');
    expect(backend.calls('resetPassword')).toHaveLength(0);
    await expectToast('Must meet password strength requirements', 4000);
  });

  it('[S8-005] [S4-019] shows the failure for 4 s and returns to idle', async () => {
    backend.answer('resetPassword', () => problem('invalid_code'));
    const user = await startAt('/auth/reset-password?code=abc');
    await user.type(field('New Password'), STRONG);
    await press(user, 'Reset Password');
    expect(button('Reset Password').disabled).toBe(false);
    expect(screen.getByText('Problem:')).toBeDefined();
    await expectToast('There was an error resetting your password.', 4000);
  });

  it('[S5-019] without a code shows the toast for 4 s and goes to /auth', async () => {
    await startAt('/auth/reset-password');
    // /auth redirects visitors to the welcome screen.
    expect(address()).toBe('/auth/get-started');
    expect(screen.getByText('Problem:')).toBeDefined();
    await expectToast('No reset code supplied', 4000);
  });
});
