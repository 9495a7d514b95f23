/** The draft of a tip through one offer. It belongs to the account that entered it. */
import { openDraft, type DraftStore } from '@athos/app-core/intents/draft';
import { storesByName } from '@athos/app-core/stores-by-name';
import { parseAth, type MicroAth } from '@athos/domain/money';

export interface TipDraft {
  /** ATH as typed: `2.5`. */
  readonly amount: string;
  /** Empty for an anonymous tip. */
  readonly from: string;
  readonly note: string;
}

export const EMPTY_TIP: TipDraft = { amount: '', from: '', note: '' };

const tipDraftKey = (userUuid: string, offerId: number): string =>
  `tip-draft:${userUuid}:${offerId}`;

/** Returns the amount; `undefined` if it is not above 0. */
export function tipAmount({ amount }: TipDraft): MicroAth | undefined {
  const parsed = parseAth(amount);
  return parsed === undefined || parsed === 0n ? undefined : parsed;
}

const isSameTip = (left: TipDraft, right: TipDraft): boolean =>
  tipAmount(left) === tipAmount(right) &&
  left.from.trim() === right.from.trim() &&
  left.note.trim() === right.note.trim();

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const parseTip = (stored: Partial<Record<keyof TipDraft, unknown>>): TipDraft => ({
  amount: textOf(stored.amount),
  from: textOf(stored.from),
  note: textOf(stored.note),
});

const drafts = storesByName<DraftStore<TipDraft>>();
const openTip = (storageKey: string): DraftStore<TipDraft> =>
  openDraft(storageKey, { empty: EMPTY_TIP, parse: parseTip, isSame: isSameTip });

/** The tip that one account is entering for one offer. */
export const tipDraftOf = (userUuid: string, offerId: number): DraftStore<TipDraft> =>
  drafts.of(tipDraftKey(userUuid, offerId), openTip);

export const closeTipDrafts = drafts.closeAll;
