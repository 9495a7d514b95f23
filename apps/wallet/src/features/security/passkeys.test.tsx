// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { ownPasskeys } from '@athos/testing/samples/security';
import { endTest, openAt } from '../../../test/signed-in.tsx';

const AT = '/app/settings/security/passkeys';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  backend.answer('passkeys', () => ({ passkeys: ownPasskeys }));
});
afterEach(endTest);

describe('Passkeys', () => {
  it('are renamed', async () => {
    const user = await openAt(AT);
    await user.click(screen.getByRole('button', { name: 'Rename Safari on iOS' }));
    await user.clear(screen.getByLabelText('Name'));
    await user.type(screen.getByLabelText('Name'), 'My phone');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await pass();
    expect(backend.calls('renamePasskey').map(({ body }) => body)).toEqual([{ name: 'My phone' }]);
    expect(screen.queryByLabelText('Name')).toBeNull();
  });

  it('are removed with the password, and with a code where signing in takes one', async () => {
    backend.answer('secondStep', () => ({
      totp_since: '2026-11-20T07:30:00.000Z',
      recovery_codes_left: 7,
      recovery_ends_at: null,
    }));
    const user = await openAt(AT);
    await user.click(screen.getByRole('button', { name: 'Remove Safari on iOS' }));
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!');
    await user.type(screen.getByLabelText('Code of the app, or a recovery code'), '123456');
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    await pass();
    expect(backend.calls('endPasskey').map(({ body }) => body)).toEqual([
      { password: 'Passw0rd!', code: '123456' },
    ]);
    expect(screen.getByText('Passkey removed')).toBeDefined();
  });

  it('stay when the password is wrong', async () => {
    backend.answer('endPasskey', () => problem('incorrect_password'));
    const user = await openAt(AT);
    await user.click(screen.getByRole('button', { name: 'Remove Safari on iOS' }));
    await user.type(screen.getByLabelText('Password'), 'Passw0rd?');
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    await pass();
    expect(screen.getByText('Password or code is not right')).toBeDefined();
    expect(screen.getByLabelText('Password')).toBeDefined();
  });

  it.each([
    ['Rename Safari on iOS', 'Name', 'Save'],
    ['Rename Safari on iOS', 'Name', 'Cancel'],
    ['Remove Safari on iOS', 'Password', 'Cancel'],
    ['Add a passkey', 'Password', 'Cancel'],
  ])('pass the focus from %s to %s, and back on %s', async (opener, field, closer) => {
    vi.stubGlobal('PublicKeyCredential', class {});
    const user = await openAt(AT);
    await user.click(screen.getByRole('button', { name: opener }));
    expect(document.activeElement).toBe(screen.getByLabelText(field));
    await user.click(screen.getByRole('button', { name: closer }));
    await pass();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: opener }));
  });

  it('leave the focus with the screen once they are removed', async () => {
    const user = await openAt(AT);
    await user.click(screen.getByRole('button', { name: 'Remove Safari on iOS' }));
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!');
    backend.answer('passkeys', () => ({ passkeys: ownPasskeys.slice(1) }));
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    await pass();
    expect(screen.queryByText('Safari on iOS')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });

  it('leave the focus where the user has moved it meanwhile', async () => {
    const user = await openAt(AT);
    await user.click(screen.getByRole('button', { name: 'Rename Safari on iOS' }));
    let answer = (): void => undefined;
    backend.answer(
      'renamePasskey',
      () => new Promise((resolve) => (answer = () => resolve({ success: true }))),
    );
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await pass();
    const back = screen.getByRole('link', { name: 'Back' });
    back.focus();
    answer();
    await pass();
    expect(screen.queryByLabelText('Name')).toBeNull();
    expect(document.activeElement).toBe(back);
  });

  it('cannot be added in a browser without them, which says so', async () => {
    await openAt(AT);
    expect(screen.getByText('Passkeys cannot be added here.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  });
});
