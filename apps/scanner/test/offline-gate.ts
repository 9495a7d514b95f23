/** A scanner with a key and a list, under fake time: enrolling it, losing its network, and showing codes to its camera. */
import { makeDeviceKey } from '@athos/app-core/device-key';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { pass } from '@athos/testing/fake-time';
import {
  acknowledge,
  DEVICE_ID,
  packOf,
  type FakeServer,
  type PackOptions,
} from '@athos/testing/samples/offline';
import { act, screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { IDBFactory } from 'fake-indexeddb';
import { expect, vi } from 'vitest';
// The app loads these modules on demand. On a busy machine, that would take most of the first test's time.
import '../src/api/offline-sync.ts';
import '../src/routes/staff-routes.tsx';
import { keepDevice, keepKey, readKept, type Kept } from '../src/state/offline-store.ts';
import { beginTest, closeApp, endTest, openSignedIn } from './staff.tsx';

/** Replaces the camera, which jsdom lacks. */
export const camera = { isPaused: false, onDecoded: (_text: string): void => undefined };

/** For `vi.mock` of `@athos/ui/qr/qr-scanner`. */
export function FakeScanner(props: typeof camera): null {
  Object.assign(camera, props);
  return null;
}

/** The fake IndexedDB needs turns of the event loop, which fake timers would stop. */
const turns = globalThis as unknown as { setImmediate: unknown };
const { setImmediate: realTurn } = turns;

/** The number of cryptographic operations under way. They take real time, in which the other turns of the page end. */
let cryptoCount = 0;
function watchCrypto(): void {
  cryptoCount = 0;
  for (const name of ['digest', 'sign', 'verify', 'importKey', 'generateKey'] as const) {
    const original = crypto.subtle[name].bind(crypto.subtle) as (
      ...given: unknown[]
    ) => Promise<never>;
    vi.spyOn(crypto.subtle, name).mockImplementation(async (...given: unknown[]) => {
      cryptoCount += 1;
      return original(...given).finally(() => (cryptoCount -= 1));
    });
  }
}

/** For `beforeEach`. */
export function beginOfflineTest(server: FakeServer): FakeBackend {
  vi.stubGlobal('indexedDB', new IDBFactory());
  watchCrypto();
  const backend = beginTest();
  turns.setImmediate = realTurn;
  givePack(backend, server);
  backend.answer('offlineSync', ({ body }) => acknowledge(body));
  return backend;
}

export const givePack = (backend: FakeBackend, server: FakeServer, options?: PackOptions): void =>
  backend.answer('offlinePack', () => packOf(server, options));

/** For `afterEach`. A page that still runs would write its results to the database of the next test. */
export async function endOfflineTest(): Promise<void> {
  closeApp();
  await settle();
  endTest();
}

const QUIET_TURN_COUNT = 60;

/** Lets pending work on the database, signatures and timers of up to `ms` finish. */
export async function settle(ms = 0): Promise<void> {
  await pass(ms);
  for (let quiet = 0, turn = 0; quiet < QUIET_TURN_COUNT && turn < 2000; turn += 1) {
    await pass();
    quiet = cryptoCount === 0 ? quiet + 1 : 0;
  }
}
export async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2000 && !isSo(); turn += 1) await pass();
  expect(isSo()).toBe(true);
}
/** Awaits a promise of the database while turning the event loop. */
async function kept<T>(promise: Promise<T>): Promise<T> {
  let isKept = false;
  void promise.then(() => (isKept = true));
  await until(() => isKept);
  return promise;
}

export const readDisk = (): Promise<Kept> => kept(readKept());

export const enrol = async (): Promise<void> =>
  void (await kept(
    Promise.all([
      makeDeviceKey().then(keepKey),
      keepDevice({ deviceId: DEVICE_ID, name: 'Bar 2' }),
    ]),
  ));

/** Opens a signed-in scanner with a key, whose list is fetched. */
export async function openEnrolled(backend: FakeBackend): Promise<UserEvent> {
  await enrol();
  const user = await openSignedIn();
  await until(() => backend.calls('offlinePack').length > 0);
  await settle();
  return user;
}
export async function loseNetwork(backend: FakeBackend): Promise<void> {
  backend.setOnline(false);
  await act(async () => void dispatchEvent(new Event('offline')));
}
export async function findNetwork(backend: FakeBackend): Promise<void> {
  backend.setOnline(true);
  await settle(3000);
}

export async function show(text: string | Promise<string>): Promise<void> {
  const given = await text;
  expect(camera.isPaused).toBe(false);
  await act(async () => camera.onDecoded(given));
  await settle();
}
export async function press(user: UserEvent, name: string | RegExp): Promise<void> {
  await user.click(screen.getByRole('button', { name }));
  await settle();
}
