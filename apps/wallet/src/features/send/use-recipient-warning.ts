import { isUuid } from '@athos/domain/uuid';
import { looksLike } from '@athos/domain/look-alike';
import { useState } from 'react';
import { usePastSends, waitForPastSends, type PastSends } from '../../api/past-sends.ts';
import type { Contact } from '../../state/contacts.ts';
import type { SendDraft } from '../../state/send-draft.ts';

interface LookAlike {
  readonly kind: 'look_alike';
  readonly address: string;
  /** A known address that this one resembles. */
  readonly known: string;
  /** The contact with that address. */
  readonly name: string | undefined;
  readonly isCompared: boolean;
  readonly setCompared: (isCompared: boolean) => void;
}

export type RecipientWarning =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'first_time';
      /** Seconds during which the send can be undone; `undefined` if unknown. */
      readonly seconds: number | undefined;
    }
  | LookAlike;

const NONE = { kind: 'none' } as const;

type Entered = Pick<SendDraft, 'address' | 'met'>;

const isContactOf = (contacts: readonly Contact[], address: string): boolean =>
  contacts.some((contact) => contact.address === address);

/** Whether the server must be asked about an address. A contact's address is known without asking. */
const isAskedAbout = (address: string, contacts: readonly Contact[]): boolean =>
  isUuid(address) && !isContactOf(contacts, address);

type Judged =
  Exclude<RecipientWarning, { kind: 'look_alike' }> | Omit<LookAlike, 'isCompared' | 'setCompared'>;

/** The warning about an address. Without a response of the server, only contacts are known addresses. */
function judgeRecipient(
  { address, met }: Entered,
  contacts: readonly Contact[],
  past: PastSends | undefined,
): Judged {
  if (!isAskedAbout(address, contacts) || past?.isFirstTime === false) return NONE;
  const alike = contacts.find((contact) => looksLike(contact.address, address));
  const known = alike?.address ?? past?.looksLike;
  if (known !== undefined) return { kind: 'look_alike', address, known, name: alike?.alias };
  // A sender who scanned the receiver's own screen is next to them.
  const isFirst = past?.isFirstTime === true && met === undefined;
  return isFirst ? { kind: 'first_time', seconds: past.warnedSeconds } : NONE;
}

interface WarningStep {
  readonly warning: RecipientWarning;
  /** Waits for a pending response. Resolves to whether it reveals a known address that this one resembles. */
  readonly findsLookAlike: () => Promise<boolean>;
}

export function useRecipientWarning(entered: Entered, contacts: readonly Contact[]): WarningStep {
  const { address } = entered;
  /** The address that the sender has confirmed as compared. */
  const [compared, setCompared] = useState<string>();
  const { past, isPending } = usePastSends(isAskedAbout(address, contacts) ? address : undefined);
  const judged = judgeRecipient(entered, contacts, past);
  const warning: RecipientWarning =
    judged.kind === 'look_alike'
      ? {
          ...judged,
          isCompared: compared === address,
          setCompared: (isCompared) => setCompared(isCompared ? address : undefined),
        }
      : judged;
  // Only a similar address stops the sender here: a first send is also reported after sending, and can then be undone for longer.
  const findsLookAlike = async (): Promise<boolean> =>
    isPending &&
    judged.kind !== 'look_alike' &&
    judgeRecipient(entered, contacts, await waitForPastSends(address)).kind === 'look_alike';
  return { warning, findsLookAlike };
}
