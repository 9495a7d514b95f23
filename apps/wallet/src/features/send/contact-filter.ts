import type { Contact } from '../../state/contacts.ts';

/** Spec 5: case-insensitive substring match on alias or address. Empty text matches everything. */
export function filterContacts(contacts: readonly Contact[], text: string): readonly Contact[] {
  const wanted = text.trim().toLowerCase();
  return contacts.filter(
    ({ alias, address }) =>
      alias.toLowerCase().includes(wanted) || address.toLowerCase().includes(wanted),
  );
}
