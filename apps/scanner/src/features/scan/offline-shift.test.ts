// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import {
  fakePhone,
  fakeServer,
  OFFERS,
  ticketCode,
  type FakePhone,
  type FakeServer,
} from '@athos/testing/samples/offline';
import { fakeToken, STAFF_UUID } from '@athos/testing/session';
import { act, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  beginOfflineTest,
  endOfflineTest,
  findNetwork,
  loseNetwork,
  openEnrolled,
  press,
  readDisk,
  settle,
  show,
  until,
} from '../../../test/offline-gate.ts';
import { closeApp, openApp, openSignedIn } from '../../../test/staff.tsx';

vi.mock('@athos/ui/qr/qr-scanner', async () => ({
  QrScanner: (await import('../../../test/offline-gate.ts')).FakeScanner,
}));
vi.mock('@athos/ui/qr/scan-feedback', () => ({ playScanFeedback: vi.fn<() => void>() }));

const FIRST = [100, 101, 102];
let backend: FakeBackend;
let server: FakeServer;
let phone: FakePhone;

beforeAll(async () => {
  server = await fakeServer();
  phone = await fakePhone();
});
beforeEach(() => {
  backend = beginOfflineTest(server);
});
afterEach(endOfflineTest);

const codeOf = (firstItemId = 100) =>
  ticketCode({
    server,
    phone,
    content: { groups: [{ offerId: OFFERS.drink, firstItemId, itemCount: 3 }] },
  });
const headline = () =>
  within(screen.getByRole('main')).getByRole('heading', { level: 2 }).textContent;
const exportButton = () => screen.queryByRole('button', { name: 'Export log' });
const sentItems = () =>
  backend.calls('offlineSync').map(({ body }) => body.entries.map(({ item_ids: ids }) => ids));

async function redeemAll(user: UserEvent, code: Promise<string>): Promise<void> {
  await show(code);
  await press(user, 'Redeem all 3 items');
  if (screen.queryByRole('button', { name: 'Redeem offline' })) await press(user, 'Redeem offline');
  expect(headline()).toBe('Redeemed offline');
}
async function openOffline(): Promise<UserEvent> {
  const user = await openEnrolled(backend);
  await loseNetwork(backend);
  return user;
}
/** Ends the session in the middle of a shift, as when another tab signs out or the browser drops the token. */
async function endSession(): Promise<void> {
  localStorage.removeItem('scanner-jwt');
  await act(async () => {
    dispatchEvent(new StorageEvent('storage', { key: 'scanner-jwt', newValue: null }));
  });
  await settle();
}
async function signIn(user: UserEvent): Promise<void> {
  await user.type(screen.getByLabelText('Email'), 'staff@example.com');
  await user.type(screen.getByLabelText('Password'), 'Staff-scans-3-codes');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await settle();
}

