/**
 * Saved recipients, kept on this device for the account that made them (spec 3, decisions "Sessions"). What is shown is
 * what is stored with the changes not yet written, so that two tabs that both change the list lose nothing.
 */
import { localStore } from '@athos/app-core/storage';

export interface Contact {
  readonly alias: string;
  /** The other user's uuid, lower case. */
  readonly address: string;
}

export interface ContactBook {
  get: () => readonly Contact[];
  subscribe: (listener: () => void) => () => void;
  /** Keeps one of two contacts that match in address and alias (spec 3). */
  add: (contact: Contact) => void;
  remove: (contact: Contact) => void;
  /** Writes at once what waits. */
  flush: () => void;
}

/** Spec 9. */
export const CONTACTS_WRITE_DEBOUNCE_MS = 420;

type Change = { readonly kind: 'add' | 'remove'; readonly contact: Contact };

export const contactsKey = (userUuid: string): string => `contacts:${userUuid}`;

export const isSameContact = (left: Contact, right: Contact): boolean =>
  left.address === right.address && left.alias === right.alias;

/** The first of each set of contacts that match in address and alias. */
const withoutDuplicates = (contacts: readonly Contact[]): readonly Contact[] =>
  contacts.filter(
    (contact, index) => contacts.findIndex((other) => isSameContact(other, contact)) === index,
  );

const isContact = (value: unknown): value is Contact => {
  if (typeof value !== 'object' || value === null) return false;
  const { alias, address } = value as Record<string, unknown>;
  return typeof alias === 'string' && typeof address === 'string';
};

function parseContacts(text: string | null): readonly Contact[] {
  if (text === null) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? withoutDuplicates(value.filter(isContact)) : [];
  } catch {
    // Edited by hand or cut off: an empty list is all that can be made of it.
    return [];
  }
}

const applyChange = (
  contacts: readonly Contact[],
  { kind, contact }: Change,
): readonly Contact[] =>
  kind === 'add'
    ? withoutDuplicates([...contacts, contact])
    : contacts.filter((other) => !isSameContact(other, contact));

function openBook(userUuid: string): ContactBook & { close: () => void } {
  const key = contactsKey(userUuid);
  const listeners = new Set<() => void>();
  let pending: readonly Change[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current = parseContacts(localStore.read(key));

  const readMerged = (): readonly Contact[] =>
    pending.reduce(applyChange, parseContacts(localStore.read(key)));

  function show(contacts: readonly Contact[]): void {
    current = contacts;
    for (const listener of listeners) listener();
  }

  function flush(): void {
    clearTimeout(timer);
    if (pending.length === 0) return;
    localStore.write(key, JSON.stringify(readMerged()));
    pending = [];
  }

  function change(next: Change): void {
    pending = [...pending, next];
    show(applyChange(current, next));
    clearTimeout(timer);
    timer = setTimeout(flush, CONTACTS_WRITE_DEBOUNCE_MS);
  }

  const handleStorage = (event: StorageEvent): void => {
    // Storage was cleared with the account: what waits is written no more.
    if (event.key === null) pending = [];
    if (event.key === key || event.key === null) show(readMerged());
  };
  addEventListener('storage', handleStorage);
  // A page that is closed within the debounce keeps its last change.
  addEventListener('pagehide', flush);

  return {
    get: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add: (contact) => change({ kind: 'add', contact }),
    remove: (contact) => change({ kind: 'remove', contact }),
    flush,
    close() {
      flush();
      removeEventListener('storage', handleStorage);
      removeEventListener('pagehide', flush);
    },
  };
}

let open: { userUuid: string; book: ReturnType<typeof openBook> } | undefined;

/** The contacts of one account. One book is open at a time: another account's is closed first. */
export function contactBookOf(userUuid: string): ContactBook {
  if (open?.userUuid !== userUuid) {
    open?.book.close();
    open = { userUuid, book: openBook(userUuid) };
  }
  return open.book;
}

/** Closes the open book, with what it has to write. */
export function closeContactBook(): void {
  open?.book.close();
  open = undefined;
}
