import { useValue } from '@athos/app-core/value';
import { contactBookOf, isSameContact, type Contact } from '../../state/contacts.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { useSendDraft } from '../../state/send-draft.ts';
import { addressFault, addressOfText, type AddressFault } from './address.ts';
import { filterContacts } from './contact-filter.ts';

export interface RecipientStep {
  /** What the input shows: the chosen contact's alias, or what was typed. */
  readonly text: string;
  readonly address: string;
  readonly fault: AddressFault | undefined;
  readonly chosen: Contact | undefined;
  /** The contacts that match the typed text; all of them while one is chosen. */
  readonly contacts: readonly Contact[];
  readonly hasContacts: boolean;
  /** Text was typed that matches no contact. */
  readonly isUnknown: boolean;
  type: (text: string) => void;
  /** Chooses a contact, or deselects the chosen one (spec 4). */
  press: (contact: Contact) => void;
  save: (contact: Contact) => void;
  remove: (contact: Contact) => void;
}

const NO_RECIPIENT = { name: '', address: '', active: false };

/** The recipient step's view of the draft and the contacts, with what changes them. */
export function useRecipientStep(): RecipientStep {
  const userUuid = useUserUuid();
  const { draft, store } = useSendDraft();
  const book = contactBookOf(userUuid);
  const all = useValue(book);

  const typed = draft.active ? '' : draft.address;
  const contacts = filterContacts(all, typed);
  const chosen = draft.active ? { alias: draft.name, address: draft.address } : undefined;

  const choose = ({ alias, address }: Contact): void =>
    store.change({ name: alias, address, active: true });
  const isChosen = (contact: Contact): boolean =>
    chosen !== undefined && isSameContact(contact, chosen);

  return {
    text: draft.active ? draft.name : draft.address,
    address: draft.address,
    fault: addressFault(draft.address, userUuid),
    chosen,
    contacts,
    hasContacts: all.length > 0,
    isUnknown: typed !== '' && contacts.length === 0,
    type: (text) => store.change({ ...NO_RECIPIENT, address: addressOfText(text) }),
    press(contact) {
      if (isChosen(contact)) store.change(NO_RECIPIENT);
      else choose(contact);
    },
    save(contact) {
      book.add(contact);
      choose(contact);
    },
    remove(contact) {
      book.remove(contact);
      if (isChosen(contact)) store.change(NO_RECIPIENT);
    },
  };
}
