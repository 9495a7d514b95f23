// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { recoveryCodes, totpSecret } from '@athos/testing/samples/security';
import { currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';

/** The content of the displayed code; `packages/ui` tests its rendering. */
vi.mock('@athos/ui/qr/qr-code', () => ({
  QrCode: (props: { value: string; label: string }) => (
    <img alt={props.label} data-value={props.value} />
  ),
}));

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const turnOn = () =>
  backend.answer('secondStep', () => ({
    totp_since: '2026-11-20T07:30:00.000Z',
    recovery_codes_left: 7,
    recovery_ends_at: null,
  }));

describe('The authenticator app', () => {
  it('is set up with password, secret and first code, and then shows the recovery codes once', async () => {
    const user = await openAt('/app/settings/security');
    await user.click(screen.getByRole('link', { name: 'Set up' }));
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await pass();
    const code = screen.getByRole('img', { name: 'Code for the authenticator app' });
    expect(code.dataset['value']).toBe(totpSecret.address);
    expect(screen.getByText(totpSecret.secret)).toBeDefined();
    turnOn();
    await user.type(screen.getByLabelText('Six digits from the app'), '123456');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    await pass();
    const list = within(screen.getByRole('list', { name: 'Recovery codes' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      recoveryCodes,
    );
    await user.click(screen.getByRole('button', { name: 'I have saved them' }));
    await pass();
    expect(currentAddress()).toBe('/app/settings/security');
    expect(screen.getByText(/^On since Nov 20, 2026/)).toBeDefined();
    expect(screen.queryByText(recoveryCodes[0] ?? '')).toBeNull();
  });

  it('stays with the password when it is wrong', async () => {
    backend.answer('beginAuthenticator', () => problem('incorrect_password'));
    const user = await openAt('/app/settings/security/authenticator');
    await user.type(screen.getByLabelText('Password'), 'Passw0rd?');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await pass();
    expect(screen.getByText('Incorrect password')).toBeDefined();
    expect(screen.getByLabelText('Password')).toBeDefined();
  });

  it('says how many recovery codes are left, and is turned off with password and code', async () => {
    turnOn();
    const user = await openAt('/app/settings/security');
    expect(screen.getByText('Recovery codes left: 7')).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'Turn off' }));
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!');
    await user.type(screen.getByLabelText('Code of the app, or a recovery code'), '123456');
    await user.click(screen.getByRole('button', { name: 'Turn off' }));
    await pass();
    expect(backend.calls('endAuthenticator').map(({ body }) => body)).toEqual([
      { password: 'Passw0rd!', code: '123456' },
    ]);
    expect(currentAddress()).toBe('/app/settings/security');
  });

  it('stays on when the code is wrong', async () => {
    turnOn();
    backend.answer('endAuthenticator', () => problem('invalid_code'));
    const user = await openAt('/app/settings/security/authenticator');
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!');
    await user.type(screen.getByLabelText('Code of the app, or a recovery code'), '000000');
    await user.click(screen.getByRole('button', { name: 'Turn off' }));
    await pass();
    expect(screen.getByText('Password or code is not right')).toBeDefined();
    expect(currentAddress()).toBe('/app/settings/security/authenticator');
  });

  it('gives new recovery codes for password and code, and shows them once', async () => {
    turnOn();
    const user = await openAt('/app/settings/security');
    await user.click(screen.getByRole('link', { name: 'New recovery codes' }));
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!');
    await user.type(screen.getByLabelText('Code of the app, or a recovery code'), '123456');
    await user.click(screen.getByRole('button', { name: 'Make new codes' }));
    await pass();
    expect(backend.calls('renewRecoveryCodes').map(({ body }) => body)).toEqual([
      { password: 'Passw0rd!', code: '123456' },
    ]);
    const list = within(screen.getByRole('list', { name: 'Recovery codes' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      recoveryCodes,
    );
    await user.click(screen.getByRole('button', { name: 'I have saved them' }));
    await pass();
    expect(currentAddress()).toBe('/app/settings/security');
    expect(screen.queryByText(recoveryCodes[0] ?? '')).toBeNull();
  });

  it('makes no new codes when the code is wrong, and lets another be typed', async () => {
    turnOn();
    backend.answer('renewRecoveryCodes', () => problem('invalid_code'));
    const user = await openAt('/app/settings/security/recovery-codes');
    await user.type(screen.getByLabelText('Password'), 'Passw0rd!');
    const field = screen.getByLabelText<HTMLInputElement>('Code of the app, or a recovery code');
    await user.type(field, '000000');
    await user.click(screen.getByRole('button', { name: 'Make new codes' }));
    await pass();
    expect(
      screen.getByText('No new codes were made. Check the password and the code.'),
    ).toBeDefined();
    expect(field.value).toBe('');
    expect(screen.queryByRole('list', { name: 'Recovery codes' })).toBeNull();
  });
});
