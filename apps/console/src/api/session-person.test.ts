// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../test/open-console.tsx';
import { session } from '../state/session.ts';
import { followPerson } from './session-person.ts';
import { signOut } from './session.ts';

let backend: FakeBackend;
let unfollow: (() => void) | undefined;
beforeEach(() => {
  backend = beginTest();
});
afterEach(() => {
  unfollow?.();
  unfollow = undefined;
  endTest();
});

/** As the server does once the cookie is another person's. */
function signInOther(): void {
  backend.answer('me', () => problem('person_changed'));
  backend.answer('signOut', () => problem('person_changed'));
}

/** As a browser does: a tab that becomes visible is focused too. */
async function setVisibility(state: DocumentVisibilityState): Promise<void> {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
  if (state === 'visible') dispatchEvent(new Event('focus'));
  await settle();
}

async function comeBack(): Promise<void> {
  await setVisibility('hidden');
  await settle(5000);
  await setVisibility('visible');
}

/** Follows for a person whose session was begun in this tab. */
function follow() {
  const { id, name, email, organisation, grants } = staffWith();
  session.set({
    status: 'signed_in',
    staff: { id, name, email, organisation, roles: [], grants },
    limits: { endsAtMs: Date.now() + 3_600_000, idleMs: 1_800_000 },
  });
  const reload = vi.fn<() => void>();
  unfollow = followPerson(reload);
  return reload;
}

describe('a tab in which somebody acts', () => {
  it('names its person, and is loaded again if another one has signed in since', async () => {
    const reload = follow();
    signInOther();
    const leaving = signOut();
    await settle();
    await leaving;
    const [call] = backend.calls('signOut');
    expect(call?.headers.get('x-staff-id')).toBe(staffWith().id);
    expect(reload).toHaveBeenCalledOnce();
    expect(session.get().status).toBe('signed_in');
  });
});

describe('a tab to which somebody comes back', () => {
  it('is loaded again if another person has signed in since', async () => {
    const reload = follow();
    await comeBack();
    expect(reload).not.toHaveBeenCalled();
    signInOther();
    await comeBack();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is loaded again if it was visible all the time, in a window of its own', async () => {
    const reload = follow();
    signInOther();
    dispatchEvent(new Event('focus'));
    await settle();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('asks once, which does not keep the session', async () => {
    const user = await openConsole('/audit');
    await user.keyboard('a');
    const before = backend.calls('me').length;
    await comeBack();
    const asked = backend.calls('me').slice(before);
    expect(asked.map(({ headers }) => headers.get('x-background'))).toEqual(['1']);
    for (let count = 0; count < 10; count += 1) {
      await setVisibility('hidden');
      await setVisibility('visible');
    }
    expect(backend.calls('me')).toHaveLength(before + 1);
  });

  it('leaves its screen if the session has ended', async () => {
    await openConsole('/audit');
    backend.answer('me', () => problem('session_ended'));
    await comeBack();
    expect(screen.getByText('Your session has ended')).toBeDefined();
  });
});
