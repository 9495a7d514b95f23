// @vitest-environment jsdom
import { networkFailure, problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { approval, ownApproval } from '@athos/testing/samples/console-approvals';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const REQUEST = '/approvals/0192f0f0-0000-7000-8000-000000000001';
const lastView = () => backend.calls('approvals').at(-1)?.query.get('view');

describe('the inbox', () => {
  it('shows what waits for me, with its number in the rail, and keeps its view in the address', async () => {
    const user = await openConsole('/approvals');
    expect(screen.getByRole('link', { name: /^Approvals ?3 ?waiting for you$/ })).toBeDefined();
    expect(screen.getAllByRole('row')).toHaveLength(4);
    await user.click(screen.getByRole('link', { name: 'My own' }));
    await settle();
    expect(location.search).toBe('?view=mine');
    expect(lastView()).toBe('mine');
  });

  it('shows in a chip that only requests about one thing are listed, and takes it away', async () => {
    const user = await openConsole('/approvals?view=all&subjectId=9123');
    const asked = () => backend.calls('approvals').at(-1)?.query.get('subject_id');
    expect(asked()).toBe('9123');
    expect(screen.getByRole('button', { name: /^About ?9123$/ })).toBeDefined();
    await user.click(screen.getByRole('button', { name: /^Remove.*About/ }));
    await settle();
    expect(location.search).toBe('?view=all');
    expect(asked()).toBeNull();
  });

  it('reads the number in the rail again every minute, if no live events arrive', async () => {
    backend.answer('consoleEvents', networkFailure);
    await openConsole('/me');
    backend.answer('approvals', () => ({
      items: [],
      next_cursor: null,
      count: { value: 0, is_at_least: false },
      other_decider_count: 3,
    }));
    await settle(60_000);
    expect(screen.getByRole('link', { name: 'Approvals' })).toBeDefined();
  });

  it('says from the first day that one person alone can do nothing that takes a vote', async () => {
    backend.answer('approvals', () => ({
      items: [],
      next_cursor: null,
      count: { value: 0, is_at_least: false },
      other_decider_count: 0,
    }));
    await openConsole('/approvals');
    expect(screen.getByText('Nobody else can decide')).toBeDefined();
  });
});

describe('a request', () => {
  it('[O-151] shows before and after, what it is worth, why, and what makes it risky', async () => {
    await openConsole(REQUEST);
    const detail = screen.getByRole('article');
    for (const text of [
      '120.00 ATH',
      '20.20 USD',
      'The concert was cancelled an hour before it began.',
      '84.15 ATH',
      '204.15 ATH',
      'The first request of this kind for this customer.',
      'More than is usual for this action.',
      'Expires',
    ]) {
      expect(detail.textContent).toContain(text);
    }
  });

  it('tells amounts that would change in their asset', async () => {
    backend.answer('approval', () =>
      approval({
        before: { state: 'credited' },
        after: { refund_usd_cents: '14971', tokens: '800000000' },
      }),
    );
    await openConsole(REQUEST);
    const change = screen.getByRole('region', { name: 'What would change' });
    expect(within(change).getByRole('row', { name: /149\.71 USD/ })).toBeDefined();
    expect(within(change).getByRole('row', { name: /^Tokens 800\.00 ATH/ })).toBeDefined();
  });

  it('[O-165] says in numbers what a vote does, and says so when somebody decided meanwhile', async () => {
    const user = await openConsole(REQUEST);
    await user.click(screen.getByRole('button', { name: 'Approve' }));
    await settle();
    const dialog = screen.getByRole('dialog', { name: 'Approve' });
    expect(dialog.textContent).toContain('Your vote carries out');
    expect(dialog.textContent).toContain('120.00 ATH');
    backend.answer('approveRequest', () => problem('state_changed'));
    await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
    await settle();
    expect(within(dialog).getByRole('alert').textContent).toContain(
      'Someone else has decided this meanwhile.',
    );
    backend.answer('approveRequest', () => ({ state: 'executed', votes_given: 1 }));
    await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is rejected with a reason', { tags: 'long' }, async () => {
    const user = await openConsole(REQUEST);
    await user.click(screen.getByRole('button', { name: 'Reject' }));
    await settle();
    const dialog = screen.getByRole('dialog', { name: 'Reject' });
    const act = () => within(dialog).getByRole('button', { name: 'Reject' });
    expect(act()).toHaveProperty('disabled', true);
    await user.type(within(dialog).getByLabelText('Reason'), 'This customer had one last week.');
    await user.click(act());
    await settle();
    expect(backend.calls('rejectRequest')[0]?.body).toEqual({
      reason: 'This customer had one last week.',
    });
  });

  it('of my own can only be withdrawn', async () => {
    backend.answer('approval', ownApproval);
    const user = await openConsole(REQUEST);
    expect(screen.getByText('You cannot decide on your own request.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Withdraw' }));
    await settle();
    const dialog = screen.getByRole('dialog', { name: 'Withdraw' });
    await user.click(within(dialog).getByRole('button', { name: 'Withdraw' }));
    await settle();
    expect(backend.calls('withdrawRequest')).toHaveLength(1);
  });

  it('says when too few people are left who could vote', async () => {
    backend.answer('approval', () => approval({ votes_needed: 2, voter_count: 1 }));
    await openConsole(REQUEST);
    expect(screen.getByRole('alert').textContent).toContain('Only 1 of the 2 people');
  });
});
