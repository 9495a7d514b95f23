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
  it('[O-032] stays visible and says which permission it needs', { tags: 'long' }, async () => {
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

it('says why a session of a person has not ended', async () => {
  backend.answer('endStaffSession', () => problem('not_found'));
  const user = await openConsole(MEMBER);
  const sessions = within(screen.getByRole('region', { name: 'Sessions' }));
  const [end] = sessions.getAllByRole('button', { name: 'End session' });
  if (end === undefined) throw new Error('no session');
  await user.click(end);
  await settle();
  expect(sessions.getByRole('alert').textContent).toContain('There is nothing at this address.');
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

  it('[O-050] shows both versions and keeps what was typed', { tags: 'long' }, async () => {
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

  it('[O-050] takes the other version on request', { tags: 'long' }, async () => {
    const user = await meetConflict();
    await user.click(screen.getByRole('button', { name: 'Take theirs' }));
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Late shift');
    expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'They also work on Sundays.');
  });
});

describe('the venues that a person sees', () => {
  const REASON = 'They lead the crew of the stadium.';
  const VENUES = Array.from({ length: 500 }, (_, index) => ({
    id: index + 1,
    name: `Gate ${String(index + 1).padStart(3, '0')}`,
  }));
  beforeEach(() => backend.answer('venueNames', () => ({ items: VENUES })));

  async function openRoles(member = staffMember()) {
    backend.answer('staffMember', () => member);
    const user = await openConsole(MEMBER);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    await user.click(screen.getByRole('menuitem', { name: 'Change roles' }));
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: /^Roles of/ }));
    const send = async () => {
      await user.type(dialog.getByLabelText('Reason'), REASON);
      await user.click(dialog.getByRole('button', { name: 'Change roles' }));
      await settle();
    };
    return { user, dialog, send };
  }

  it(
    'are chosen among 500 by keyboard: a word of the name, and the space bar',
    { tags: 'long' },
    async () => {
      const { user, dialog, send } = await openRoles();
      const choice = dialog.getByLabelText('Venues');
      expect(choice).toHaveProperty('value', 'all');
      await user.selectOptions(choice, 'Only some venues');
      await settle();
      expect(dialog.getByText('Choose at least one venue.')).toBeDefined();
      const boxes = () => dialog.getAllByRole('checkbox', { name: /^Gate/ });
      expect(boxes()).toHaveLength(20);
      expect(dialog.getByText(/^480 more venues match/)).toBeDefined();
      await user.type(dialog.getByLabelText('Find a venue by its name'), '417');
      expect(boxes()).toHaveLength(1);
      await user.tab();
      await user.keyboard(' ');
      expect(dialog.getByText('1 of 500 venues chosen')).toBeDefined();
      // The chosen venue stays visible during another search.
      await user.clear(dialog.getByLabelText('Find a venue by its name'));
      await user.type(dialog.getByLabelText('Find a venue by its name'), 'gate 09');
      expect(boxes()[0]).toHaveProperty('checked', true);
      expect(boxes()).toHaveLength(11);
      await send();
      expect(backend.calls('changeStaffRoles')[0]?.body).toEqual({
        role_ids: ['support'],
        venue_ids: [417],
        reason: REASON,
      });
    },
  );

  it(
    'must be chosen for a new scanner lead, and are not forgotten while the choice is changed',
    { tags: 'long' },
    async () => {
      const { user, dialog, send } = await openRoles();
      await user.click(dialog.getByRole('checkbox', { name: 'Scanner lead' }));
      const act = dialog.getByRole('button', { name: 'Change roles' });
      expect(dialog.getByLabelText('Venues')).toHaveProperty('value', '');
      expect(
        dialog.getByText('Choose whether this person sees all venues or only some.'),
      ).toBeDefined();
      expect(act).toHaveProperty('disabled', true);
      await user.selectOptions(dialog.getByLabelText('Venues'), 'Only some venues');
      await settle();
      await user.click(dialog.getByRole('checkbox', { name: 'Gate 003' }));
      await user.selectOptions(dialog.getByLabelText('Venues'), 'All venues');
      await user.selectOptions(dialog.getByLabelText('Venues'), 'Only some venues');
      expect(dialog.getByRole('checkbox', { name: 'Gate 003' })).toHaveProperty('checked', true);
      await send();
      expect(backend.calls('changeStaffRoles')[0]?.body).toMatchObject({ venue_ids: [3] });
    },
  );

  it(
    'stay what they are when only roles change, also those that the signed-in person does not see',
    { tags: 'long' },
    async () => {
      const lead = { roles: [{ id: 'scanner_lead', title: 'Scanner lead' }], venue_ids: [7, 901] };
      const { dialog, send } = await openRoles(staffMember(lead));
      expect(dialog.getByRole('checkbox', { name: 'Gate 007' })).toHaveProperty('checked', true);
      expect(dialog.getByRole('checkbox', { name: 'Venue 901' })).toHaveProperty('checked', true);
      await send();
      expect(backend.calls('changeStaffRoles')[0]?.body).toMatchObject({ venue_ids: [7, 901] });
    },
  );

  it('are chosen with the invite too', { tags: 'long' }, async () => {
    const user = await openConsole('/staff');
    await user.click(screen.getByRole('button', { name: 'Invite' }));
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'Invite a person' }));
    await user.type(dialog.getByLabelText('Email'), 'lead@athos.example');
    await user.type(dialog.getByLabelText('Name'), 'Lead');
    await user.click(dialog.getByRole('checkbox', { name: 'Scanner lead' }));
    await user.type(dialog.getByLabelText('Reason'), REASON);
    const act = () => dialog.getByRole('button', { name: 'Send invite' });
    expect(act()).toHaveProperty('disabled', true);
    await user.selectOptions(dialog.getByLabelText('Venues'), 'All venues');
    await user.click(act());
    await settle();
    expect(backend.calls('inviteStaff')[0]?.body).toMatchObject({
      role_ids: ['scanner_lead'],
      venue_ids: [],
    });
  });
});
