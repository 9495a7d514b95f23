// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networkFailure, problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';
import { updatePassword } from '../../api/password.ts';
import { session } from '../../state/session.ts';

const OLD = 'Correct-Horse-7';
const NEW = 'Battery-Staple-8';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  backend = installFakeBackend(walletAnswers);
});
afterEach(() => {
  vi.restoreAllMocks();
  endTest();
});

const open = () => openAt('/app/settings/update-password');
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

async function fill(user: UserEvent, oldPassword = OLD, newPassword = NEW): Promise<void> {
  await user.type(field('Old Password'), oldPassword);
  await user.type(field('New Password'), newPassword);
}
async function press(user: UserEvent, name = 'Update'): Promise<void> {
  await user.click(button(name));
  await pass();
}
/** Delays the response until the returned function is called. */
function holdBack(): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  backend.answer('updatePassword', async () => {
    await held;
    return { success: true };
  });
  return () => release();
}
async function expectToast(text: string, durationMs: number): Promise<void> {
  expect(screen.getByText(text)).toBeDefined();
  await pass(durationMs - 1);
  expect(screen.queryByText(text)).not.toBeNull();
  await pass(1);
  expect(screen.queryByText(text)).toBeNull();
}

describe('Update Password', () => {
  it('[S2-191] [S2-043] shows its title and both fields, empty and masked until shown', async () => {
    const user = await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Update Password' })).toBeDefined();
    for (const name of ['Old Password', 'New Password']) {
      expect(field(name)).toMatchObject({ value: '', type: 'password', required: true });
    }
    const [showOld, showNew] = screen.getAllByRole('button', { name: 'Show password' });
    await user.click(showOld as HTMLElement);
    expect([field('Old Password').type, field('New Password').type]).toEqual(['text', 'password']);
    await user.click(showNew as HTMLElement);
    expect([field('Old Password').type, field('New Password').type]).toEqual(['text', 'text']);
  });

  it('goes back to /app/settings', async () => {
    const user = await open();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app/settings');
  });

  it('[S5-013] requires an old password of at least 8 characters, not counting spaces', async () => {
    const user = await open();
    expect(field('Old Password')).toMatchObject({ required: true, minLength: 8 });
    await fill(user, '  abc     ');
    await press(user);
    expect(field('Old Password').getAttribute('aria-invalid')).toBe('true');
    expect(backend.calls('updatePassword')).toHaveLength(0);
  });

  it("[S2-192] [S5-015] rates the new password, starting at 'None'", async () => {
    const user = await open();
    const meter = () => screen.getByText('None', { exact: true });
    expect(meter()).toBeDefined();
    await user.type(field('Old Password'), OLD);
    expect(meter()).toBeDefined();
    const rules = within(screen.getByRole('list', { name: 'Your password needs' }));
    expect(rules.getAllByText('Not met yet')).toHaveLength(4);
    await user.type(field('New Password'), NEW);
    expect(screen.getByText('Strong', { exact: true })).toBeDefined();
    expect(rules.queryAllByText('Not met yet')).toHaveLength(0);
  });

  it("[S1-021] [S2-193] [S4-063] goes from 'Update' through submitting to 'Updated!'", async () => {
    const release = holdBack();
    const user = await open();
    await fill(user, ` ${OLD} `, ` ${NEW} `);
    await press(user);
    expect(button('Updating...').disabled).toBe(true);
    const [call] = backend.calls('updatePassword');
    expect(call?.body).toEqual({ old_password: OLD, password: NEW });
    expect(call?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    release();
    await pass();
    expect(button('Updated!').disabled).toBe(true);
  });

  it('[S4-065] clears the fields and is idle again 1000 ms after success, not earlier', async () => {
    const user = await open();
    await fill(user);
    await press(user);
    await pass(999);
    expect(button('Updated!')).toBeDefined();
    expect([field('Old Password').value, field('New Password').value]).toEqual([OLD, NEW]);
    await pass(1);
    expect(button('Update').disabled).toBe(false);
    expect([field('Old Password').value, field('New Password').value]).toEqual(['', '']);
    await fill(user, NEW, OLD);
    await press(user);
    expect(backend.calls('updatePassword')).toHaveLength(2);
  });

  it('[S4-066] ignores a submit unless idle', async () => {
    const release = holdBack();
    const user = await open();
    await fill(user);
    const form = field('Old Password').form;
    if (form === null) throw new Error('the field has no form');
    // Two submits at the same moment, then one in each other phase.
    act(() => {
      fireEvent.submit(form);
      fireEvent.submit(form);
    });
    await pass();
    fireEvent.submit(form);
    await pass();
    release();
    await pass();
    expect(button('Updated!')).toBeDefined();
    fireEvent.submit(form);
    await pass();
    expect(backend.calls('updatePassword')).toHaveLength(1);
  });

  it("[S8-020] [S4-064] [S8-031] shows 'Incorrect credentials' for 4 s on failure, returns to idle and keeps the session", async () => {
    backend.answer('updatePassword', () => problem('incorrect_password'));
    const user = await open();
    await fill(user);
    await press(user);
    expect(button('Update').disabled).toBe(false);
    expect([field('Old Password').value, field('New Password').value]).toEqual([OLD, NEW]);
    expect(session.get().status).toBe('signed_in');
    await expectToast('Incorrect credentials', 4000);
    expect(await updatePassword({ oldPassword: OLD, newPassword: NEW, key: 'k' })).toBe(false);
  });

  it('[D-048] refuses a weak new password as sign-up does', async () => {
    const user = await open();
    await fill(user, OLD, 'password');
    await press(user);
    expect(backend.calls('updatePassword')).toHaveLength(0);
    expect(button('Update').disabled).toBe(false);
    await expectToast('Must meet password strength requirements', 4000);
  });

  it('says how long to wait after too many attempts', async () => {
    backend.answer('updatePassword', () =>
      problem('too_many_attempts', { retry_after_seconds: 8 }),
    );
    const user = await open();
    await fill(user);
    await press(user);
    // The client retries twice.
    await pass(2_000);
    expect(screen.getByText('Too many attempts. Wait 8 seconds and try again.')).toBeDefined();
  });

  it('keeps the key over a lost response, and uses a new one for other passwords', async () => {
    backend.answer('updatePassword', networkFailure);
    const user = await open();
    await fill(user);
    await press(user);
    await pass(30_000);
    backend.answer('updatePassword', () => problem('incorrect_password'));
    await press(user);
    await user.type(field('New Password'), '!');
    await press(user);
    const keys = backend
      .calls('updatePassword')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(keys.length).toBeGreaterThan(3);
    expect(new Set(keys.slice(0, -1)).size).toBe(1);
    expect(keys.at(-1)).not.toBe(keys[0]);
  });
});

it('[S4-010] is ignored when signed out', async () => {
  await open();
  act(() => session.end('signed_out'));
  expect(await updatePassword({ oldPassword: OLD, newPassword: NEW, key: 'k' })).toBe(false);
  expect(backend.calls('updatePassword')).toHaveLength(0);
  expect(screen.queryByText('Incorrect credentials')).toBeNull();
});
