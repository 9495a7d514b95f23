// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffLate } from '@athos/testing/samples/console';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../test/open-console.tsx';

const MINUTE_MS = 60_000;
const IDLE_QUESTION = 'Are you still there?';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const idleDialog = () => screen.queryByRole('dialog', { name: IDLE_QUESTION });

describe('a session without a call', () => {
  it(
    'is asked for two minutes before its end, and goes on if somebody is there',
    { tags: 'long' },
    async () => {
      const user = await openConsole('/me');
      await settle(27 * MINUTE_MS);
      expect(idleDialog()).toBeNull();
      await settle(MINUTE_MS);
      expect(idleDialog()?.textContent).toMatch(/You will be signed out at \d\d:\d\d/);
      await user.keyboard('{Enter}');
      await settle(27 * MINUTE_MS);
      expect(idleDialog()).toBeNull();
      expect(screen.getByRole('heading', { level: 1 })).toBeDefined();
    },
  );

  it('leaves its screen at its end', async () => {
    await openConsole('/me');
    await settle(29 * MINUTE_MS);
    backend.answer('me', () => problem('session_ended'));
    await settle(MINUTE_MS);
    const marks = backend.calls('me').map(({ headers }) => headers.get('x-background'));
    expect([marks[0], marks.at(-1)]).toEqual([null, '1']);
    expect(screen.getByText('Your session has ended')).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is kept by typing', async () => {
    const user = await openConsole('/me');
    for (let count = 0; count < 4; count += 1) {
      await settle(10 * MINUTE_MS);
      await user.keyboard('a');
      await settle(10_000);
    }
    expect(idleDialog()).toBeNull();
    const before = backend.calls('me').length;
    await settle(20 * MINUTE_MS);
    expect(backend.calls('me')).toHaveLength(before);
  });
});

it('is left to an API of the release before, which does not say how long a session may be idle', async () => {
  const me = staffLate();
  const { id, expires_at, proved_until } = me.session;
  const session = { id, expires_at, proved_until } as typeof me.session;
  backend.answer('me', () => ({ ...me, session }));
  await openConsole('/me');
  await settle(9 * MINUTE_MS);
  expect(screen.getByRole('heading', { level: 1 })).toBeDefined();
});

it('tells of the end that nothing prevents, a quarter of an hour before', async () => {
  backend.answer('me', staffLate);
  await openConsole('/me');
  expect(screen.getByText(/This session ends at \d\d:\d\d/)).toBeDefined();
  backend.answer('me', () => problem('session_ended'));
  await settle(10.1 * MINUTE_MS);
  expect(screen.getByText('Your session has ended')).toBeDefined();
});
