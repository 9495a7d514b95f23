// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { problem } from '@athos/testing/fake-api';
import { staffWith } from '@athos/testing/samples/console';
import { SCAN_ID, venue, VENUE_ID } from '@athos/testing/samples/console-venues';
import { screen, within } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

/** The content of the displayed code; `packages/ui` tests its rendering. */
vi.mock('@athos/ui/qr/qr-code', () => ({
  QrCode: (props: { value: string; label: string }) =>
    createElement('img', { alt: props.label, 'data-value': props.value }),
}));

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const VENUE = `/venues/${VENUE_ID}`;

it('the list shows for each venue what was redeemed and refused today', async () => {
  await openConsole('/venues');
  const row = screen.getByRole('row', { name: /Harbour Stage/ });
  expect(within(row).getByText('1,190')).toBeDefined();
  expect(within(row).getByText('66')).toBeDefined();
});

it('a venue that is added opens', { tags: 'long' }, async () => {
  const user = await openConsole('/venues');
  await user.click(screen.getByRole('button', { name: 'Add a venue' }));
  await settle();
  const dialog = within(screen.getByRole('dialog', { name: 'Add a venue' }));
  await user.type(dialog.getByLabelText('Name'), 'Harbour Stage');
  expect(dialog.getByText('Enter a name and an address.')).toBeDefined();
  await user.type(dialog.getByLabelText('Address'), '1 Quay');
  await user.click(dialog.getByRole('button', { name: 'Add a venue' }));
  await settle();
  expect(backend.calls('createVenue')[0]).toMatchObject({
    body: { name: 'Harbour Stage', address: '1 Quay', hours: '' },
  });
  expect(location.pathname).toBe(`/console${VENUE}`);
});

describe('staff of a venue', () => {
  it('are added by an address and removed by their uuid', async () => {
    const user = await openConsole(VENUE);
    await user.click(screen.getByRole('button', { name: 'Add staff' }));
    await settle();
    const adding = within(screen.getByRole('dialog'));
    await user.type(adding.getByLabelText('Email address or customer ID'), 'nora@athos.example');
    await user.click(adding.getByRole('button', { name: 'Add staff' }));
    await settle();
    expect(backend.calls('bindVenueStaff')[0]).toMatchObject({
      body: { account: 'nora@athos.example' },
    });
    await user.click(screen.getByRole('button', { name: 'Remove n•••@a•••.example' }));
    await settle();
    const removing = within(screen.getByRole('dialog'));
    await user.click(removing.getByRole('button', { name: 'Remove' }));
    await settle();
    expect(backend.calls('unbindVenueStaff')[0]).toMatchObject({
      params: { id: String(VENUE_ID), uuid: venue().staff[0]?.uuid },
    });
  });

  it('[O-032] cannot be changed without the permission, which is named', async () => {
    backend.answer('me', () => staffWith(['auditor']));
    await openConsole(VENUE);
    expect(screen.getByRole('button', { name: 'Add staff' })).toHaveProperty('disabled', true);
    expect(screen.getAllByText(/Needs the permission venues.edit/).length).toBeGreaterThan(0);
  });
});

it('[O-050] what somebody else saved meanwhile is shown beside what was typed, and either is kept', async () => {
  backend.answer('changeVenue', () =>
    problem('version_conflict', { present: venue({ name: 'Harbour Hall', version: 9 }) }),
  );
  const user = await openConsole(VENUE);
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  await settle();
  await user.click(screen.getByRole('menuitem', { name: 'Edit' }));
  await settle();
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByLabelText('Name'), ' 2');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await settle();
  expect(dialog.getAllByText(/Harbour Hall/).length).toBeGreaterThan(0);
  expect(dialog.getAllByText('Someone else has changed this')).toHaveLength(1);
  expect(dialog.getByLabelText('Name')).toHaveProperty('value', 'Harbour Stage 2');
  backend.answer('changeVenue', () => venue({ name: 'Harbour Stage 2', version: 10 }));
  await user.click(dialog.getByRole('button', { name: /mine/i }));
  await settle();
  expect(backend.calls('changeVenue').at(-1)?.headers.get('if-match')).toBe('"9"');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('taking what somebody else saved ends the comparison', async () => {
  backend.answer('changeVenue', () =>
    problem('version_conflict', { present: venue({ name: 'Harbour Hall', version: 9 }) }),
  );
  const user = await openConsole(VENUE);
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  await settle();
  await user.click(screen.getByRole('menuitem', { name: 'Edit' }));
  await settle();
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await settle();
  await user.click(dialog.getByRole('button', { name: 'Take theirs' }));
  expect(dialog.queryByText('Someone else has changed this')).toBeNull();
  expect(dialog.getByLabelText('Name')).toHaveProperty('value', 'Harbour Hall');
});

it('scans are filtered by outcome in the address, and open with who scanned whose code', async () => {
  const user = await openConsole('/scans?outcome=refused');
  expect(Object.fromEntries(backend.calls('scans').at(-1)?.query ?? [])).toEqual({
    outcome: 'refused',
  });
  await user.click(screen.getAllByRole('link', { name: /Accepted/ })[0] as HTMLElement);
  await settle();
  expect(location.pathname).toBe(`/console/scans/${SCAN_ID}`);
  expect(screen.getByRole('heading', { name: 'Harbour Stage' })).toBeDefined();
});

it('the code for a new scanner is shown as text and as a QR code', async () => {
  const user = await openConsole(VENUE);
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  await settle();
  await user.click(screen.getByRole('menuitem', { name: 'Enrol a scanner' }));
  await settle();
  const asking = within(screen.getByRole('dialog'));
  await user.type(asking.getByLabelText('Name of the device'), 'Bar 3');
  await user.click(asking.getByRole('button', { name: 'Make a code' }));
  await settle();
  const made = within(screen.getByRole('dialog', { name: 'Bar 3' }));
  expect(made.getByText('7KQM4TXB')).toBeDefined();
  const code = made.getByRole('img', { name: 'QR code that names the device' });
  expect(code.dataset['value']).toBe('E1:7KQM4TXB');
});
