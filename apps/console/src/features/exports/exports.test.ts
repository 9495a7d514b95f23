// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(() => {
  vi.restoreAllMocks();
  endTest();
});

it('[O-066] a list is exported with the filters of its address, and not with its search', async () => {
  const user = await openConsole('/customers?state=open');
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await settle();
  const dialog = within(screen.getByRole('dialog', { name: 'Export this list' }));
  await user.click(dialog.getByRole('button', { name: 'Make the file' }));
  await settle();
  expect(backend.calls('exportList')[0]?.body).toMatchObject({
    list: 'customers',
    filters: { state: 'open' },
    with_contact: false,
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

it.each([
  ['/purchases?customerUuid=a', { list: 'purchases', filters: { customer_uuid: 'a' } }],
  ['/redemptions?venueId=1', { list: 'redemptions', filters: { venue_id: '1' } }],
  ['/payments?state=open', { list: 'payments', filters: { state: 'open', sort: 'newest' } }],
  ['/payments/review', { list: 'payments', filters: { state: 'review', sort: 'oldest' } }],
  ['/refunds?state=failed', { list: 'refunds', filters: { state: 'failed', sort: 'newest' } }],
  ['/disputes', { list: 'disputes', filters: { view: 'answer' } }],
])('[O-066] %s exports the list that it shows', async (address, body) => {
  const user = await openConsole(address);
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await settle();
  await user.click(screen.getByRole('button', { name: 'Make the file' }));
  await settle();
  expect(backend.calls('exportList')[0]?.body).toMatchObject(body);
});

it('whole addresses need a reason, since those of many people take a vote', async () => {
  backend.answer('customers', () => ({
    items: [],
    next_cursor: null,
    count: { value: 1_001, is_at_least: false },
  }));
  const user = await openConsole('/customers');
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await settle();
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.queryByLabelText('Reason')).toBeNull();
  await user.click(dialog.getByRole('checkbox', { name: 'With full email addresses' }));
  await user.type(dialog.getByLabelText('Reason'), 'For the letter about new terms.');
  await user.click(dialog.getByRole('button', { name: 'Make the file' }));
  await settle();
  expect(backend.calls('exportList')[0]?.body).toMatchObject({
    with_contact: true,
    reason: 'For the letter about new terms.',
  });
});

it('[O-036] nobody without the permission is offered whole addresses', async () => {
  backend.answer('me', () => staffWith(['finance']));
  const user = await openConsole('/customers');
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await settle();
  expect(screen.queryByRole('checkbox', { name: 'With full email addresses' })).toBeNull();
});

it('a file that is ready is downloaded by a link of its own', async () => {
  const followed: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    followed.push(this.getAttribute('href') ?? '');
  });
  const user = await openConsole('/exports');
  await user.click(screen.getByRole('button', { name: 'Download: Customers' }));
  await settle();
  expect(backend.calls('exportLink')).toHaveLength(1);
  expect(followed).toEqual(['/api/admin/exports/0192eeee-0000-7000-8000-000000000001/file?code=x']);
});

it('an unfinished file is looked at again until it is there', async () => {
  await openConsole('/exports');
  const before = backend.calls('exports').length;
  await settle(2_100);
  expect(backend.calls('exports').length).toBeGreaterThan(before);
});
