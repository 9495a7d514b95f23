import type { DraftStore } from '@athos/app-core/intents/draft';
import { useValue } from '@athos/app-core/value';
import { parseHandle } from '@athos/domain/handle';
import { payCodeOfText } from '@athos/domain/pay-code';
import { parseSignedQr } from '@athos/domain/qr-payload';
import { useEffect, useRef, useState } from 'react';
import { canReceive, findRecipient } from '../../api/recipients.ts';
import { contactBookOf, isSameContact, type Contact } from '../../state/contacts.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { useSendDraft, type SendDraft } from '../../state/send-draft.ts';
import { askedFields } from './asked-amount.tsx';
import { addressFault, addressOfText, type AddressFault } from './address.ts';
import { filterContacts } from './contact-filter.ts';
import { useRecipientWarning, type RecipientWarning } from './use-recipient-warning.ts';

export interface RecipientStep {
  /** The text in the input: the chosen contact's alias, or the typed text. */
  readonly text: string;
  readonly address: string;
  /** Why the sender cannot go on. `failed` does not stand in the way, because 'Next' looks the recipient up again. */
  readonly fault: Exclude<RecipientFault, 'failed'> | undefined;
  /** The fault to show at the field; `undefined` while a name or an address is still being typed. */
  readonly shownFault: RecipientFault | undefined;
  /** The warning about the address, which the sender must see before going on. */
  readonly warning: RecipientWarning;
  /** Whether the address is being looked up. */
  readonly isChecking: boolean;
  readonly chosen: Contact | undefined;
  /** The contacts that match the typed text; all of them while one is chosen. */
  readonly contacts: readonly Contact[];
  readonly hasContacts: boolean;
  /** Text was typed that matches no contact. */
  readonly isUnknown: boolean;
  type: (text: string) => void;
  /** Enters a scanned code, and keeps it: it proves that sender and receiver are in the same place. */
  scan: (decodedText: string) => void;
  /** Called when the field was left or submitted. */
  judge: () => void;
  /** Looks the recipient up. Resolves to whether the address can receive, and is still the one entered on this screen. */
  check: () => Promise<boolean>;
  /** Chooses a contact, or deselects the chosen one (spec 4). */
  press: (contact: Contact) => void;
  save: (contact: Contact) => void;
  remove: (contact: Contact) => void;
}

/**
 * `unknown`: the server knows no account at this address. `not_compared`: it resembles a known address, and the sender has not compared
 * them. `nobody`: the handle or pay link names no account. `too_many`: the server refuses further look-ups for now. `failed`: the
 * look-up had no response.
 */
export type RecipientFault = AddressFault | LookupFault | 'not_compared';
type LookupFault = 'unknown' | 'nobody' | 'too_many' | 'failed';

/** The length of a uuid. A text of at least this length is treated as a complete address. */
const ADDRESS_LENGTH = 36;
/** The server accepts no longer code. */
const CODE_LENGTH_MAX = 512;

const NO_RECIPIENT = {
  name: '',
  address: '',
  active: false,
  met: undefined,
  ...askedFields(undefined),
};

