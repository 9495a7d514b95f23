/**
 * The draft of a send, kept between the steps of the send flow and over a reload (spec 3, "Recipient draft"). It
 * belongs to the account that entered it.
 */
import { openDraft, type DraftStore } from '@athos/app-core/intents/draft';
import { storesByName } from '@athos/app-core/stores-by-name';
import { parseAth, TOKEN_ASSETS, type TokenAsset, type TokenUnits } from '@athos/domain/money';
import { useValue } from '@athos/app-core/value';
import { useLayoutEffect, useReducer } from 'react';
import { useUserUuid } from './current-user.ts';

export interface SendDraft {
  readonly asset: TokenAsset;
  /** As typed: `12.5`. Empty until then. */
  readonly paymentAmount: string;
  /** 'All' was pressed, and the amount has not been edited since. */
  readonly sendAll: boolean;
  /** The value in US cents when the amount was entered, as digits; empty if unknown. */
  readonly usd: string;
  /** The alias of the chosen contact; empty for a typed address. */
  readonly name: string;
  /** The recipient's uuid, or the text typed so far. */
  readonly address: string;
  /** True if a contact is chosen. */
  readonly active: boolean;
  /** The signed code from which the address was scanned, unless it was entered in another way. */
  readonly met?: string | undefined;
  /** The note that the owner of the pay link wrote for its payers. */
  readonly asked?: string | undefined;
  /** The amount that the pay link asks for, as typed. It is sent only if it is `paymentAmount` as well. */
  readonly askedAmount?: string | undefined;
  /** The token of that amount. */
  readonly askedAsset?: TokenAsset | undefined;
  /** The sender was warned about the recipient or the amount. */
  readonly warned?: boolean | undefined;
}

/** A send that the server has made. */
export interface Sent {
  /** The end of the time in which it can be undone. Absent if the send has arrived. */
  readonly hold?: {
    readonly id: string;
    readonly atMs: number;
    /** The server says that the sender has never sent to this account before. */
    readonly isFirstTime: boolean;
  };
}

export const EMPTY_DRAFT: SendDraft = {
  asset: 'ATH',
  paymentAmount: '',
  sendAll: false,
  usd: '',
  name: '',
  address: '',
  active: false,
  met: undefined,
  asked: undefined,
  askedAmount: undefined,
  askedAsset: undefined,
  warned: undefined,
};

export const sendDraftKey = (userUuid: string): string => `send-draft:${userUuid}`;

/** The amount in the asset's smallest unit; `undefined` if there is none. 0 is treated as no amount (D-157). */
export function draftAmount(draft: SendDraft): TokenUnits | undefined {
  const amount = parseAth(draft.paymentAmount);
  return amount === undefined || amount === 0n ? undefined : amount;
}

const isSameSend = (left: SendDraft, right: SendDraft): boolean =>
  left.asset === right.asset &&
  left.address === right.address &&
  draftAmount(left) === draftAmount(right);

const assetOf = (value: unknown): TokenAsset | undefined =>
  TOKEN_ASSETS.find((asset) => asset === value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const parseDraft = (stored: Partial<Record<keyof SendDraft, unknown>>): SendDraft => ({
  asset: assetOf(stored.asset) ?? EMPTY_DRAFT.asset,
  paymentAmount: textOf(stored.paymentAmount),
  sendAll: stored.sendAll === true,
  usd: textOf(stored.usd),
  name: textOf(stored.name),
  address: textOf(stored.address),
  active: stored.active === true,
  met: textOf(stored.met) || undefined,
  asked: textOf(stored.asked) || undefined,
  askedAmount: textOf(stored.askedAmount) || undefined,
  askedAsset: assetOf(stored.askedAsset),
  warned: stored.warned === true || undefined,
});

const drafts = storesByName<DraftStore<SendDraft, Sent>>();
const openSendDraft = (storageKey: string): DraftStore<SendDraft, Sent> =>
  openDraft(storageKey, { empty: EMPTY_DRAFT, parse: parseDraft, isSame: isSameSend });

/** The draft of one account. */
export const sendDraftOf = (userUuid: string): DraftStore<SendDraft, Sent> =>
  drafts.of(sendDraftKey(userUuid), openSendDraft);

export const closeSendDrafts = drafts.closeAll;

/** Returns the signed-in user's draft, the state of its intent, and the store that changes both. */
export function useSendDraft() {
  const store = sendDraftOf(useUserUuid());
  const draft = useValue(store);
  const intent = useValue(store.intent);
  // `useValue` subscribes some time after the screen is drawn. React would undo a digit typed before that, and `1.5`
  // would become `5`. This subscription starts with the first render.
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => store.subscribe(drawAgain), [store]);
  return { draft, intent, store };
}
