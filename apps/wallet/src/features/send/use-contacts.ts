import { useSyncExternalStore } from 'react';
import { contactBookOf, type Contact, type ContactBook } from '../../state/contacts.ts';
import { useUserUuid } from '../../state/current-user.ts';

/** The signed-in user's saved contacts, with what changes them. */
export function useContacts(): { contacts: readonly Contact[]; book: ContactBook } {
  const book = contactBookOf(useUserUuid());
  return { contacts: useSyncExternalStore(book.subscribe, book.get), book };
}