/** The recipient step's view of the draft and the contacts, with the functions that change them. */
export function useRecipientStep(): RecipientStep {
  const userUuid = useUserUuid();
  const { draft, store } = useSendDraft();
  const book = contactBookOf(userUuid);
  const all = useValue(book);

  const typed = draft.active ? '' : draft.address;
  const contacts = filterContacts(all, typed);
  const chosen = draft.active ? { alias: draft.name, address: draft.address } : undefined;

  const choose = ({ alias, address }: Contact): void =>
    store.change({ ...NO_RECIPIENT, name: alias, address, active: true });
  const lookup = useLookup(store);
  const { warning, findsLookAlike } = useRecipientWarning(draft, all);
  const [isJudged, setIsJudged] = useState(false);
  const isNamed = isNameOfSomebody(draft.address);
  const lookupFault = lookup.refused?.text === draft.address ? lookup.refused.fault : undefined;
  const fault =
    (lookupFault === 'failed' ? undefined : lookupFault) ??
    (isNamed ? undefined : addressFault(draft.address, userUuid)) ??
    (warning.kind === 'look_alike' && !warning.isCompared ? 'not_compared' : undefined);
  const isUnknown = typed !== '' && !isNamed && contacts.length === 0;
  const isComplete = draft.address.length >= ADDRESS_LENGTH;
  const isChosen = (contact: Contact): boolean =>
    chosen !== undefined && isSameContact(contact, chosen);

  return {
    text: draft.active ? draft.name : draft.address,
    address: draft.address,
    fault,
    warning,
    // For `not_compared`, the checkbox in the warning says what is missing.
    shownFault:
      lookupFault ??
      (fault !== 'not_compared' && (isComplete || (isJudged && isUnknown)) ? fault : undefined),
    isChecking: lookup.isChecking,
    chosen,
    contacts,
    hasContacts: all.length > 0,
    isUnknown,
    type(text) {
      if (text === '') setIsJudged(false);
      store.change({ ...NO_RECIPIENT, address: addressOfText(text) });
    },
    scan(decodedText) {
      const isSigned = parseSignedQr(decodedText) !== undefined;
      const met = isSigned && decodedText.length <= CODE_LENGTH_MAX ? decodedText : undefined;
      store.change({ ...NO_RECIPIENT, address: addressOfText(decodedText), met });
    },
    judge: () => setIsJudged(true),
    async check() {
      // A handle or pay link is first replaced by its address, so that the sender sees the address and its warning before going on.
      if (isNamed) return lookup.resolve();
      if ((await lookup.waitFor(findsLookAlike)) || store.get().address !== draft.address)
        return false;
      store.change({ warned: warning.kind !== 'none' });
      return lookup.check();
    },
    press(contact) {
      if (isChosen(contact)) store.change(NO_RECIPIENT);
      else choose(contact);
    },
    save(contact) {
      const { asked, askedAmount, askedAsset } = draft;
      book.add(contact);
      choose(contact);
      // The payee of a link still asks for the same under the name given here.
      store.change({ asked, askedAmount, askedAsset });
    },
    remove(contact) {
      book.remove(contact);
      if (isChosen(contact)) store.change(NO_RECIPIENT);
    },
  };
}

/** Whether the text is a handle or a pay link, whose address the server knows. */
const isNameOfSomebody = (text: string): boolean =>
  (text.startsWith('@') && parseHandle(text) !== undefined) || payCodeOfText(text) !== undefined;

const LOOKUP_FAULTS = { unknown: 'nobody', too_many: 'too_many', failed: 'failed' } as const;

interface Refused {
  readonly text: string;
  readonly fault: LookupFault;
}

/** Looks up the entered text. A result that arrives after the screen was left is ignored. */
function useLookup(store: Pick<DraftStore<SendDraft>, 'get' | 'change'>) {
  const [isChecking, setIsChecking] = useState(false);
  const [refused, setRefused] = useState<Refused>();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);

  async function waitFor<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    setIsChecking(true);
    const answer = await ask();
    setIsChecking(false);
    return answer;
  }

  async function check(): Promise<boolean> {
    const { address } = store.get();
    const isKnown = await waitFor(() => canReceive(address));
    if (!isKnown) setRefused({ text: address, fault: 'unknown' });
    return isKnown && isHere.current && store.get().address === address;
  }

  /** Replaces a handle or a pay link by its address. Always resolves to `false`, so that the screen stays. */
  async function resolve(): Promise<false> {
    const { address: text, paymentAmount } = store.get();
    // A failure that repeats itself is announced again.
    setRefused(undefined);
    const found = await waitFor(() => findRecipient(payCodeOfText(text) ?? text));
    if (!isHere.current || store.get().address !== text) return false;
    if (found.status === 'found') {
      const { address, pay } = found.recipient;
      store.change({
        name: pay === undefined ? text.trim() : '',
        address,
        active: pay === undefined,
        ...askedFields(pay),
        ...(pay?.amount !== undefined &&
          paymentAmount === '' && { paymentAmount: pay.amount, asset: pay.asset }),
      });
    } else {
      setRefused({ text, fault: LOOKUP_FAULTS[found.status] });
    }
    return false;
  }

  return { isChecking, refused, waitFor, check, resolve };
}
