// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { silence } from '@athos/testing/fake-api';
import { FAKE_UUID } from '@athos/testing/session';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import {
  closeApp,
  currentAddress,
  endTest,
  openAt,
  passLoading,
} from '../../../test/signed-in.tsx';
import { signOutAway } from '../../api/sign-out.ts';
import { sendTokens } from '../../api/transfer.ts';
import { EMPTY_DRAFT } from '../../state/send-draft.ts';
import { session } from '../../state/session.ts';

const FRIEND = '0192bbbb-0000-7000-8000-000000000002';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(() => {
  delete document.documentElement.dataset['theme'];
  endTest();
});

describe('Settings', () => {
  it('[S2-187] shows the title Settings', async () => {
    await openAt('/app/settings');
    expect(screen.getByRole('heading', { level: 1, name: 'Settings' })).toBeDefined();
  });

  it('shows whose account it is', async () => {
    backend.answer('profile', silence);
    await openAt('/app/settings');
    expect(screen.getByText('Account ID 0192aaaa…0001')).toBeDefined();
    closeApp();
    backend.answer('profile', () => ({ uuid: FAKE_UUID, email: 'grace@example.com' }));
    await openAt('/app/settings');
    expect(screen.getByText('grace@example.com').textContent).toBe(
      'Signed in as grace@example.com',
    );
  });

  it('[D-154] goes back to /app', async () => {
    const user = await openAt('/app/settings');
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app');
  });

  it("[S2-188] shows 'History', 'Update Password', 'Delete Account' and 'Sign Out'", async () => {
    await openAt('/app/settings');
    const main = within(screen.getByRole('main'));
    for (const name of ['History', 'Update Password', 'Delete Account']) {
      expect(main.getByRole('link', { name })).toBeDefined();
    }
    expect(main.getByRole('button', { name: 'Sign Out' })).toBeDefined();
  });

  it.each([
    ['History', '/app/history'],
    ['Enter a reward code', '/app/settings/reward-code'],
    ['Security', '/app/settings/security'],
    ['Update Password', '/app/settings/update-password'],
    ['Delete Account', '/app/settings/delete-account'],
  ])('[S2-189] %s opens %s', async (name, path) => {
    const user = await openAt('/app/settings');
    await user.click(screen.getByRole('link', { name }));
    expect(currentAddress()).toBe(path);
  });

  it('[S1-023] [S2-190] signs out and goes to /auth/sign-in', async () => {
    const user = await openAt('/app/settings');
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    await pass();
    expect(session.get()).toMatchObject({ status: 'signed_out', end: 'signed_out' });
    expect(backend.calls('logout')).toHaveLength(1);
    expect(localStorage.getItem('jwt')).toBe('invalidated');
    expect(currentAddress()).toBe('/auth/sign-in');
  });

  it('switches between the device’s theme, light and dark', async () => {
    const user = await openAt('/app/settings');
    const shown = () => document.documentElement.dataset['theme'];
    await user.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(shown()).toBe('dark');
    await user.click(screen.getByRole('radio', { name: 'Light' }));
    expect(shown()).toBe('light');
    await user.click(screen.getByRole('radio', { name: 'System' }));
    expect(shown()).toBeUndefined();
  });

  it('keeps for how long sends can be undone, and sends it along', async () => {
    const user = await openAt('/app/settings');
    const undo = within(screen.getByRole('group', { name: 'Time to undo a send' }));
    const isChosen = (name: string) => undo.getByRole<HTMLInputElement>('radio', { name }).checked;
    const send = async () => {
      const content = { ...EMPTY_DRAFT, paymentAmount: '5', address: FRIEND };
      await sendTokens({ key: newIdempotencyKey(), content, isRepeat: false });
      return backend.calls('transfer').at(-1)?.body.undo_seconds;
    };
    expect(isChosen('As usual')).toBe(true);
    expect(await send()).toBeUndefined();
    await user.click(undo.getByRole('radio', { name: '30 s' }));
    expect(await send()).toBe(30);
    await user.click(undo.getByRole('radio', { name: 'None' }));
    expect(await send()).toBe(0);
    closeApp();
    await openAt('/app/settings');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'None' }).checked).toBe(true);
  });

  it('lets the server end the tickets of who is away, where the user has chosen so', async () => {
    const user = await openAt('/app/settings');
    const reasonOf = (call = backend.calls('logout').at(-1)) =>
      call?.query.get('reason') ?? undefined;
    await user.click(screen.getByRole('radio', { name: 'Remove them' }));
    signOutAway();
    await pass();
    expect(reasonOf()).toBeUndefined();
    closeApp();
    await openAt('/app/settings');
    await user.click(screen.getByRole('radio', { name: 'Keep them' }));
    signOutAway();
    await pass();
    expect(reasonOf()).toBe('away');
  });

  it.each([
    ['Terms of Service', /./],
    ['Privacy Policy', /./],
  ])('shows the %s in a dialog', async (name) => {
    const user = await openAt('/app/settings');
    await user.click(screen.getByRole('button', { name }));
    await passLoading();
    const dialog = screen.getByRole('dialog', { name });
    expect(dialog.querySelectorAll('h3').length).toBeGreaterThan(1);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await pass(1000);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(currentAddress()).toBe('/app/settings');
  });

  it('shows the support address', async () => {
    await openAt('/app/settings');
    expect(screen.getByRole('link', { name: 'Contact support' }).getAttribute('href')).toBe(
      'mailto:support@athos.example',
    );
  });
});
