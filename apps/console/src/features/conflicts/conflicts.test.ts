// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import {
  CONFLICT_ID,
  refundedConflict,
  resolvedConflict,
} from '@athos/testing/samples/console-venues';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const CONFLICT = `/conflicts/${CONFLICT_ID}`;
const REASON = 'Both tills were offline at the time';

async function decide() {
  const user = await openConsole(CONFLICT);
  await user.click(screen.getByRole('button', { name: 'Decide' }));
  await settle();
  return { user, dialog: within(screen.getByRole('dialog')) };
}

it('[W-055] the list shows what was handed out twice, between which venues and for how much', async () => {
  await openConsole('/conflicts');
  expect(
    screen.getByRole('row', { name: /Amber Fizz.*Open.*Harbour Stage and Sky Bar.*12.50/ }),
  ).toBeDefined();
  expect(screen.getByRole('row', { name: /Team cap.*Written off/ })).toBeDefined();
});

it('[W-055] both sides stand beside each other, with venue, device and staff', async () => {
  await openConsole(CONFLICT);
  expect(screen.getByText('First, and counts')).toBeDefined();
  expect(screen.getByText('Again, without a network')).toBeDefined();
  expect(screen.getByText('Online')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Sky Bar' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Bar 2, left till' })).toBeDefined();
});

it('[W-055] a conflict is written off with words, and only with words', async () => {
  const { user, dialog } = await decide();
  const act = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Decide' });
  expect(act().disabled).toBe(true);
  expect(backend.calls('resolveConflict')).toEqual([]);
  await user.type(dialog.getByRole('textbox'), REASON);
  await user.click(act());
  await settle();
  expect(backend.calls('resolveConflict')[0]).toMatchObject({
    params: { id: String(CONFLICT_ID) },
    body: { as: 'written_off', reason: REASON },
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('a conflict is explained', { tags: 'long' }, async () => {
  const { user, dialog } = await decide();
  await user.selectOptions(dialog.getByRole('combobox'), 'Explain it: it was handed out once');
  await user.type(dialog.getByRole('textbox'), REASON);
  await user.click(dialog.getByRole('button', { name: 'Decide' }));
  await settle();
  expect(backend.calls('resolveConflict')[0]).toMatchObject({ body: { as: 'explained' } });
});

it('what was decided shows who did and why, and is not decided again', async () => {
  backend.answer('conflict', resolvedConflict);
  await openConsole(CONFLICT);
  expect(screen.getByText(/showed it at each of them/)).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Decide' }).disabled).toBe(true);
  expect(screen.getByText('Somebody has decided on it.')).toBeDefined();
});

it('the list says what was handed out after its refund', async () => {
  await openConsole('/conflicts');
  expect(screen.getByRole('row', { name: /Harbour tour.*Open.*after its refund/ })).toBeDefined();
  expect(screen.getByRole('row', { name: /Amber Fizz.*Handed out twice/ })).toBeDefined();
});

it('a refunded item shows its refund beside the handover, and is decided on in its own words', async () => {
  backend.answer('conflict', refundedConflict);
  const { dialog } = await decide();
  expect(screen.getByText('Handed out, without a network')).toBeDefined();
  expect(screen.getByText(/has the price back/)).toBeDefined();
  expect(screen.queryByText('First, and counts')).toBeNull();
  expect(dialog.getByText(/was refunded and handed out, which cost 12.50/)).toBeDefined();
  expect(dialog.getByRole('option', { name: 'Explain it: nothing was lost' })).toBeDefined();
});

it('an item that was refunded after it was handed out says so', async () => {
  const { second } = refundedConflict();
  const refunded_at = new Date(Date.parse(second.at) + 1_000).toISOString();
  backend.answer('conflict', () => ({ ...refundedConflict(), refunded_at }));
  await openConsole(CONFLICT);
  expect(screen.getByText('Handed out before its refund')).toBeDefined();
});

it('nobody decides without the permission, which is named', async () => {
  backend.answer('me', () => staffWith(['support']));
  await openConsole(CONFLICT);
  expect(screen.getAllByText(/Needs the permission scanners.manage/).length).toBeGreaterThan(0);
});
