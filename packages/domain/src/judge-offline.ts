/**
 * What a scanner without a network makes of a code (decision 0068). Pure: whoever calls it has verified the signatures. A code that is not
 * valid is told before anything about its items, so that nobody learns from a forged code what was redeemed.
 */
import {
  OFFLINE_AHEAD_MS,
  OFFLINE_CODE_MS,
  PACK_HOURS_MAX,
  type Allowance,
} from './offline-log.ts';
import { parseSignedQr } from './qr-payload.ts';
import { parseTicketCode, ticketItemIds, type TicketCode } from './ticket-code.ts';

const HOUR_MS = 3_600_000;

export interface OfflineOffer {
  readonly title: string;
  readonly priceAthHundredths: number;
  readonly isActive: boolean;
}

/** What the server has told this scanner for this venue and the staff who are signed in. */
export interface OfflineList {
  /** By the server's clock. */
  readonly madeAtMs: number;
  /** By id: what is redeemed at the venue. */
  readonly offers: ReadonlyMap<number, OfflineOffer>;
  readonly endedTickets: ReadonlySet<number>;
  readonly spentItems: ReadonlySet<number>;
  /** Until when and how much may be redeemed; `undefined` for a device that may not. */
  readonly grant: (Allowance & { readonly untilMs: number }) | undefined;
}

export interface OfflineUse {
  readonly itemCount: number;
  readonly valueAthHundredths: number;
}

export interface OfflineFacts {
  /** By the server's clock, as well as the scanner knows it. */
  readonly nowMs: number;
  /** False after the clock was set: its time is worth nothing until the server answers. */
  readonly isClockRight: boolean;
  /** False if the log was changed by anybody but the app. */
  readonly isLogWhole: boolean;
  /** Absent if there is none for this venue and these staff. */
  readonly list: OfflineList | undefined;
  /** By item id: when this device redeemed it without a network. */
  readonly own: ReadonlyMap<number, number>;
  /** Items whose redemption was sent to the server, which has not answered. */
  readonly unsureItems: ReadonlySet<number>;
  /** Redeemed since the last entry that the server has. */
  readonly used: OfflineUse;
}

export type OfflineRefusal =
  | {
      readonly reason:
        | 'needs_network'
        | 'unreadable'
        | 'no_list'
        | 'not_allowed'
        | 'clock_changed'
        | 'log_changed'
        | 'not_genuine'
        | 'ticket_over'
        | 'ticket_ended'
        | 'limit'
        /** The browser did not keep the entry, so nothing was redeemed. */
        | 'not_kept';
    }
  | { readonly reason: 'list_too_old'; readonly madeAtMs: number }
  /** `seconds` between the code's time and this scanner's; negative if the code is ahead. */
  | { readonly reason: 'code_time'; readonly seconds: number };

export type OfflineItemState =
  | { readonly state: 'redeemable' | 'already_redeemed' | 'unsure' }
  | { readonly state: 'wrong_venue' | 'inactive' | 'above_limit' }
  | { readonly state: 'redeemed_here'; readonly atMs: number };

export type OfflineItem = OfflineItemState & {
  readonly id: number;
  /** Empty for an offer that is not redeemed here. */
  readonly title: string;
  readonly priceAthHundredths: number;
};

export type OfflineLook =
  | { readonly kind: 'refused'; readonly refusal: OfflineRefusal }
  /** `untilMs`: when this code is too old to redeem. */
  | { readonly kind: 'items'; readonly items: readonly OfflineItem[]; readonly untilMs: number };

export interface Signatures {
  readonly isTicketGenuine: boolean;
  readonly isShowingGenuine: boolean;
}

type Shape = { readonly code: TicketCode } | { readonly refusal: OfflineRefusal };

/** A ticket code, or why this text is none that can be judged without a network. */
export function shapeOf(text: string): Shape {
  const code = parseTicketCode(text);
  if (code !== undefined) return { code };
  const isSigned = parseSignedQr(text) !== undefined;
  return { refusal: { reason: isSigned ? 'needs_network' : 'unreadable' } };
}

