// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { fakeToken } from '@athos/testing/session';
import { beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';

const CODE = 'c'.repeat(43);

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endWholeTest);

const waitsUntil = (endsAt: string | null) =>
  backend.answer('secondStep', () => ({
    totp_since: '2026-11-20T07:30:00.000Z',
    recovery_codes_left: 7,
    recovery_ends_at: endsAt,
  }));

describe('the mailed links', () => {
  it('do nothing until they are confirmed by a tap', async () => {
    const user = await startAt(`/auth/recover?code=${CODE}`);
    expect(backend.calls('beginRecovery')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Begin the wait' }));
    await settle();
    expect(backend.calls('beginRecovery').at(-1)?.body).toEqual({ code: CODE });
    expect(
      screen.getByText(/The wait has begun\. You can sign in without a code from/),
    ).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Begin the wait' })).toBeNull();
  });

  it('say that they do not work any more, and let a failure be tried again', async () => {
    backend.answer('cancelRecovery', () => problem('overloaded'));
    const user = await startAt(`/auth/stop-recovery?code=${CODE}`);
    await user.click(screen.getByRole('button', { name: 'Stop this' }));
    await settle();
    expect(screen.getByText('That did not work. Try again.')).toBeTruthy();
    backend.answer('cancelRecovery', () => problem('invalid_code'));
    await user.click(screen.getByRole('button', { name: 'Stop this' }));
    await settle();
    expect(screen.getByText(/This link does not work/)).toBeTruthy();
  });
});

describe('the bar in every session', () => {
  beforeEach(() => localStorage.setItem('jwt', fakeToken()));
  async function open(path: string) {
    const user = await startAt(path);
    await settle(1_200);
    await settle(1_000);
    return user;
  }

  it('[W-121] says that somebody removes the second step, on any screen, and stops it', async () => {
    waitsUntil('2026-11-24T12:00:00.000Z');
    const user = await open('/app/history');
    expect(screen.getByText(/Somebody asked to remove your second step/)).toBeTruthy();
    waitsUntil(null);
    await user.click(screen.getByRole('button', { name: 'Stop this' }));
    await settle();
    expect(backend.calls('stopRecovery')).toHaveLength(1);
    expect(screen.queryByText(/Somebody asked to remove/)).toBeNull();
  });

  it('is not there while nobody does', async () => {
    await open('/app/history');
    expect(screen.queryByText(/Somebody asked to remove/)).toBeNull();
  });
});
