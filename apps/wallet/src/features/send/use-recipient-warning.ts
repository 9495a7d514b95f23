import { isUuid } from '@athos/domain/uuid';
import { looksLike } from '@athos/domain/look-alike';
import { useState } from 'react';
import { usePastSends, waitForPastSends, type PastSends } from '../../api/past-sends.ts';
import type { Contact } from '../../state/contacts.ts';
import type { SendDraft } from '../../state/send-draft.ts';

interface LookAlike {
  readonly kind: 'look_alike';
  readonly address: string;
  /** An address that the sender knows, and that this one resembles. */
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
      /** For how long the send can be undone; `undefined` if that is not known. */
      readonly seconds: number | undefined;
    }
  | LookAlike;

const NONE = { kind: 'none' } as const;

type Entered = Pick<SendDraft, 'address' | 'met'>;

const isContactOf = (contacts: readonly Contact[], address: string): boolean =>
  contacts.some((contact) => contact.address === address);

/** Whether the server is asked about an address: known are the contacts, and whoever the sender has sent to. */
const isAskedAbout = (address: string, contacts: readonly Contact[]): boolean =>
  isUuid(address) && !isContactOf(contacts, address);

type Judged =
  Exclude<RecipientWarning, { kind: 'look_alike' }> | Omit<LookAlike, 'isCompared' | 'setCompared'>;

/** What is to be said of an address. Without an answer of the server only contacts are known. */
function judgeRecipient(
  { address, met }: Entered,
  contacts: readonly Contact[],
  past: PastSends | undefined,
): Judged {
  if (!isAskedAbout(address, contacts) || past?.isFirstTime === false) return NONE;
  const alike = contacts.find((contact) => looksLike(contact.address, address));
  const known = alike?.address ?? past?.looksLike;
  if (known !== undefined) return { kind: 'look_alike', address, known, name: alike?.alias };
  // Whoever scanned the receiver's own screen stands beside them.
  const isFirst = past?.isFirstTime === true && met === undefined;
  return isFirst ? { kind: 'first_time', seconds: past.warnedSeconds } : NONE;
}

interface WarningStep {
  readonly warning: RecipientWarning;
  /** Waits for an answer that is on its way. Resolves to whether it has brought an address to compare with, before anything else. */
  readonly hasNews: () => Promise<boolean>;
}

export function useRecipientWarning(entered: Entered, contacts: readonly Contact[]): WarningStep {
  const { address } = entered;
  /** The address that the sender has compared with the person. */
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
  // That somebody is new is said once more after the send, which can be undone for longer.
  const hasNews = async (): Promise<boolean> =>
    isPending &&
    judged.kind !== 'look_alike' &&
    judgeRecipient(entered, contacts, await waitForPastSends(address)).kind === 'look_alike';
  return { warning, hasNews };
}
