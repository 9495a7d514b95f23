// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import { SCANNER_ID, scannerDevice, suspectScanner } from '@athos/testing/samples/console-venues';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const SCANNER = `/scanners/${SCANNER_ID}`;

async function choose(user: Awaited<ReturnType<typeof openConsole>>, name: string) {
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  await settle();
  await user.click(screen.getByRole('menuitem', { name }));
  await settle();
  return within(screen.getByRole('dialog'));
}

it('the list names a device as it was enrolled, and an unnamed one by its browser', async () => {
  await openConsole('/scanners');
  expect(screen.getByRole('row', { name: /Bar 2, left till.*Signed in/ })).toBeDefined();
  expect(screen.getByRole('row', { name: /Chrome on Android.*Signed out/ })).toBeDefined();
  expect(screen.getByRole('row', { name: /Door.*Blocked/ })).toBeDefined();
});

it('a signed-in device is signed out at once, without a reason', { tags: 'long' }, async () => {
  const user = await openConsole(SCANNER);
  const dialog = await choose(user, 'Sign out');
  await user.click(dialog.getByRole('button', { name: 'Sign out' }));
  await settle();
  expect(backend.calls('signOutScanner')[0]).toMatchObject({ params: { id: SCANNER_ID } });
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('a device is blocked', async () => {
  const user = await openConsole(SCANNER);
  const dialog = await choose(user, 'Block');
  expect(dialog.getByText(/^Signs Bar 2, left till out at once\./)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Block' }));
  await settle();
  expect(backend.calls('blockScanner')[0]).toMatchObject({
    params: { id: SCANNER_ID },
    body: { is_blocked: true },
  });
});

it('a blocked device is allowed again', async () => {
  backend.answer('scanner', () =>
    scannerDevice({ is_signed_in: false, blocked_at: '2026-11-20T20:00:00.000Z' }),
  );
  const user = await openConsole(SCANNER);
  const dialog = await choose(user, 'Allow again');
  await user.click(dialog.getByRole('button', { name: 'Allow again' }));
  await settle();
  expect(backend.calls('blockScanner')[0]).toMatchObject({ body: { is_blocked: false } });
});

it('a device on which nobody is signed in cannot be signed out, and says why', async () => {
  backend.answer('scanner', () => scannerDevice({ is_signed_in: false }));
  const user = await openConsole(SCANNER);
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  await settle();
  const item = screen.getByRole('menuitem', { name: /^Sign out/ });
  expect(item.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('Nobody is signed in on it.')).toBeDefined();
});

it('[O-032] a device cannot be changed without the permission, which is named', async () => {
  backend.answer('me', () => staffWith(['support']));
  const user = await openConsole(SCANNER);
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  await settle();
  expect(screen.getAllByText(/Needs the permission scanners.manage/).length).toBeGreaterThan(0);
});

it('a device shows what it may redeem without a network, and when it last told of it', async () => {
  await openConsole(SCANNER);
  expect(screen.getByText('May redeem without a network')).toBeDefined();
  expect(screen.getByText(/^100 items, 2,500/)).toBeDefined();
});

it(
  'a suspect device goes on after somebody has looked at it, who may leave what it kept',
  { tags: 'long' },
  async () => {
    backend.answer('scanner', suspectScanner);
    const user = await openConsole(SCANNER);
    expect(screen.getByRole('alert').textContent).toContain('None of it was booked');
    const dialog = await choose(user, 'Review and clear');
    await user.click(dialog.getByRole('checkbox', { name: /7 waiting/ }));
    await user.type(dialog.getByRole('textbox'), 'The tablet was reset by hand');
    await user.click(dialog.getByRole('button', { name: 'Clear device' }));
    await settle();
    expect(backend.calls('clearScanner')[0]).toMatchObject({
      params: { id: SCANNER_ID },
      body: { is_booked: false, reason: 'The tablet was reset by hand' },
    });
  },
);

it('a device above its allowance says that what it told is booked', async () => {
  const { offline, ...device } = suspectScanner();
  backend.answer('scanner', () => ({
    ...device,
    offline: offline && { ...offline, is_above_allowance: true },
  }));
  await openConsole(SCANNER);
  const notice = screen.getByRole('alert').textContent;
  expect(notice).toContain('more without a network than its allowance');
  expect(notice).not.toContain('None of it was booked');
});

it('a device that redeemed items of other venues says so, and that what it told is booked', async () => {
  const { offline, ...device } = suspectScanner();
  backend.answer('scanner', () => ({
    ...device,
    offline: offline && { ...offline, is_elsewhere: true },
  }));
  await openConsole(SCANNER);
  const notice = screen.getByRole('alert').textContent;
  expect(notice).toContain('not redeemed at its venue');
  expect(notice).not.toContain('None of it was booked');
});

it('there is nothing to review on a device whose log holds', async () => {
  const user = await openConsole(SCANNER);
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  await settle();
  const item = screen.getByRole('menuitem', { name: /^Review and clear/ });
  expect(item.getAttribute('aria-disabled')).toBe('true');
});
