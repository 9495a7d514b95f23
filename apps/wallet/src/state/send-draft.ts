/**
 * What is being sent, between the steps of the send flow and over a reload (spec 3, "Recipient draft"). It belongs to the
 * account that wrote it.
 */
import { openDraft, type DraftStore } from '@athos/app-core/intents/draft';
import { storesByName } from '@athos/app-core/stores-by-name';
import { parseAth, TOKEN_ASSETS, type TokenAsset, type TokenUnits } from '@athos/domain/money';
import { useValue } from '@athos/app-core/value';
import { useLayoutEffect, useReducer } from 'react';
import { useUserUuid } from './current-user.ts';

export interface SendDraft {
  readonly asset: TokenAsset;
  /** As typed: `12.5`. Empty before anything was. */
  readonly paymentAmount: string;
  /** 'All' was pressed, and the amount not edited since. */
  readonly sendAll: boolean;
  /** US cents when the amount was entered, as digits; empty where they are not known. */
  readonly usd: string;
  /** The alias of the chosen contact; empty for a typed address. */
  readonly name: string;
  /** The receiver's uuid, or what was typed so far. */
  readonly address: string;
  /** A contact is chosen. */
  readonly active: boolean;
}

export const EMPTY_DRAFT: SendDraft = {
  asset: 'ATH',
  paymentAmount: '',
  sendAll: false,
  usd: '',
  name: '',
  address: '',
  active: false,
};

export const sendDraftKey = (userUuid: string): string => `send-draft:${userUuid}`;

/** In the asset's smallest unit; `undefined` while there is no amount. 0 counts as none (D-157). */
export function draftAmount(draft: SendDraft): TokenUnits | undefined {
  const amount = parseAth(draft.paymentAmount);
  return amount === undefined || amount === 0n ? undefined : amount;
}

const isSameSend = (left: SendDraft, right: SendDraft): boolean =>
  left.asset === right.asset &&
  left.address === right.address &&
  draftAmount(left) === draftAmount(right);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const parseDraft = (stored: Partial<Record<keyof SendDraft, unknown>>): SendDraft => ({
  asset: TOKEN_ASSETS.find((asset) => asset === stored.asset) ?? EMPTY_DRAFT.asset,
  paymentAmount: textOf(stored.paymentAmount),
  sendAll: stored.sendAll === true,
  usd: textOf(stored.usd),
  name: textOf(stored.name),
  address: textOf(stored.address),
  active: stored.active === true,
});

const drafts = storesByName<DraftStore<SendDraft>>();
const openSendDraft = (storageKey: string): DraftStore<SendDraft> =>
  openDraft(storageKey, { empty: EMPTY_DRAFT, parse: parseDraft, isSame: isSameSend });

/** The draft of one account. */
export const sendDraftOf = (userUuid: string): DraftStore<SendDraft> =>
  drafts.of(sendDraftKey(userUuid), openSendDraft);

export const closeSendDrafts = drafts.closeAll;

/** The signed-in user's draft, what became of it, and what changes it. */
export function useSendDraft() {
  const store = sendDraftOf(useUserUuid());
  const draft = useValue(store);
  const intent = useValue(store.intent);
  // That subscription begins some time after the screen is drawn. React would take back a digit typed before it, and `1.5`
  // would become `5`: this one begins with the first drawing.
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => store.subscribe(drawAgain), [store]);
  return { draft, intent, store };
}
