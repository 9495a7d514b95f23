/**
 * Saved recipients, stored on this device for the account that saved them (spec 3). Screens see what is stored plus the
 * changes not written yet, so two tabs that both change the list lose nothing. `apps/wallet/src/api/contact-sync.ts` shares them with the
 * account's other devices.
 */
import { openStored, type StoredValue } from '@athos/app-core/stored-value';
import { storesByName } from '@athos/app-core/stores-by-name';
import { createValue, useValue, type ReadonlyValue } from '@athos/app-core/value';
import { useUserUuid } from './current-user.ts';

export interface Contact {
  readonly alias: string;
  /** The other user's uuid, lower case. */
  readonly address: string;
}

export interface ContactBook extends ReadonlyValue<readonly Contact[]> {
  /** Adds a contact. Two contacts with the same address and alias are kept once (spec 3). */
  add: (contact: Contact) => void;
  remove: (contact: Contact) => void;
  /** Replaces the list, for example by the one that other devices share, unless they are equal. */
  replace: (step: (stored: readonly Contact[]) => readonly Contact[]) => void;
  /** Writes pending changes at once. */
  flush: () => void;
  close: () => void;
}

/** Spec 9. */
export const CONTACTS_WRITE_DEBOUNCE_MS = 420;

type Change = { readonly kind: 'add' | 'remove'; readonly contact: Contact };

export const contactsKey = (userUuid: string): string => `contacts:${userUuid}`;

export const isSameContact = (left: Contact, right: Contact): boolean =>
  left.address === right.address && left.alias === right.alias;

/** The alias of the first contact saved for an address. */
export const aliasOf = (contacts: readonly Contact[], address: string): string | undefined =>
  contacts.find((contact) => contact.address === address)?.alias;

/** Keeps the first of several contacts with the same address and alias. */
const withoutDuplicates = (contacts: readonly Contact[]): readonly Contact[] =>
  contacts.filter(
    (contact, index) => contacts.findIndex((other) => isSameContact(other, contact)) === index,
  );

const isContact = (value: unknown): value is Contact => {
  if (typeof value !== 'object' || value === null) return false;
  const { alias, address } = value as Record<string, unknown>;
  return typeof alias === 'string' && typeof address === 'string';
};

const parseContacts = (stored: unknown): readonly Contact[] | undefined =>
  Array.isArray(stored) ? withoutDuplicates(stored.filter(isContact)) : undefined;

export const NO_CONTACTS: readonly Contact[] = [];

/**
 * Contacts that the user removed since the last sync. Without this record, a list lost from storage would look like one whose contacts were
 * all removed.
 */
export const removedContactsOf = (userUuid: string): StoredValue<readonly Contact[]> =>
  openStored({ key: `contacts-removed:${userUuid}`, empty: NO_CONTACTS, parse: parseContacts });

const applyChange = (
  contacts: readonly Contact[],
  { kind, contact }: Change,
): readonly Contact[] =>
  kind === 'add'
    ? withoutDuplicates([...contacts, contact])
    : contacts.filter((other) => !isSameContact(other, contact));

function openBook(userUuid: string): ContactBook {
  const stored = openStored({
    key: contactsKey(userUuid),
    empty: NO_CONTACTS,
    parse: parseContacts,
  });
  const shown = createValue(stored.get());
  let pending: readonly Change[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (): void => shown.set(pending.reduce(applyChange, stored.get()));

  function flush(): void {
    clearTimeout(timer);
    if (pending.length === 0) return;
    const changes = pending;
    pending = [];
    const removed = changes.flatMap(({ kind, contact }) => (kind === 'remove' ? [contact] : []));
    if (removed.length > 0) {
      removedContactsOf(userUuid).change((others) => [...others, ...removed]);
    }
    stored.change((contacts) => changes.reduce(applyChange, contacts));
  }

  function change(next: Change): void {
    pending = [...pending, next];
    show();
    clearTimeout(timer);
    timer = setTimeout(flush, CONTACTS_WRITE_DEBOUNCE_MS);
  }

  stored.subscribe(show);
  const unfollow = stored.followOtherTabs(() => {
    // Storage was cleared together with the account, so pending changes are dropped.
    pending = [];
    show();
  });
  // Writes the last change of a page that is closed within the debounce.
  addEventListener('pagehide', flush);

  return {
    get: shown.get,
    subscribe: shown.subscribe,
    add: (contact) => change({ kind: 'add', contact }),
    remove: (contact) => change({ kind: 'remove', contact }),
    replace(step) {
      flush();
      const before = stored.read();
      const next = step(before);
      if (next !== before) stored.change(() => next);
    },
    flush,
    close() {
      flush();
      unfollow();
      removeEventListener('pagehide', flush);
    },
  };
}

const books = storesByName<ContactBook>();

/** The contacts of one account. */
export const contactBookOf = (userUuid: string): ContactBook => books.of(userUuid, openBook);

/** The signed-in user's contacts. */
export const useContacts = (): readonly Contact[] => useValue(contactBookOf(useUserUuid()));

/** Writes pending changes and closes every book; the next reader reads what is stored, as after a reload. */
export const closeContactBooks = books.closeAll;
