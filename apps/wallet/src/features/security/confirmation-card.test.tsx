// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { endTest, openAt } from '../../../test/signed-in.tsx';

const AT = '/app/settings/security';
const WITH_FACTOR = { limit_usd_cents: 5_000, usual_usd_cents: 20_000, next: null };

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const choice = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
const saved = () => backend.calls('changeConfirmationLimit').map(({ body }) => body);

describe('the limit of confirmations', () => {
  it('is none without a second factor, and can be any that is offered', async () => {
    const user = await openAt(AT);
    expect(choice('Never ask').checked).toBe(true);
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    await user.click(choice('$50.00'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await pass();
    expect(saved()).toEqual([{ limit_usd_cents: 5_000 }]);
    expect(choice('$50.00').checked).toBe(true);
    expect(screen.getByText('Saved')).toBeDefined();
  });

  it('of an account with a second factor cannot be none, and its usual one is not stored', async () => {
    backend.answer('confirmationLimit', () => WITH_FACTOR);
    const user = await openAt(AT);
    expect(screen.queryByRole('radio', { name: 'Never ask' })).toBeNull();
    await user.click(choice('$200.00'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await pass();
    expect(saved()).toEqual([{ limit_usd_cents: null }]);
  });

  it('[W-116] shows a raise that waits, and takes it back', async () => {
    const next = { limit_usd_cents: 20_000, from: '2026-11-24T12:00:00.000Z' };
    backend.answer('confirmationLimit', () => ({ ...WITH_FACTOR, next }));
    backend.answer('changeConfirmationLimit', () => WITH_FACTOR);
    const user = await openAt(AT);
    expect(screen.getByText(/^From .*: \$200\.00\.$/)).toBeDefined();
    expect(choice('$50.00').checked).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Keep $50.00' }));
    await pass();
    expect(saved()).toEqual([{ limit_usd_cents: 5_000 }]);
    expect(screen.queryByText(/^From .*: \$200/)).toBeNull();
  });

  it('stays as it was if it could not be changed', async () => {
    backend.answer('changeConfirmationLimit', () => problem('forbidden'));
    const user = await openAt(AT);
    await user.click(choice('$20.00'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await pass();
    expect(screen.getByText('The limit was not changed.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Save' })).toBeDefined();
  });
});
