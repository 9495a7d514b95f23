// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { NIGHT_SHIFT, staffMember, staffWith } from '@athos/testing/samples/console';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const MEMBER = '/staff/0192bbbb-0000-7000-8000-000000000102';

describe('what can be done about a person', () => {
  it('[O-032] stays visible and says which permission it needs', async () => {
    backend.answer('me', () => staffWith(['auditor']));
    const user = await openConsole(MEMBER);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    const item = screen.getByRole('menuitem', { name: /^Suspend/ });
    expect(item.ariaDisabled).toBe('true');
    expect(item.textContent).toContain('Needs the permission staff.manage');
    await user.click(item);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('depends on the state of the person', async () => {
    backend.answer('staffMember', () => staffMember({ state: 'suspended' }));
    const user = await openConsole(MEMBER);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    expect(screen.getByRole('menuitem', { name: 'Reactivate' }).ariaDisabled).not.toBe('true');
    expect(screen.getByRole('menuitem', { name: /^Reset sign-in/ }).textContent).toContain(
      'This person is not active.',
    );
  });

  it('says what will happen, asks for a reason, and repeats an unanswered request with the same key', async () => {
    let callCount = 0;
    backend.answer('suspendStaff', () => {
      callCount += 1;
      return callCount <= 2 ? problem('internal_error') : { outcome: 'done' };
    });
    const user = await openConsole(MEMBER);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    await user.click(screen.getByRole('menuitem', { name: 'Suspend' }));
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'Suspend' }));
    expect(dialog.getByText(/2 open sessions end at once/)).toBeDefined();
    expect(dialog.getByRole('button', { name: 'Suspend' })).toHaveProperty('disabled', true);
    await user.type(dialog.getByLabelText('Reason'), 'Shared the laptop with a friend.');
    await user.click(dialog.getByRole('button', { name: 'Suspend' }));
    // The call is repeated once by itself after a second.
    await settle(1000);
    expect(dialog.getByText(/it is never done twice/)).toBeDefined();
    expect(dialog.getByLabelText('Reason')).toHaveProperty(
      'value',
      'Shared the laptop with a friend.',
    );
    await user.click(dialog.getByRole('button', { name: 'Suspend' }));
    await settle();
    const keys = backend.calls('suspendStaff').map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('an edit after somebody else’s', () => {
  const present = { ...NIGHT_SHIFT, title: 'Late shift', version: 3 };

  async function meetConflict() {
    backend.answer('changeRole', ({ headers }) =>
      headers.get('if-match') === '"3"'
        ? { outcome: 'done', version: 4 }
        : problem('version_conflict', { present }),
    );
    const user = await openConsole('/roles');
    await user.click(screen.getByRole('button', { name: 'Night shift' }));
    await settle();
    await user.type(screen.getByLabelText('Title'), ' and weekends');
    await user.type(screen.getByLabelText('Reason'), 'They also work on Sundays.');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await settle();
    return user;
  }

  it('[O-050] shows both versions and keeps what was typed', async () => {
    const user = await meetConflict();
    const row = screen.getByRole('row', { name: /^Title/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['Late shift', 'Night shift and weekends']);
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Night shift and weekends');
    await user.click(screen.getByRole('button', { name: 'Keep mine' }));
    await settle();
    const calls = backend.calls('changeRole');
    expect(calls.map(({ headers }) => headers.get('if-match'))).toEqual(['"2"', '"3"']);
    expect(calls.at(-1)?.body).toMatchObject({ title: 'Night shift and weekends' });
    expect(screen.getByRole('heading', { level: 1, name: 'Roles' })).toBeDefined();
  });

  it('[O-050] takes the other version on request', async () => {
    const user = await meetConflict();
    await user.click(screen.getByRole('button', { name: 'Take theirs' }));
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Late shift');
    expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'They also work on Sundays.');
  });
});
