import { isUuid } from '@athos/domain/uuid';
import { looksLike } from '@athos/domain/look-alike';
import { useState } from 'react';
import { usePastSends } from '../../api/past-sends.ts';
import type { Contact } from '../../state/contacts.ts';
import type { SendDraft } from '../../state/send-draft.ts';

export type RecipientWarning =
  | { readonly kind: 'none' | 'first_time' }
  | {
      readonly kind: 'look_alike';
      readonly address: string;
      /** An address that the sender knows, and that this one resembles. */
      readonly known: string;
      /** The contact with that address. */
      readonly name: string | undefined;
      readonly isCompared: boolean;
      readonly setCompared: (isCompared: boolean) => void;
    };

const NONE = { kind: 'none' } as const;

/** Known are the contacts, and whoever the sender has sent to. */
export function useRecipientWarning(
  { address, met }: Pick<SendDraft, 'address' | 'met'>,
  contacts: readonly Contact[],
): RecipientWarning {
  /** The address that the sender has compared with the person. */
  const [compared, setCompared] = useState<string>();
  const isContact = contacts.some((contact) => contact.address === address);
  const past = usePastSends(isUuid(address) && !isContact ? address : undefined);

  // Without an answer only contacts are known.
  if (!isUuid(address) || isContact || past?.isFirstTime === false) return NONE;
  const alike = contacts.find((contact) => looksLike(contact.address, address));
  const known = alike?.address ?? past?.looksLike;
  if (known !== undefined) {
    return {
      kind: 'look_alike',
      address,
      known,
      name: alike?.alias,
      isCompared: compared === address,
      setCompared: (isCompared) => setCompared(isCompared ? address : undefined),
    };
  }
  // Whoever scanned the receiver's own screen stands beside them.
  return past?.isFirstTime === true && met === undefined ? { kind: 'first_time' } : NONE;
}