export function judgeOffline(
  code: TicketCode,
  signatures: Signatures,
  facts: OfflineFacts,
): OfflineLook {
  const { list } = facts;
  const refusal = deviceRefusal(facts) ?? codeRefusal(code, signatures, facts);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  if (list === undefined) return { kind: 'refused', refusal: { reason: 'no_list' } };
  const items = itemsOf(code, list, facts);
  const redeemable = items.filter(({ state }) => state === 'redeemable');
  const isUsedUp =
    redeemable.length > 0 && !redeemable.some((item) => isWithin(facts.used, list.grant, [item]));
  return isUsedUp
    ? { kind: 'refused', refusal: { reason: 'limit' } }
    : { kind: 'items', items, untilMs: code.timeS * 1000 + OFFLINE_CODE_MS };
}

/** Why the chosen ones of these items may not be redeemed together. */
export const allowanceRefusal = (
  items: readonly OfflineItem[],
  { used, list }: Pick<OfflineFacts, 'used' | 'list'>,
): OfflineRefusal | undefined =>
  isWithin(used, list?.grant, items) ? undefined : { reason: 'limit' };

function deviceRefusal(facts: OfflineFacts): OfflineRefusal | undefined {
  const { list, nowMs } = facts;
  if (list === undefined) return { reason: 'no_list' };
  if (list.grant === undefined) return { reason: 'not_allowed' };
  if (!facts.isLogWhole) return { reason: 'log_changed' };
  if (!facts.isClockRight) return { reason: 'clock_changed' };
  const isOld = nowMs - list.madeAtMs > PACK_HOURS_MAX * HOUR_MS || nowMs > list.grant.untilMs;
  return isOld ? { reason: 'list_too_old', madeAtMs: list.madeAtMs } : undefined;
}

function codeRefusal(
  code: TicketCode,
  { isTicketGenuine, isShowingGenuine }: Signatures,
  { nowMs, list }: OfflineFacts,
): OfflineRefusal | undefined {
  const { validFromS, validHours, number } = code.content;
  if (!isTicketGenuine) return { reason: 'not_genuine' };
  const sinceBeginMs = nowMs - validFromS * 1000;
  if (sinceBeginMs < 0 || sinceBeginMs >= validHours * HOUR_MS) return { reason: 'ticket_over' };
  if (!isShowingGenuine) return { reason: 'not_genuine' };
  const ageMs = nowMs - code.timeS * 1000;
  if (ageMs > OFFLINE_CODE_MS || ageMs < -OFFLINE_AHEAD_MS) {
    return { reason: 'code_time', seconds: Math.round(ageMs / 1000) };
  }
  return list?.endedTickets.has(number) ? { reason: 'ticket_ended' } : undefined;
}

function itemsOf(
  { content, selection }: TicketCode,
  list: OfflineList,
  facts: OfflineFacts,
): OfflineItem[] {
  const ids = ticketItemIds(content);
  const offerIds = content.groups.flatMap(({ offerId, itemCount }) =>
    Array.from({ length: itemCount }, () => offerId),
  );
  return selection.map((index) => {
    const id = ids[index] ?? 0;
    const offer = list.offers.get(offerIds[index] ?? 0);
    const { title = '', priceAthHundredths = 0 } = offer ?? {};
    return { id, title, priceAthHundredths, ...stateOf(id, offer, list, facts) };
  });
}

function stateOf(
  id: number,
  offer: OfflineOffer | undefined,
  { spentItems, grant }: OfflineList,
  { own, unsureItems }: OfflineFacts,
): OfflineItemState {
  if (offer === undefined) return { state: 'wrong_venue' };
  if (!offer.isActive) return { state: 'inactive' };
  if (spentItems.has(id)) return { state: 'already_redeemed' };
  const atMs = own.get(id);
  if (atMs !== undefined) return { state: 'redeemed_here', atMs };
  if (unsureItems.has(id)) return { state: 'unsure' };
  const limit = grant?.itemValueMaxAthHundredths ?? 0;
  return { state: offer.priceAthHundredths > limit ? 'above_limit' : 'redeemable' };
}

function isWithin(
  used: OfflineUse,
  grant: Allowance | undefined,
  items: readonly Pick<OfflineItem, 'priceAthHundredths'>[],
): boolean {
  if (grant === undefined) return false;
  const value = items.reduce((sum, item) => sum + item.priceAthHundredths, used.valueAthHundredths);
  return used.itemCount + items.length <= grant.itemsMax && value <= grant.valueMaxAthHundredths;
}
