// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brand } from '@athos/brand/brand';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { passLoading } from '../../../test/signed-in.tsx';
import { beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';
import { session } from '../../state/session.ts';

const CHALLENGE = 'c'.repeat(43);

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  backend.answer('login', () =>
    problem('second_factor_required', {
      challenge_id: CHALLENGE,
      methods: ['totp', 'recovery_code'],
    }),
  );
});
afterEach(endWholeTest);

/** Signs in with the password, after which the account asks for a code. */
async function reachSecondStep(): Promise<UserEvent> {
  const user = await startAt('/auth/sign-in');
  await user.type(screen.getByLabelText('Email'), 'ada@example.com');
  await user.type(screen.getByLabelText('Password'), 'Passw0rd!');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await settle();
  await passLoading();
  return user;
}

describe('The second step of signing in', () => {
  it('asks for a code of the app, and shows no failure before one was sent', async () => {
    await reachSecondStep();
    expect(screen.getByRole('heading', { level: 1, name: 'Enter your code' })).toBeDefined();
    expect(screen.queryByText('Incorrect credentials')).toBeNull();
    expect(session.get().status).not.toBe('signed_in');
  });

  it('signs in with the code', async () => {
    const user = await reachSecondStep();
    await user.type(screen.getByLabelText('Six digits from the app'), '123 456');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await settle();
    expect(backend.calls('secondFactor').map(({ body }) => body)).toEqual([
      { challenge_id: CHALLENGE, code: '123 456' },
    ]);
    expect(screen.getByRole('button', { name: 'Signed In!' })).toBeDefined();
    expect(session.get().status).toBe('signed_in');
  });

  it('signs in with a recovery code', async () => {
    const user = await reachSecondStep();
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    await user.type(screen.getByLabelText('Recovery code'), '7K4T-DS21-3SB5-5QDT');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await settle();
    expect(backend.calls('secondFactor').map(({ body }) => body.code)).toEqual([
      '7K4T-DS21-3SB5-5QDT',
    ]);
    expect(session.get().status).toBe('signed_in');
  });

  it('says that a code is wrong, empties the field and lets another be typed', async () => {
    backend.answer('secondFactor', () => problem('invalid_code'));
    const user = await reachSecondStep();
    const field = screen.getByLabelText<HTMLInputElement>('Six digits from the app');
    await user.type(field, '000000');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await settle();
    expect(screen.getByText('This code is not right')).toBeDefined();
    expect(field.value).toBe('');
    expect(session.get().status).not.toBe('signed_in');
  });

  it('leads back to the password when the sign-in has ended', async () => {
    backend.answer('secondFactor', () => problem('challenge_ended'));
    const user = await reachSecondStep();
    await user.type(screen.getByLabelText('Six digits from the app'), '000000');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await settle();
    expect(screen.getByText('This sign-in has ended. Sign in again.')).toBeDefined();
    expect(screen.getByLabelText('Password')).toBeDefined();
  });

  it('says from when a lost second step can be removed after a reset, and how to get help', async () => {
    backend.answer('askForRecovery', () =>
      problem('recovery_after_reset', { possible_from: '2026-11-29T12:00:00.000Z' }),
    );
    const user = await reachSecondStep();
    for (const name of ['Use a recovery code', 'I have lost both', 'Mail me the link']) {
      await user.click(screen.getByRole('button', { name }));
    }
    await settle();
    const text = screen.getByText(/set with a mailed link/).textContent;
    expect(text).toContain('Nov 29, 2026');
    expect(text).toContain(brand.supportAddress);
    expect(screen.queryByText('That did not work. Try again.')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Mail me the link' })).toBeNull();
  });
});
