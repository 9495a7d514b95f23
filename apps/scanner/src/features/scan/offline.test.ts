// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { pass } from '@athos/testing/fake-time';
import {
  acknowledge,
  DEVICE_ID,
  fakePhone,
  fakeServer,
  OFFERS,
  ticketCode,
  TICKET_NUMBER,
  type CodeOptions,
  type FakePhone,
  type FakeServer,
  type PackOptions,
} from '@athos/testing/samples/offline';
import { BAR, HALL, purchaseScan, scannedItem } from '@athos/testing/samples/scanner';
import { STAFF_UUID } from '@athos/testing/session';
import { playScanFeedback } from '@athos/ui/qr/scan-feedback';
import { act, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as gate from '../../../test/offline-gate.ts';
import {
  beginOfflineTest,
  camera,
  endOfflineTest,
  press,
  readDisk,
  settle,
  show,
  until,
} from '../../../test/offline-gate.ts';
import { closeApp, openSignedIn } from '../../../test/staff.tsx';
import { readKept } from '../../state/offline-store.ts';

vi.mock('@athos/ui/qr/qr-scanner', async () => ({
  QrScanner: (await import('../../../test/offline-gate.ts')).FakeScanner,
}));
vi.mock('@athos/ui/qr/scan-feedback', () => ({ playScanFeedback: vi.fn<() => void>() }));

const HOUR_MS = 3_600_000;
const DURABLE = { durability: 'strict' };
let backend: FakeBackend;
let server: FakeServer;
let phone: FakePhone;
let otherPhone: FakePhone;

beforeAll(async () => {
  server = await fakeServer();
  phone = await fakePhone();
  otherPhone = await fakePhone();
});
beforeEach(() => {
  backend = beginOfflineTest(server);
});
afterEach(async () => {
  vi.mocked(playScanFeedback).mockReset();
  await endOfflineTest();
});

const givePack = (options?: PackOptions): void => gate.givePack(backend, server, options);
const loseNetwork = () => gate.loseNetwork(backend);
const findNetwork = () => gate.findNetwork(backend);

/** Opens a scanner with a key and a list, and then loses its network. */
async function openOffline(options?: PackOptions): Promise<UserEvent> {
  const user = await openEnrolled(options);
  await loseNetwork();
  return user;
}
async function openEnrolled(options?: PackOptions): Promise<UserEvent> {
  if (options !== undefined) givePack(options);
  return gate.openEnrolled(backend);
}
const code = (options: Partial<CodeOptions> = {}) => ticketCode({ server, phone, ...options });

const headline = () =>
  within(screen.getByRole('main')).getByRole('heading', { level: 2 }).textContent;
const verdict = () => document.querySelector<HTMLElement>('[data-tone]');
const rows = () =>
  within(screen.getByRole('list', { name: 'Items in this code' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

async function redeemAll(user: UserEvent): Promise<void> {
  await show(code());
  await press(user, 'Redeem all 3 items');
  if (screen.queryByRole('button', { name: 'Redeem offline' })) await press(user, 'Redeem offline');
}

describe('a device that is not enrolled', () => {
  it('[W-035] works online as before, and says that nothing is redeemed without a network', async () => {
    await openSignedIn();
    await settle();
    expect(backend.calls('offlinePack')).toEqual([]);
    await loseNetwork();
    expect(screen.getByText(/Nothing can be redeemed until it is back/)).toBeDefined();
    await act(async () => camera.onDecoded('T1:ABC'));
    await pass(1400);
    expect(headline()).toBe('No answer from the server');
  });

  it('[W-035] enrols without a key in a browser that keeps none', async () => {
    vi.stubGlobal('indexedDB', undefined);
    Reflect.deleteProperty(globalThis, 'indexedDB');
    backend.answer('scannerEnrol', () => ({ device_id: DEVICE_ID, name: 'Bar 2', venue: BAR }));
    const user = await openSignedIn('/scanner/today');
    await press(user, 'Name this device');
    await until(() => screen.queryByLabelText('Code') !== null);
    await user.type(screen.getByLabelText('Code'), '7KQM4TXB');
    await press(user, 'Name it');
    expect(backend.calls('scannerEnrol')[0]?.body).toEqual({ enrolment_code: '7KQM4TXB' });
    expect(screen.getByText(/the device works online only/)).toBeDefined();
  });

  it('enrols with a key that no script can export, proves it, and fetches its list at once', async () => {
    backend.answer('scannerEnrol', () => ({ device_id: DEVICE_ID, name: 'Bar 2', venue: BAR }));
    const user = await openSignedIn('/scanner/today');
    await press(user, 'Name this device');
    await until(() => screen.queryByLabelText('Code') !== null);
    await user.type(screen.getByLabelText('Code'), '7KQM4TXB');
    await press(user, 'Name it');
    await until(() => backend.calls('offlinePack').length === 1);
    const { device } = await readDisk();
    expect(device).toMatchObject({
      deviceId: DEVICE_ID,
      key: { privateKey: { extractable: false } },
    });
    const sent = backend.calls('scannerEnrol')[0]?.body.key;
    expect(sent?.public_key).toMatch(/^[\w-]{44}$/);
    expect(sent?.proof).toMatch(/^[\w-]{86}$/);
  });
});

describe('looking without a network', () => {
  it('asks the server first, and judges the code itself after 2.5 s', async () => {
    await openEnrolled();
    backend.answer('scannerScan', silence);
    const shown = await code();
    await act(async () => camera.onDecoded(shown));
    await pass();
    expect(backend.calls('scannerScan')).toHaveLength(1);
    await pass(2400);
    expect(headline()).toBe('Reading the code…');
    await settle(100);
    expect(rows()).toEqual(['3 × House Pour Ready to redeem']);
  });

  it('waits for the server longer with a code that only the server can judge', async () => {
    await openEnrolled();
    backend.answer('scannerScan', silence);
    await act(async () => camera.onDecoded('{"t":"purchase"}'));
    await pass(5000);
    expect(headline()).toBe('Reading the code…');
    backend.setOnline(false);
    await settle(9000);
  });

  it('shows the items of a ticket code without any request', async () => {
    await openOffline();
    await show(code({ selection: [0, 2] }));
    expect(rows()).toEqual(['2 × House Pour Ready to redeem']);
    expect(screen.getByText('Guest 0192aaaa')).toBeDefined();
    expect(backend.calls('scannerScan')).toEqual([]);
    expect(screen.getByText('Offline: 200 of 200 items')).toBeDefined();
  });

  it('tells what to ask for instead of a code that needs a network', async () => {
    await openOffline();
    await show(
      '{"t":"purchase","d":{"a":"0192aaaa-0000-7000-8000-000000000001","t":1,"v":1,"i":[1]},"s":"x"}',
    );
    expect(verdict()?.textContent).toBe(
      "This code needs a networkAsk the guest to tap 'Offline code'.",
    );
  });

  it('[W-042] refuses an ended ticket', async () => {
    await openOffline({ ended: [TICKET_NUMBER] });
    await show(code());
    expect(headline()).toBe('This ticket was ended.');
  });

  it('[W-041] [W-043] names items that the list has as redeemed, and those of another venue', async () => {
    await openOffline({ spent: [101] });
    const groups = [
      { offerId: OFFERS.drink, firstItemId: 100, itemCount: 2 },
      { offerId: OFFERS.elsewhere, firstItemId: 200, itemCount: 1 },
    ];
    await show(code({ content: { groups } }));
    expect(rows()).toEqual([
      'House Pour Ready to redeem',
      'House Pour Already redeemed',
      'Unknown item Not redeemed at this venue',
    ]);
  });

  it('judges the codes of a venue only with the list of that venue', async () => {
    await openOffline();
    closeApp();
    backend.setOnline(false);
    localStorage.setItem(`scanner-venue:${STAFF_UUID}`, JSON.stringify(HALL));
    await openSignedIn();
    await loseNetwork();
    await settle();
    await show(code());
    await pass(1400);
    expect(headline()).toBe('No answer from the server');
    expect(screen.getByText(/Nothing can be redeemed until it is back/)).toBeDefined();
  });
});

describe('a forged code is refused without a network', () => {
  it.each<[string, () => Promise<Partial<CodeOptions>>]>([
    ['signed by another server', async () => ({ server: await fakeServer() })],
    ['shown by another phone', async () => ({ signer: otherPhone })],
    ['of a phone whose key was swapped', async () => ({ phone: otherPhone, signer: phone })],
    ['with more items than the phone signed', async () => ({ signedSelection: [0] })],
  ])('%s', async (_, optionsOf) => {
    await openOffline();
    await show(code(await optionsOf()));
    expect(headline()).toBe('Not a genuine code');
  });

  it('with a byte of the ticket changed', async () => {
    await openOffline();
    const genuine = await code();
    await show(genuine.slice(0, 12) + (genuine[12] === '0' ? '1' : '0') + genuine.slice(13));
    expect([
      'Not a genuine code',
      'Not one of our codes',
      'This ticket is not valid now',
    ]).toContain(headline());
  });

  it('[W-039] a screenshot after 46 s', async () => {
    await openOffline();
    await show(code({ atMs: Date.now() - 46_000 }));
    expect(headline()).toBe('This code has run out');
    expect(verdict()?.textContent).toMatch(/The guest's clock and this one differ by 4[67] s\./);
  });
});

describe('redeeming without a network', () => {
  it('[W-036] [W-037] [W-038] asks once a shift, redeems, and shows what is not confirmed as that', async () => {
    const user = await openOffline();
    await show(code({ selection: [0] }));
    await press(user, 'Redeem this item');
    expect(headline()).toBe('No network. Redeem offline?');
    expect(verdict()?.textContent).toMatch(
      /Up to 200 items, until Nov 22, 8:00 AM\. What was redeemed elsewhere meanwhile cannot be seen\./,
    );
    expect((await readDisk()).entries).toEqual([]);
    await press(user, 'Redeem offline');
    expect(verdict()?.dataset['tone']).toBe('offline');
    expect(verdict()?.textContent).toBe('Redeemed offlineConfirmed when the network is back.');
    expect(vi.mocked(playScanFeedback).mock.calls).toEqual([['offline']]);
    await until(() => screen.queryByText('Offline: 199 of 200 items') !== null);
    await press(user, 'Next scan');
    await show(code({ selection: [1] }));
    await press(user, 'Redeem this item');
    expect(headline()).toBe('Redeemed offline');
    await findNetwork();
    await loseNetwork();
    await press(user, 'Next scan');
    await show(code({ selection: [2] }));
    await press(user, 'Redeem this item');
    expect(headline()).toBe('No network. Redeem offline?');
  });

  it('waits for the network instead, and asks the server when it is back', async () => {
    const user = await openOffline();
    await show(code());
    await press(user, 'Redeem all 3 items');
    await press(user, 'Wait for the network');
    expect(headline()).toBe('No answer from the server');
    backend.answer('scannerScan', () => purchaseScan(scannedItem(100)));
    await findNetwork();
    expect(rows()).toEqual(['Cold Brew 100 Ready to redeem']);
    expect((await readDisk()).entries).toEqual([]);
  });

  it('[W-047] has the entry on the disk before the result is shown', async () => {
    const user = await openOffline();
    const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction');
    let keptAtSound: Promise<number> | undefined;
    vi.mocked(playScanFeedback).mockImplementation(() => {
      keptAtSound = readKept().then(({ entries }) => entries.length);
    });
    await redeemAll(user);
    expect(await keptAtSound).toBe(1);
    expect(transactions).toHaveBeenCalledWith(expect.anything(), 'readwrite', DURABLE);
  });

  it('[W-047] redeems nothing if the entry cannot be kept', async () => {
    const user = await openOffline();
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await redeemAll(user);
    expect(verdict()?.dataset['tone']).toBe('bad');
    expect(headline()).toBe('Not redeemed');
    expect(vi.mocked(playScanFeedback).mock.calls).toEqual([['refused']]);
  });

  it('[W-040] refuses an item that this device has redeemed, says when, and so after a reload and a sign-out', async () => {
    const user = await openOffline();
    await redeemAll(user);
    await press(user, 'Next scan');
    await show(code({ selection: [1] }));
    expect(verdict()?.textContent).toBe(
      'Already redeemedAlready redeemed on this device at 8:00 PM.',
    );
    closeApp();
    localStorage.removeItem('scanner-jwt');
    await openSignedIn();
    await loseNetwork();
    await settle();
    await show(code());
    expect(headline()).toBe('Already redeemed');
  });

  it('[W-045] stops at the allowance, also after a reload', async () => {
    const user = await openOffline({ grant: { items_max: 3 } });
    await redeemAll(user);
    const groups = [{ offerId: OFFERS.drink, firstItemId: 300, itemCount: 1 }];
    const next = () => code({ content: { groups } });
    await press(user, 'Next scan');
    await show(next());
    expect(headline()).toBe('Offline limit reached.');
    closeApp();
    await openSignedIn();
    await loseNetwork();
    await settle();
    await show(next());
    expect(headline()).toBe('Offline limit reached.');
  });

  it('keeps a redemption with an unknown outcome from being redeemed once more without a network', async () => {
    const user = await openEnrolled();
    const shown = await code();
    backend.answer('scannerScan', () =>
      purchaseScan(...[100, 101, 102].map((id) => scannedItem(id))),
    );
    backend.answer('scannerRedeem', networkFailure);
    await show(shown);
    await press(user, 'Redeem all 3 items');
    await settle(1000);
    expect(headline()).toBe('Not known yet');
    await press(user, 'Leave it and scan on');
    await loseNetwork();
    await show(code());
    expect(rows()[0]).toContain('Asked of the server without an answer.');
    expect(screen.queryByRole('button', { name: /^Redeem/ })).toBeNull();
  });

  it('[W-046] stops with a list older than 12 h', { tags: 'long' }, async () => {
    await openOffline({ grant: { until: new Date(Date.now() + 48 * HOUR_MS).toISOString() } });
    await settle(12 * HOUR_MS + 60_000);
    await show(code());
    expect(headline()).toBe('The offline list is from Nov 21, 8:00 PM: too old.');
  });

  it('[W-048] stops after a jump of the clock until the server answers, also after a reload', async () => {
    await openOffline();
    vi.setSystemTime(Date.now() + 31_000);
    await settle(5000);
    await show(code());
    expect(headline()).toBe("This device's clock was changed");
    closeApp();
    await openSignedIn();
    await loseNetwork();
    await settle();
    await show(code());
    expect(headline()).toBe("This device's clock was changed");
    closeApp();
    backend.setOnline(true);
    await openSignedIn();
    await settle(60_000);
    await loseNetwork();
    await show(code());
    expect(rows()).toEqual(['3 × House Pour Ready to redeem']);
  });

  it('judges a code by the time that its entry gets, after the clock was set back a little', async () => {
    const user = await openOffline();
    await show(code({ selection: [0] }));
    await press(user, 'Redeem this item');
    await press(user, 'Redeem offline');
    await press(user, 'Next scan');
    const old = code({ atMs: Date.now() - 47_000, selection: [1] });
    vi.setSystemTime(Date.now() - 4_000);
    await show(old);
    expect(headline()).toBe('This code has run out');
  });

  it('[W-048] stops if the clock is before the last answer of the server', async () => {
    await openOffline();
    closeApp();
    vi.setSystemTime(Date.now() - 6_000);
    await openSignedIn();
    await loseNetwork();
    await settle();
    await show(code());
    expect(headline()).toBe("This device's clock was changed");
  });
});

describe('what is kept', () => {
  it('is not replaced by an older list', async () => {
    await openEnrolled({ spent: [100, 101, 102] });
    const before = (await readDisk()).pack?.madeAtMs;
    givePack({ more: { server_time: new Date(Date.now() - 1000).toISOString() } });
    await settle(60_000);
    expect(backend.calls('offlinePack').length).toBeGreaterThan(1);
    expect((await readDisk()).pack?.madeAtMs).toBe(before);
    await loseNetwork();
    await show(code());
    expect(headline()).toBe('Already redeemed');
  });

  it('adds what is new to the list, and fetches it whole once an hour', async () => {
    await openEnrolled({ spent: [100] });
    givePack({ spent: [102], more: { is_whole: false } });
    await settle(60_000);
    expect(backend.calls('offlinePack')[1]?.query.get('since')).not.toBeNull();
    await settle(60 * 60_000);
    const asked = backend.calls('offlinePack').map(({ query }) => query.get('since') === null);
    expect(asked.filter((isWhole) => isWhole).length).toBeGreaterThanOrEqual(2);
    await loseNetwork();
  });

  it('counts for nothing once the server says that the device may not', async () => {
    await openEnrolled();
    backend.answer('offlinePack', () => problem('device_not_enrolled'));
    await settle(60_000);
    await loseNetwork();
    await until(() => screen.queryByText(/Nothing can be redeemed until it is back/) !== null);
    await show(code());
    await pass(1400);
    expect(headline()).toBe('No answer from the server');
  });

  it('counts for nothing once somebody has edited the log', async () => {
    const user = await openOffline();
    await redeemAll(user);
    const opening = indexedDB.open('scanner-offline');
    await until(() => opening.readyState === 'done');
    const deleting = opening.result
      .transaction('entries', 'readwrite')
      .objectStore('entries')
      .delete(1);
    await until(() => deleting.readyState === 'done');
    opening.result.close();
    await press(user, 'Next scan');
    await show(code());
    expect(headline()).toBe('This device may not redeem offline');
  });
});

describe('when the network is back', () => {
  it('sends the log, and deletes what the server has', async () => {
    const user = await openOffline();
    await redeemAll(user);
    await findNetwork();
    await until(() => backend.calls('offlineSync').length === 1);
    for (let turn = 0; turn < 200 && (await readDisk()).entries.length > 0; turn += 1)
      await settle();
    expect(backend.calls('offlineSync')[0]?.body).toMatchObject({
      device_id: DEVICE_ID,
      entries: [{ seq: 1, staff_uuid: STAFF_UUID, venue_id: BAR.id, item_ids: [100, 101, 102] }],
    });
    expect((await readDisk()).entries).toEqual([]);
    closeApp();
    await openSignedIn('/scanner/today');
    expect(screen.getByText('3 items redeemed offline, confirmed')).toBeDefined();
  });

  it('sends it again until the server has it, more and more seldom, and offers it as a file', async () => {
    backend.answer('offlineSync', () => problem('internal_error'));
    const user = await openOffline();
    await redeemAll(user);
    await findNetwork();
    const after = async (ms: number) => {
      await settle(ms);
      return backend.calls('offlineSync').length;
    };
    await until(() => backend.calls('offlineSync').length > 0);
    await settle();
    const first = backend.calls('offlineSync').length;
    await after(60_000);
    await until(() => backend.calls('offlineSync').length === first + 1);
    expect(await after(60_000)).toBe(first + 1);
    await after(60_000);
    await until(() => backend.calls('offlineSync').length === first + 2);
    expect((await readDisk()).entries).toHaveLength(1);
    await press(user, 'Next scan');
    await user.click(screen.getByRole('link', { name: /^Today/ }));
    await settle();
    expect(screen.getByRole('button', { name: 'Export log' })).toBeDefined();
    await until(() => screen.queryByText(/1 redemption waits for the network/) !== null);
  });

  it('tells of a conflict and of a device that is not trusted any more', async () => {
    backend.answer('offlineSync', async ({ body }) => ({
      ...(await acknowledge(body, 'conflict')),
      state: 'suspect' as const,
    }));
    const user = await openOffline();
    await redeemAll(user);
    await findNetwork();
    await press(user, 'Next scan');
    await user.click(screen.getByRole('link', { name: /^Today/ }));
    await settle();
    await until(() => screen.queryByText(/redeemed elsewhere before/) !== null);
    await until(() => screen.queryByText('Redeeming offline is stopped') !== null);
  });

  it('does not redeem online what it has redeemed and not yet sent', async () => {
    backend.answer('offlineSync', () => problem('internal_error'));
    const user = await openOffline();
    await redeemAll(user);
    await findNetwork();
    backend.answer('scannerScan', () =>
      purchaseScan(...[100, 101, 102].map((id) => scannedItem(id))),
    );
    await press(user, 'Next scan');
    await show(code());
    expect(headline()).toBe('Already redeemed');
  });
});
