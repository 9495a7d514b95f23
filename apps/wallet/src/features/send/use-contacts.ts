import { useValue } from '@athos/app-core/value';
import { contactBookOf, type Contact, type ContactBook } from '../../state/contacts.ts';
import { useUserUuid } from '../../state/current-user.ts';

/** The signed-in user's saved contacts, with what changes them. */
export function useContacts(): { contacts: readonly Contact[]; book: ContactBook } {
  const book = contactBookOf(useUserUuid());
  return { contacts: useValue(book), book };
}
