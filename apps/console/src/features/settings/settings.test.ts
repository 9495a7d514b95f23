// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { problem } from '@athos/testing/fake-api';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const button = (name: string): HTMLElement => screen.getByRole('button', { name });

describe('a setting', () => {
  it('is asked for with what it was and what it would be', { tags: 'long' }, async () => {
    const user = await openConsole('/settings');
    await user.click(button('Change rate_step_percent_max'));
    await settle();
    const field = screen.getByLabelText('Value');
    await user.clear(field);
    await user.type(field, '15');
    await user.type(screen.getByLabelText('Reason'), 'Our market moves more');
    await user.click(button('Ask for the change'));
    await settle();
    expect(backend.calls('changeSetting').at(-1)?.body).toEqual({
      value: 15,
      reason: 'Our market moves more',
    });
  });

  it('that is a policy keeps the members that were not touched, and its default is null', async () => {
    const user = await openConsole('/settings');
    await user.click(button('Change policy_credit'));
    await settle();
    const field = screen.getByLabelText('At once up to');
    await user.clear(field);
    await user.type(field, '40');
    await user.type(screen.getByLabelText('Reason'), 'Less by one person alone');
    await user.click(button('Ask for the change'));
    await settle();
    expect(backend.calls('changeSetting').at(-1)?.body).toEqual({
      value: { direct_max: 40, customer_30_days_max: 200, votes: 1, voters: 'anyone' },
      reason: 'Less by one person alone',
    });
  });

  it('out of its bounds cannot be sent, and what the server refuses stays as it was typed', async () => {
    backend.answer('changeSetting', () => problem('invalid_request'));
    const user = await openConsole('/settings');
    await user.click(button('Change rate_step_percent_max'));
    await settle();
    const field = screen.getByLabelText('Value');
    await user.clear(field);
    await user.type(field, '5000');
    await user.type(screen.getByLabelText('Reason'), 'Our market moves more');
    expect(screen.getByText('Value: not a number within the bounds.')).toBeDefined();
    expect(button('Ask for the change').hasAttribute('disabled')).toBe(true);
    await user.clear(field);
    await user.type(field, '50');
    await user.click(button('Ask for the change'));
    await settle();
    expect(screen.getByText('The request does not have the expected shape.')).toBeDefined();
    expect(screen.getByDisplayValue('50')).toBeDefined();
  });

  it('that always takes a vote cannot be made direct', async () => {
    const user = await openConsole('/settings');
    await user.click(button('Change policy_write_off'));
    await settle();
    const field = screen.getByLabelText<HTMLInputElement>('At once up to');
    expect([field.readOnly, field.value]).toEqual([true, '0']);
    expect(screen.getByText('This always takes a vote.')).toBeDefined();
  });

  it('shows who changed it, its default, and the request that waits', async () => {
    await openConsole('/settings');
    const changed = screen.getByText('sends_per_day_max').closest('li');
    expect(changed?.textContent).toContain('Mara Lindqvist');
    expect(changed?.textContent).toContain('Default: 2,000');
    const asked = screen.getByRole('link', { name: 'Waiting for approval' });
    expect(asked.getAttribute('href')).toMatch(/^\/console\/approvals\//);
    expect(screen.getByText('seals@auditor.example')).toBeDefined();
  });
});
