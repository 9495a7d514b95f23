// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { makeDeviceKey } from '@athos/app-core/device-key';
import { fromBase64url, toBase64url } from '@athos/domain/base64url';
import { entryToSign, FIRST_PREVIOUS_HASH } from '@athos/domain/offline-log';
import {
  DEVICE_ID,
  fakePhone,
  fakeServer,
  OFFERS,
  packOf,
  ticketCode,
  type FakePhone,
  type FakeServer,
} from '@athos/testing/samples/offline';
import { BAR } from '@athos/testing/samples/scanner';
import { installFakeBackend } from '@athos/testing/fake-fetch';
import { STAFF_UUID } from '@athos/testing/session';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  keepDevice,
  keepKey,
  keepPack,
  readKept,
  readLists,
  removeEntries,
} from '../state/offline-store.ts';
import { forgetLists, lookOffline, redeemOffline } from './offline.ts';
import { renewPack } from './offline-pack.ts';

const POST = { staffUuid: STAFF_UUID, venueId: BAR.id };
const FIRST = [100, 101, 102];

let server: FakeServer;
let phone: FakePhone;
beforeAll(async () => {
  server = await fakeServer();
  phone = await fakePhone();
});
beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  forgetLists();
  await keepKey(await makeDeviceKey());
  await keepDevice({ deviceId: DEVICE_ID, name: 'Bar 2' });
});
afterEach(() => vi.unstubAllGlobals());

async function fetchPack(itemsMax: number): Promise<void> {
  installFakeBackend({ offlinePack: () => packOf(server, { grant: { items_max: itemsMax } }) });
  await renewPack(STAFF_UUID, BAR.id);
}
const codeOf = (firstItemId: number) =>
  ticketCode({
    server,
    phone,
    content: { groups: [{ offerId: OFFERS.drink, firstItemId, itemCount: 3 }] },
  });
const kindsOf = async (redemptions: readonly ReturnType<typeof redeemOffline>[]) =>
  (await Promise.all(redemptions)).map(({ kind }) => kind).toSorted();

describe('several tabs of a device at the same moment', () => {
  it('[W-045] do not pass the allowance', async () => {
    await fetchPack(9);
    const firstIds = [100, 200, 300, 400, 500];
    const codes = await Promise.all(firstIds.map(codeOf));
    const kinds = await kindsOf(
      codes.map((code, index) => {
        const first = firstIds[index] ?? 0;
        return redeemOffline(code, [first, first + 1, first + 2], POST, String(first));
      }),
    );
    expect(kinds).toEqual(['redeemed', 'redeemed', 'redeemed', 'refused', 'refused']);
    expect((await readKept()).entries.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it('[W-040] redeem an item once', async () => {
    await fetchPack(200);
    const code = await codeOf(100);
    const kinds = await kindsOf(
      [1, 2, 3, 4].map((tab) => redeemOffline(code, FIRST, POST, `${tab}`)),
    );
    expect(kinds).toEqual(['changed', 'changed', 'changed', 'redeemed']);
    expect((await readKept()).entries).toHaveLength(1);
  });
});

describe('the log', () => {
  it('is signed by the key of the device, each entry over the hash of the one before', async () => {
    await fetchPack(200);
    await redeemOffline(await codeOf(100), FIRST, POST, 'a');
    await redeemOffline(await codeOf(200), [201], POST, 'b');
    const { entries, device } = await readKept();
    if (device === undefined) throw new Error('no key');
    let previousHash: string = FIRST_PREVIOUS_HASH;
    for (const entry of entries) {
      expect(entry.previousHash).toBe(previousHash);
      const signed = entryToSign(entry);
      previousHash = toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', signed)));
      const isOwn = await crypto.subtle.verify(
        { name: 'ECDSA', hash: 'SHA-256' },
        device.key.publicKey,
        fromBase64url(entry.signature),
        signed,
      );
      expect(isOwn).toBe(true);
    }
    expect(entries).toHaveLength(2);
  });

  it('goes on after what the server has, and the allowance with it', async () => {
    await fetchPack(3);
    await redeemOffline(await codeOf(100), FIRST, POST, 'a');
    expect((await redeemOffline(await codeOf(200), [200], POST, 'b')).kind).toBe('refused');
    const [entry] = (await readKept()).entries;
    await removeEntries({ seq: 1, hash: entry?.hash ?? '' });
    expect((await redeemOffline(await codeOf(200), [200], POST, 'c')).kind).toBe('redeemed');
    expect((await readKept()).entries).toMatchObject([{ seq: 2, previousHash: entry?.hash }]);
  });

  it('redeems nothing with an older list that was put back', async () => {
    await fetchPack(200);
    const [{ pack }, lists] = [await readKept(), await readLists()];
    if (pack === undefined || lists === undefined) throw new Error('no list');
    const newer = { ...pack, madeAtMs: pack.madeAtMs + 1000 };
    await keepPack(newer, { ...lists, madeAtMs: newer.madeAtMs }, { seq: 0, hash: '' });
    const opening = indexedDB.open('scanner-offline');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const writing = opening.result.transaction('kept', 'readwrite');
    writing.objectStore('kept').put(pack, 'pack');
    await new Promise((resolve) => writing.addEventListener('complete', resolve));
    opening.result.close();
    expect(await lookOffline(await codeOf(100), POST)).toMatchObject({
      look: { kind: 'refused', refusal: { reason: 'no_list' } },
    });
  });
});

it('no mutation of a genuine code is taken', async () => {
  await fetchPack(200);
  const code = await codeOf(100);
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % below;
  };
  for (let count = 0; count < 150; count += 1) {
    const at = 3 + random(code.length - 3);
    const changed = code.slice(0, at) + digits.charAt(random(45)) + code.slice(at + 1);
    if (changed === code) continue;
    const { look } = await lookOffline(changed, POST);
    expect(look.kind, changed).toBe('refused');
  }
});