describe('a sign-out in the middle of a shift', () => {
  it(
    'keeps the log and what the device may redeem, and the shift goes on after signing in',
    { tags: 'long' },
    async () => {
      const user = await openOffline();
      await redeemAll(user, codeOf(100));
      const before = await readDisk();
      await endSession();
      expect(screen.getByRole('button', { name: 'Sign In' })).toBeDefined();
      const after = await readDisk();
      expect(after.entries.map(({ hash }) => hash)).toEqual(before.entries.map(({ hash }) => hash));
      expect(after.pack?.grant).toEqual(before.pack?.grant);
      await findNetwork(backend);
      await signIn(user);
      await until(() => sentItems().length === 1);
      await settle();
      expect(sentItems()).toEqual([[FIRST]]);
      expect((await readDisk()).entries).toEqual([]);
      await loseNetwork(backend);
      await redeemAll(user, codeOf(200));
      expect((await readDisk()).entries).toMatchObject([{ seq: 2, itemIds: [200, 201, 202] }]);
    },
  );

  it('offers the log as a file at the sign-in until it is sent', async () => {
    const files: Blob[] = [];
    Object.assign(URL, {
      createObjectURL: (file: Blob) => `blob:${files.push(file)}`,
      revokeObjectURL: () => undefined,
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const user = await openOffline();
    await redeemAll(user, codeOf());
    closeApp();
    localStorage.removeItem('scanner-jwt');
    backend.setOnline(false);
    const later = await openApp();
    await until(() => exportButton() !== null);
    expect(screen.getByText(/^1 redemption is not sent yet/)).toBeDefined();
    await later.click(screen.getByRole('button', { name: 'Export log' }));
    await until(() => files.length === 1);
    expect(JSON.parse((await files[0]?.text()) ?? '')).toMatchObject({
      entries: [{ seq: 1, item_ids: FIRST }],
    });
  });

  it('offers nothing at the sign-in of a device that has nothing to send', async () => {
    await openEnrolled(backend);
    await endSession();
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeDefined();
    expect(exportButton()).toBeNull();
  });
});

describe('a device that was blocked with a log', () => {
  const blocked = () => problem('device_blocked');

  async function openWithLog(): Promise<UserEvent> {
    const user = await openOffline();
    await redeemAll(user, codeOf());
    closeApp();
    localStorage.removeItem('scanner-jwt');
    backend.setOnline(true);
    return openApp();
  }

  it('sends it with the first call of the next sign-in, before the server ends that session', async () => {
    const user = await openWithLog();
    backend.answer('offlineSync', blocked);
    backend.answer('scannerVenues', () => problem('session_ended'));
    const venuesBefore = backend.calls('scannerVenues').length;
    await signIn(user);
    await until(() => screen.queryByText('This device is blocked') !== null);
    expect(screen.getByText(/^What it redeemed without a network has been sent/)).toBeDefined();
    expect(sentItems()).toEqual([[FIRST]]);
    expect(backend.calls('offlineSync')[0]?.headers.get('authorization')).toBe(
      `Bearer ${fakeToken(STAFF_UUID)}`,
    );
    expect(backend.calls('scannerVenues')).toHaveLength(venuesBefore);
    expect(localStorage.getItem('scanner-jwt')).toBeNull();
    // The server has not booked the entry, so it stays.
    expect((await readDisk()).entries).toHaveLength(1);
    expect(exportButton()).not.toBeNull();
  });

  it('does not say that it was sent if the server did not take it', async () => {
    const user = await openWithLog();
    backend.answer('offlineSync', () => problem('internal_error'));
    backend.answer('scannerVenues', blocked);
    await signIn(user);
    await until(() => screen.queryByText('This device is blocked') !== null);
    expect(screen.queryByText(/has been sent/)).toBeNull();
    expect(screen.getByText('Ask whoever manages the scanners.')).toBeDefined();
    expect(exportButton()).not.toBeNull();
  });

  it('signs in although what waits cannot be sent', async () => {
    const user = await openWithLog();
    backend.answer('offlineSync', () => problem('internal_error'));
    await signIn(user);
    await until(() => screen.queryByRole('heading', { level: 1, name: 'Scan a code' }) !== null);
    expect((await readDisk()).entries).toHaveLength(1);
  });
});

describe('a reload between the tap and the result', () => {
  /**
   * Simulates a page that is gone after it has opened its database `openCount` times: it gets no further results. Writes that it has begun
   * still complete.
   */
  function stopDiskAfter(openCount: number): {
    readonly isUsedUp: () => boolean;
    readonly restore: () => void;
  } {
    const open = indexedDB.open.bind(indexedDB);
    let left = openCount;
    const spy = vi
      .spyOn(indexedDB, 'open')
      .mockImplementation((...which) => (left-- > 0 ? open(...which) : ({} as IDBOpenDBRequest)));
    return { isUsedUp: () => left <= 0, restore: () => spy.mockRestore() };
  }

  it.each([
    [0, 'before the log is read', false],
    [1, 'before the entry is written', false],
    [2, 'after the entry is written', true],
    [3, 'after the result is shown', true],
  ])(
    'with %d accesses to the disk, %s, loses nothing and redeems nothing twice',
    async (openCount, _when, isKept) => {
      const user = await openOffline();
      await show(codeOf());
      await press(user, 'Redeem all 3 items');
      const disk = stopDiskAfter(openCount);
      await user.click(screen.getByRole('button', { name: 'Redeem offline' }));
      // What is still on its way to the disk would go on after the reload, which in a browser ends it.
      await until(disk.isUsedUp);
      await settle();
      closeApp();
      disk.restore();
      const later = await openSignedIn();
      await loseNetwork(backend);
      await settle();
      expect((await readDisk()).entries).toHaveLength(isKept ? 1 : 0);
      if (isKept) {
        await show(codeOf());
        expect(headline()).toBe('Already redeemed');
      } else {
        await redeemAll(later, codeOf());
      }
      const { entries } = await readDisk();
      expect(entries.map(({ seq, itemIds }) => [seq, itemIds])).toEqual([[1, FIRST]]);
      await findNetwork(backend);
      await until(() => sentItems().length > 0);
      expect(sentItems().flat()).toEqual([FIRST]);
    },
  );
});
