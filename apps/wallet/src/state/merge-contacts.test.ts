import { describe, expect, it } from 'vitest';
import { CONTACTS_PER_CALL, DELETED_CONTACTS_KEPT_MS } from '@athos/domain/contacts';
import { contactServer, type ContactServer } from '../../test/contact-server.ts';
import { isSameContact, type Contact } from './contacts.ts';
import { mergeContacts } from './merge-contacts.ts';
import { NOTHING_SHARED, type SharedContacts } from './shared-contacts.ts';

const addressOf = (digit: number): string => `0192bbbb-0000-7000-8000-00000000000${digit}`;
const BEN: Contact = { alias: 'Ben', address: addressOf(1) };
const CY: Contact = { alias: 'Cy', address: addressOf(2) };
const DEE: Contact = { alias: 'Dee', address: addressOf(3) };

let idCount = 0;
const makeId = (): string => {
  idCount += 1;
  return `0192aaaa-0000-7000-8000-${String(idCount).padStart(12, '0')}`;
};

let nowMs = 1_800_000_000_000;

/** A device as the wallet stores it: its list, the contacts removed from it, and its record of the server's list. */
function device(server: ContactServer, saved: readonly Contact[] = []) {
  let contacts = saved;
  let removed: readonly Contact[] = [];
  let shared: SharedContacts = NOTHING_SHARED;
  const learn = () => {
    const own = { contacts, removed, shared };
    const merged = mergeContacts(own, { contacts: server.list(), atMs: nowMs }, makeId);
    ({ contacts, shared } = merged);
    removed = [];
    return merged.changes;
  };
  return {
    add(contact: Contact) {
      contacts = [...contacts.filter((one) => !isSameContact(one, contact)), contact];
    },
    remove(contact: Contact) {
      if (!contacts.some((one) => isSameContact(one, contact))) return;
      contacts = contacts.filter((one) => !isSameContact(one, contact));
      removed = [...removed, contact];
    },
    /** Simulates storage that lost the list, and nothing else. */
    lose() {
      contacts = [];
    },
    learn,
    /** Returns the number of rounds until nothing was left to send. */
    sync(): number {
      for (let round = 1; round <= 4; round += 1) {
        const changes = learn();
        if (changes.length === 0) return round;
        for (let from = 0; from < changes.length; from += CONTACTS_PER_CALL) {
          server.change(changes.slice(from, from + CONTACTS_PER_CALL));
        }
      }
      throw new Error('there is always something to tell');
    },
    contacts: () => contacts,
    shared: () => shared,
    pairs: () => contacts.map(({ alias, address }) => `${alias} ${address}`).toSorted(),
  };
}

function twoDevices(...saved: Contact[]) {
  const server = contactServer();
  const [phone, tablet] = [device(server, saved), device(server)];
  phone.sync();
  tablet.sync();
  return { server, phone, tablet };
}

describe('contacts of two devices', () => {
  it('[W-084] are the same after both have asked', () => {
    const { phone, tablet } = twoDevices(BEN, CY);
    expect(tablet.contacts()).toEqual([BEN, CY]);
    tablet.remove(BEN);
    tablet.add(DEE);
    tablet.sync();
    phone.sync();
    expect(phone.contacts()).toEqual([CY, DEE]);
  });

  it('that both saved before they met are kept once', () => {
    const server = contactServer();
    const [phone, tablet] = [device(server, [BEN, CY]), device(server, [CY, DEE])];
    // Both read the empty list before either writes.
    const [first, second] = [phone.learn(), tablet.learn()];
    server.change(first);
    server.change(second);
    for (const one of [phone, tablet, phone]) one.sync();
    expect(phone.pairs()).toEqual(tablet.pairs());
    expect(server.pairs()).toHaveLength(3);
    phone.remove(CY);
    phone.sync();
    tablet.sync();
    expect(tablet.pairs()).toEqual([BEN, DEE].map((one) => `${one.alias} ${one.address}`));
  });

  it('do not get back what the other device has deleted', () => {
    const { server, phone, tablet } = twoDevices(BEN, CY);
    tablet.remove(BEN);
    tablet.sync();
    phone.add(DEE);
    phone.sync();
    expect(phone.contacts()).toEqual([CY, DEE]);
    expect(server.pairs()).toHaveLength(2);
  });

  it.each(['phone', 'tablet'])(
    'delete offline and delete and add again offline: it was added again, whoever is online first (%s)',
    (first) => {
      const { phone, tablet } = twoDevices(BEN);
      phone.remove(BEN);
      tablet.remove(BEN);
      tablet.add(BEN);
      const order = first === 'phone' ? [phone, tablet, phone] : [tablet, phone, tablet];
      for (const one of order) one.sync();
      expect([phone.contacts(), tablet.contacts()]).toEqual([[BEN], [BEN]]);
    },
  );

  it.each(['phone', 'tablet'])(
    'have both deleted it: it is deleted, whoever is first (%s)',
    (first) => {
      const { server, phone, tablet } = twoDevices(BEN);
      phone.remove(BEN);
      tablet.remove(BEN);
      for (const one of first === 'phone' ? [phone, tablet] : [tablet, phone]) one.sync();
      expect([phone.contacts(), tablet.contacts(), server.pairs()]).toEqual([[], [], []]);
    },
  );

  it('keep a contact whose new name another build has sent, rather than an older deletion', () => {
    const { server, phone } = twoDevices(BEN);
    const [row] = phone.shared().rows;
    server.change([{ id: row?.id ?? '', version: 3, state: 'live', ...BEN, alias: 'Benny' }]);
    phone.remove(BEN);
    phone.sync();
    expect(phone.contacts()).toEqual([{ ...BEN, alias: 'Benny' }]);
  });

  it('take a new name in the place of the old one', () => {
    const { server, phone } = twoDevices(BEN, CY);
    const [row] = phone.shared().rows;
    server.change([{ id: row?.id ?? '', version: 2, state: 'live', ...BEN, alias: 'Benny' }]);
    phone.sync();
    expect(phone.pairs()).toEqual([`Benny ${BEN.address}`, `Cy ${CY.address}`]);
  });

  it('end up the same after any 200 acts, in two rounds each', () => {
    // Seeded generator, so that a failure can be reproduced.
    let seed = 42;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let run = 0; run < 50; run += 1) {
      const server = contactServer();
      const devices = [device(server), device(server, [BEN]), device(server, [BEN, CY])];
      for (let act = 0; act < 200; act += 1) {
        const one = devices[random(3)];
        const contact = { alias: `n${random(3)}`, address: addressOf(random(3)) };
        const kind = random(4);
        if (kind === 0) one?.add(contact);
        else if (kind === 1) one?.remove(contact);
        else if (kind === 2) expect(one?.sync()).toBeLessThanOrEqual(3);
        // Simulates a lost response: the server has stored a part, and the device does not know.
        else server.change(one?.learn().slice(0, 2) ?? []);
      }
      for (const one of [...devices, ...devices, ...devices]) one.sync();
      const [first, second, third] = devices.map((one) => one.pairs());
      expect(second).toEqual(first);
      expect(third).toEqual(first);
      expect(server.pairs()).toEqual(first);
    }
  });
});

