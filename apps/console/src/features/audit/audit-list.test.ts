// @vitest-environment jsdom
import { consoleApi } from '@athos/contract/console/calls';
import type { ConsoleCall } from '@athos/contract/console/console-call';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { auditEntries, auditEntry, staffWith } from '@athos/testing/samples/console';
import { pass } from '@athos/testing/fake-time';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditSentence } from '../../kit/audit-sentences.ts';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const lastQuery = () => Object.fromEntries(backend.calls('auditEntries').at(-1)?.query ?? []);
const rows = () => screen.getAllByRole('row').slice(1);

describe('a list', () => {
  it('[O-064] takes filters, sort and columns from its address', async () => {
    await openConsole(
      '/audit?outcome=refused&from=2026-11-20&to=2026-11-20&sort=oldest&columns=outcome,at',
    );
    expect(lastQuery()).toEqual({
      outcome: 'refused',
      from: '2026-11-20T00:00:00.000Z',
      to: '2026-11-21T00:00:00.000Z',
      sort: 'oldest',
    });
    const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(heads).toEqual(['Action', 'Outcome', 'Time']);
    expect(screen.getByRole('columnheader', { name: 'Time' }).ariaSort).toBe('ascending');
  });

  it('[O-064] keeps filters, sort and columns in its address', { tags: 'long' }, async () => {
    const user = await openConsole('/audit');
    await user.click(screen.getByRole('button', { name: 'Filter' }));
    await settle();
    await user.click(screen.getByRole('button', { name: 'Outcome' }));
    await user.click(screen.getByRole('button', { name: 'Refused' }));
    await settle();
    await user.click(screen.getByRole('button', { name: 'Time' }));
    await settle();
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await settle();
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Person' }));
    await settle();
    expect(location.search).toBe(
      '?outcome=refused&sort=oldest&columns=action%2Coutcome%2Csubject%2Cat',
    );
    expect(lastQuery()).toEqual({ outcome: 'refused', sort: 'oldest' });

    await user.click(screen.getByRole('button', { name: 'Remove filter Outcome' }));
    await settle();
    expect(lastQuery()).toEqual({ sort: 'oldest' });
  });

  it('shows the count, and further pages on demand', async () => {
    backend.answer('auditEntries', ({ query }) =>
      query.get('cursor') === null
        ? { ...auditEntries(), count: { value: 10_000, is_at_least: true } }
        : { ...auditEntries(), items: [auditEntry(7)], next_cursor: null },
    );
    const user = await openConsole('/audit');
    expect(screen.getByText('25 of more than 10,000 shown')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await settle();
    expect(lastQuery()).toEqual({ sort: 'newest', cursor: 'next' });
    expect(rows()).toHaveLength(26);
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  it('tells an empty list from filters without a match', async () => {
    const none = { items: [], next_cursor: null, count: { value: 0, is_at_least: false } };
    backend.answer('auditEntries', () => none);
    const user = await openConsole('/audit?outcome=failed');
    expect(screen.getByText('Nothing matches all of these filters.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await settle();
    expect(screen.getByText('Nothing yet')).toBeDefined();
  });

  it('shows rows again after a failure', async () => {
    backend.answer('auditEntries', () => problem('internal_error'));
    const user = await openConsole('/audit');
    // Covers the pauses before its two retries.
    await pass(1000);
    expect(screen.queryByRole('table')).toBeNull();
    backend.answer('auditEntries', auditEntries);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(rows()).toHaveLength(25);
  });
});

describe('keys', () => {
  it('[O-163] move between rows, open one and return to the list', async () => {
    const user = await openConsole('/audit?outcome=done');
    await user.keyboard('jjk');
    const [first] = rows();
    expect(first?.contains(document.activeElement)).toBe(true);
    await user.keyboard('{Enter}');
    await settle();
    expect(location.pathname + location.search).toBe('/console/audit/1284?outcome=done');
    expect(
      screen.getByRole('heading', { level: 2, name: 'Invited a member of staff' }),
    ).toBeDefined();
    await user.keyboard('{Escape}');
    await settle();
    expect(location.pathname + location.search).toBe('/console/audit?outcome=done');
  });

  it('open a screen with two keys, and do nothing while typing in a field', async () => {
    const user = await openConsole('/me');
    await user.keyboard('gu');
    await settle();
    expect(location.pathname).toBe('/console/audit');
    await user.click(screen.getByRole('button', { name: 'Filter' }));
    await settle();
    await user.click(screen.getByRole('button', { name: 'Action' }));
    await user.keyboard('gu?jk');
    expect(screen.getByLabelText('Action')).toHaveProperty('value', 'gu?jk');
  });

  it('are listed on ?, and can be switched off', async () => {
    const user = await openConsole('/me');
    await user.keyboard('?');
    await settle();
    const list = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(within(list).getByText('Go to Audit')).toBeDefined();
    await user.click(within(list).getByRole('button', { name: 'Close' }));
    await settle();
    await user.click(screen.getByRole('checkbox', { name: /Single-key shortcuts/ }));
    await user.keyboard('gu');
    await settle();
    expect(location.pathname).toBe('/console/me');
  });
});

describe('what was done', () => {
  it('is a sentence for every call, with the code that the filter takes', async () => {
    const actions = Object.values<ConsoleCall>(consoleApi).flatMap((call) =>
      'audit' in call && call.audit !== undefined ? [call.audit.action] : [],
    );
    expect(actions.length).toBeGreaterThan(30);
    expect(actions.filter((action) => auditSentence(action) === action)).toEqual([]);
    expect(auditSentence('call.removed')).toBe('call.removed');
    await openConsole('/audit/1284');
    expect(screen.getByText('staff.invite')).toBeDefined();
  });

  it('shows its outcome on an object’s page, unless it was done', async () => {
    await openConsole('/staff/0192bbbb-0000-7000-8000-000000000101');
    const entries = within(screen.getByRole('list', { name: 'Audit' })).getAllByRole('listitem');
    const hold = entries.find((entry) => entry.textContent.includes('Placed a hold'));
    expect(hold?.textContent).toContain('Refused');
    const invite = entries.find((entry) => entry.textContent.includes('Invited a member'));
    expect(invite?.textContent).not.toContain('Done');
  });
});

describe('what the roles do not permit', () => {
  it('[O-031] is named on the page, with the roles that hold it', async () => {
    backend.answer('me', () => staffWith(['support']));
    await openConsole('/audit');
    const main = screen.getByRole('main');
    expect(main.textContent).toContain('audit.read');
    expect(main.textContent).toContain('Roles that hold it: Provider owner, Auditor.');
    expect(screen.queryByRole('link', { name: 'Audit' })).toBeNull();
    expect(backend.calls('auditEntries')).toHaveLength(0);
  });

  it('[O-031] is named when it was taken away since', async () => {
    backend.answer('auditEntries', () =>
      problem('permission_missing', { permission: 'audit.read' }),
    );
    await openConsole('/audit');
    expect(screen.getByRole('main').textContent).toContain('audit.read');
  });
});
