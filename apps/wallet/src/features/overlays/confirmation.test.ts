// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';
import { sendDraftOf } from '../../state/send-draft.ts';

const FRIEND = '0192bbbb-0000-7000-8000-000000000002';
const HASH = 'a'.repeat(64);
const CONFIRMATION = 'c'.repeat(43);

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  localStorage.setItem('jwt', fakeToken());
});
afterEach(() => endWholeTest());

const dialog = () => screen.queryByRole('dialog', { name: 'Confirm that it is you' });
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

/** Sends 5 ATH, for which the server requires a proof. */
async function sendAsked(methods: readonly string[]) {
  backend.answer('transfer', ({ headers }) =>
    headers.get('x-confirmation') === CONFIRMATION
      ? { id: 7, balance: '0' }
      : problem('confirmation_required', {
          action: 'send',
          action_hash: HASH,
          methods,
          amount: '5000000',
          asset: 'ATH',
          to_uuid: FRIEND,
        }),
  );
  sendDraftOf(FAKE_UUID).change({ paymentAmount: '5', address: FRIEND });
  const user = await startAt('/app/send/summary');
  await settle(2200);
  await user.click(button('Send'));
  await settle(500);
  return user;
}

describe('a send that has to be confirmed', () => {
  it('[W-112] says what it does, takes the password and is sent again under the same key', async () => {
    const user = await sendAsked(['password']);
    expect(dialog()?.textContent).toContain(`You send 5.00 ATH to ${FRIEND}.`);
    await user.type(screen.getByLabelText('Password'), 'Correct-horse-7');
    await user.click(button('Confirm'));
    await settle(500);
    expect(backend.calls('confirm').map(({ body }) => body)).toEqual([
      { action_hash: HASH, proof: { method: 'password', password: 'Correct-horse-7' } },
    ]);
    const sent = backend.calls('transfer');
    expect(sent.map(({ headers }) => headers.get('x-confirmation'))).toEqual([null, CONFIRMATION]);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(screen.getByRole('dialog', { name: 'Successfully sent' })).toBeDefined();
  });

  it('is not sent if the user gives no proof, and says so', async () => {
    const user = await sendAsked(['password']);
    await user.click(button('Cancel'));
    await settle(500);
    expect(dialog()).toBeNull();
    expect(backend.calls('transfer')).toHaveLength(1);
    expect(screen.getByText('You have not confirmed it, so nothing was done.')).toBeDefined();
  });

  it.each([
    ['invalid_code', 'This code is not right, or was used already.'],
    ['overloaded', 'That did not work. Try again in a moment.'],
  ] as const)('says after %s what is wrong, and takes another code', async (code, text) => {
    const user = await sendAsked(['totp']);
    backend.answer('confirm', () => problem(code));
    const field = screen.getByLabelText<HTMLInputElement>('Code of the app, or a recovery code');
    await user.type(field, '123456');
    await user.click(button('Confirm'));
    await settle(500);
    expect(screen.getByText(text)).toBeDefined();
    expect(field.value).toBe('');
    backend.answer('confirm', () => ({ confirmation: CONFIRMATION }));
    await user.type(field, '654321');
    await user.click(button('Confirm'));
    await settle(500);
    expect(dialog()).toBeNull();
  });

  it('says how long to wait after too many attempts', async () => {
    const user = await sendAsked(['password']);
    backend.answer('confirm', () => problem('too_many_attempts', { retry_after_seconds: 8 }));
    await user.type(screen.getByLabelText('Password'), 'x');
    await user.click(button('Confirm'));
    await settle(500);
    expect(screen.getByText('Too many attempts. Wait 8 seconds and try again.')).toBeDefined();
  });

  it('is not sent if the question cannot be loaded, and can be tried again', async () => {
    vi.doMock('./confirmation-sheet.tsx', () => {
      throw new TypeError('Failed to fetch dynamically imported module');
    });
    const user = await sendAsked(['password']);
    expect(screen.getByText('The confirmation could not be loaded. Try again.')).toBeDefined();
    expect(screen.getByText('You have not confirmed it, so nothing was done.')).toBeDefined();
    expect(dialog()).toBeNull();
    vi.doUnmock('./confirmation-sheet.tsx');
    await user.click(button('Send'));
    await settle(500);
    await user.type(screen.getByLabelText('Password'), 'Correct-horse-7');
    await user.click(button('Confirm'));
    await settle(500);
    expect(screen.getByRole('dialog', { name: 'Successfully sent' })).toBeDefined();
    expect(backend.calls('transfer')).toHaveLength(3);
  });

  it('is asked for once: a second refusal is the answer', async () => {
    const user = await sendAsked(['password']);
    backend.answer('confirm', () => ({ confirmation: 'd'.repeat(43) }));
    await user.type(screen.getByLabelText('Password'), 'Correct-horse-7');
    await user.click(button('Confirm'));
    await settle(500);
    expect(backend.calls('transfer')).toHaveLength(2);
    expect(dialog()).toBeNull();
  });
});