describe('a device', () => {
  it('that was away for 180 days takes the server’s list, and still adds what it alone has', () => {
    const { server, phone, tablet } = twoDevices(BEN, CY);
    tablet.remove(BEN);
    tablet.sync();
    phone.add(DEE);
    nowMs += DELETED_CONTACTS_KEPT_MS;
    // The server has purged the deletion.
    for (const [id, { state }] of server.rows) if (state === 'deleted') server.rows.delete(id);
    phone.sync();
    expect(phone.contacts()).toEqual([CY, DEE]);
    expect(server.pairs()).toHaveLength(2);
  });

  it('tells a server that was restored from a backup what it has lost', () => {
    const { server, phone } = twoDevices(BEN, CY);
    server.rows.clear();
    phone.sync();
    expect(phone.contacts()).toEqual([BEN, CY]);
    expect(server.pairs()).toHaveLength(2);
  });

  it('that lost its list gets it back, and deletes nothing elsewhere', () => {
    const { server, phone } = twoDevices(BEN, CY);
    phone.lose();
    phone.sync();
    expect(phone.contacts()).toEqual([BEN, CY]);
    expect(server.pairs()).toHaveLength(2);
  });

  it('writes again what the server cannot open', () => {
    const { server, phone, tablet } = twoDevices(BEN, CY);
    const [row] = phone.shared().rows;
    const unreadable = { id: row?.id ?? '', version: 1, state: 'unreadable' as const };
    server.rows.set(unreadable.id, unreadable);
    const stranger = device(server);
    stranger.sync();
    expect(stranger.contacts()).toEqual([CY]);
    expect(stranger.shared().unreadable).toEqual([{ id: unreadable.id, version: 1 }]);
    tablet.sync();
    stranger.sync();
    expect(stranger.pairs()).toEqual(phone.pairs());
    expect(stranger.shared().unreadable).toEqual([]);
  });

  it('with more than 500 keeps all of them, and says how many are not shared', () => {
    const server = contactServer();
    const saved = Array.from({ length: 503 }, (_, index) => ({ ...BEN, alias: `n${index}` }));
    const phone = device(server, saved);
    for (const round of [1, 2]) {
      expect(phone.sync()).toBeLessThanOrEqual(2);
      expect([round, phone.contacts().length, phone.shared().leftOutCount]).toEqual([
        round,
        503,
        3,
      ]);
    }
    expect(server.pairs()).toHaveLength(500);
    phone.remove(saved[0] ?? BEN);
    phone.sync();
    expect([phone.shared().leftOutCount, server.pairs().length]).toEqual([2, 500]);
  });

  it('keeps for itself what the server would refuse', () => {
    const server = contactServer();
    const odd = [
      { ...BEN, alias: 'a\u202Eb' },
      { ...CY, address: 'no uuid' },
    ];
    const phone = device(server, [...odd, DEE]);
    phone.sync();
    expect(phone.contacts()).toEqual([...odd, DEE]);
    expect(server.pairs()).toEqual([`Dee ${DEE.address}`]);
  });

  it('that saved an address in upper case has it once', () => {
    const server = contactServer();
    const phone = device(server, [{ ...BEN, address: BEN.address.toUpperCase() }]);
    phone.sync();
    expect(phone.contacts()).toHaveLength(1);
    expect(server.pairs()).toEqual([`Ben ${BEN.address}`]);
  });
});
