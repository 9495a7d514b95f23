/** This device's record of the contacts that the account's devices share (decision 0066), stored per account. */
import { openStored, type StoredValue } from '@athos/app-core/stored-value';
import { storesByName } from '@athos/app-core/stores-by-name';
import { createValue, useValue } from '@athos/app-core/value';
import type { Contact } from './contacts.ts';
import { useUserUuid } from './current-user.ts';

interface Versioned {
  readonly id: string;
  readonly version: number;
}

/** A contact as the server knows it. */
export interface SharedContact extends Contact, Versioned {}

export interface SharedContacts {
  /** The server's time when this device last received the whole list; 0 before that. */
  readonly atMs: number;
  /** Version 0 marks a row that may not have reached the server. */
  readonly rows: readonly SharedContact[];
  /** Contacts deleted here, of which the server may not know yet. */
  readonly gone: readonly Versioned[];
  /** Contacts that the server cannot decrypt and this device does not have. */
  readonly unreadable: readonly Versioned[];
  /** The number of contacts that only this device has, because the server's limit is reached. */
  readonly leftOutCount: number;
}

export const NOTHING_SHARED: SharedContacts = {
  atMs: 0,
  rows: [],
  gone: [],
  unreadable: [],
  leftOutCount: 0,
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isVersioned = (value: unknown): value is Versioned =>
  isRecord(value) && typeof value['id'] === 'string' && Number.isSafeInteger(value['version']);

const isShared = (value: unknown): value is SharedContact =>
  isVersioned(value) &&
  'alias' in value &&
  typeof value.alias === 'string' &&
  'address' in value &&
  typeof value.address === 'string';

const listOf = <T>(value: unknown, is: (item: unknown) => item is T): readonly T[] =>
  Array.isArray(value) ? value.filter(is) : [];

const countOf = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : 0);

const parseShared = (stored: unknown): SharedContacts | undefined =>
  isRecord(stored)
    ? {
        atMs: countOf(stored['atMs']),
        rows: listOf(stored['rows'], isShared),
        gone: listOf(stored['gone'], isVersioned),
        unreadable: listOf(stored['unreadable'], isVersioned),
        leftOutCount: countOf(stored['leftOutCount']),
      }
    : undefined;

interface SharedStore extends StoredValue<SharedContacts> {
  close: () => void;
}

const stores = storesByName<SharedStore>();

function openShared(userUuid: string): SharedStore {
  const key = `contacts-shared:${userUuid}`;
  const stored = openStored({ key, empty: NOTHING_SHARED, parse: parseShared });
  return { ...stored, close: stored.followOtherTabs() };
}

export const sharedContactsOf = (userUuid: string): StoredValue<SharedContacts> =>
  stores.of(userUuid, openShared);

export const closeSharedContacts = stores.closeAll;

/** A counter that screens increase to request the changes of other devices. */
export const contactsAsked = createValue(0);

export const askForContacts = (): void => contactsAsked.set(contactsAsked.get() + 1);

export const useSharedContacts = (): SharedContacts => useValue(sharedContactsOf(useUserUuid()));

/** Deletes the unreadable contacts on all devices. */
export function deleteUnreadable(userUuid: string): void {
  sharedContactsOf(userUuid).change((shared) => ({
    ...shared,
    gone: [...shared.gone, ...shared.unreadable],
    unreadable: [],
  }));
  askForContacts();
}
