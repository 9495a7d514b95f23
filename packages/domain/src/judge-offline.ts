/**
 * The verdict of a scanner without a network on a code (decision 0068). Pure: the caller has verified the signatures. The validity of a
 * code is judged before its items, so that a forged code reveals nothing about what was redeemed.
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

/** Data from the server for this scanner, this venue and the staff who are signed in. */
export interface OfflineList {
  /** By the server's clock. */
  readonly madeAtMs: number;
  /** The offers that can be redeemed at the venue, by id. */
  readonly offers: ReadonlyMap<number, OfflineOffer>;
  readonly endedTickets: ReadonlySet<number>;
  readonly spentItems: ReadonlySet<number>;
  /** The allowance and its end; `undefined` for a device that may redeem nothing. */
  readonly grant: (Allowance & { readonly untilMs: number }) | undefined;
}

export interface OfflineUse {
  readonly itemCount: number;
  readonly valueAthHundredths: number;
}

export interface OfflineFacts {
  /** By the server's clock, as far as the scanner knows it. */
  readonly nowMs: number;
  /** False after the clock was changed: its time cannot be trusted until the server responds. */
  readonly isClockRight: boolean;
  /** False if the log was tampered with. */
  readonly isLogWhole: boolean;
  /** Absent if there is none for this venue and these staff. */
  readonly list: OfflineList | undefined;
  /** The times of this device's own redemptions without a network, by item id. */
  readonly own: ReadonlyMap<number, number>;
  /** Items whose redemption was sent to the server without a response. */
  readonly unsureItems: ReadonlySet<number>;
  /** The amount redeemed since the last entry that the server has. */
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
        /** The browser failed to store the entry, so nothing was redeemed. */
        | 'not_kept';
    }
  | { readonly reason: 'list_too_old'; readonly madeAtMs: number }
  /** `seconds` between the code's time and the scanner's; negative if the code is ahead. */
  | { readonly reason: 'code_time'; readonly seconds: number };

export type OfflineItemState =
  | { readonly state: 'redeemable' | 'already_redeemed' | 'unsure' }
  | { readonly state: 'wrong_venue' | 'inactive' | 'above_limit' }
  | { readonly state: 'redeemed_here'; readonly atMs: number };

export type OfflineItem = OfflineItemState & {
  readonly id: number;
  /** Empty for an offer that cannot be redeemed here. */
  readonly title: string;
  readonly priceAthHundredths: number;
};

export type OfflineLook =
  | { readonly kind: 'refused'; readonly refusal: OfflineRefusal }
  /** `untilMs`: the time after which this code is too old to redeem. */
  | { readonly kind: 'items'; readonly items: readonly OfflineItem[]; readonly untilMs: number };

export interface Signatures {
  readonly isTicketGenuine: boolean;
  readonly isShowingGenuine: boolean;
}

type Shape = { readonly code: TicketCode } | { readonly refusal: OfflineRefusal };

/** A ticket code, or the reason why this text cannot be judged without a network. */
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

/** The reason why the chosen items may not be redeemed together. */
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
