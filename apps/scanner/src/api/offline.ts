/**
 * Looks at and redeems ticket codes without a network (decision 0068). What counts is read from the disk each time, because another tab may
 * have redeemed meanwhile, and an entry is only added to the end of the log that was judged.
 */
import {
  allowanceRefusal,
  judgeOffline,
  shapeOf,
  type OfflineFacts,
  type OfflineItem,
  type OfflineList,
  type OfflineLook,
  type OfflineRefusal,
} from '@athos/domain/judge-offline';
import type { TicketCode } from '@athos/domain/ticket-code';
import { isClockRight, offlineNowMs } from '../state/offline-clock.ts';
import { isLogWhole, signEntry } from '../state/offline-log.ts';
import {
  addEntry,
  readKept,
  readLists,
  type Kept,
  type KeptLists,
  type KeptPack,
} from '../state/offline-store.ts';
import { unsureItems } from '../state/unsure-items.ts';
import { verifyTicketCode } from '../state/verify-ticket.ts';

/** Who redeems where. */
export interface Post {
  readonly staffUuid: string;
  readonly venueId: number;
}

export type OfflineRedemption =
  | { readonly kind: 'redeemed'; readonly items: readonly OfflineItem[] }
  | { readonly kind: 'refused'; readonly refusal: OfflineRefusal }
  /** An item is not redeemable any more: another tab was faster, or the server's list has changed. */
  | { readonly kind: 'changed' };

/** Tabs of one device that redeem at the same time. Each attempt loses only to one that succeeded. */
const ATTEMPTS_MAX = 10;

/** Sets of the long lists, which do not change between two renewals. */
let remembered: { readonly lists: KeptLists; readonly sets: ListSets } | undefined;
type ListSets = Pick<OfflineList, 'endedTickets' | 'spentItems'>;

/** The next list may be of other staff. */
export const forgetLists = (): void => void (remembered = undefined);

async function setsOf(madeAtMs: number): Promise<ListSets | undefined> {
  if (remembered?.lists.madeAtMs === madeAtMs) return remembered.sets;
  const lists = await readLists();
  if (lists?.madeAtMs !== madeAtMs) return undefined;
  const sets = { endedTickets: new Set(lists.endedTickets), spentItems: new Set(lists.spentItems) };
  remembered = { lists, sets };
  return sets;
}

async function listOf({ pack, head }: Kept, post: Post): Promise<OfflineList | undefined> {
  if (pack?.staffUuid !== post.staffUuid || pack.venueId !== post.venueId) return undefined;
  // Somebody has put an older one back.
  if (pack.madeAtMs !== head?.listMadeAtMs) return undefined;
  const sets = await setsOf(pack.madeAtMs);
  if (sets === undefined) return undefined;
  const offers = new Map(pack.offers.map(({ id, ...offer }) => [id, offer]));
  return { madeAtMs: pack.madeAtMs, offers, ...sets, grant: grantOf(pack) };
}

const grantOf = ({ isSuspect, grant }: KeptPack) => (isSuspect ? undefined : grant);

/** What was redeemed since the last entry that the server has. */
export const usedOf = ({ entries }: Pick<Kept, 'entries'>) => ({
  itemCount: entries.reduce((sum, { items }) => sum + items.length, 0),
  valueAthHundredths: entries
    .flatMap(({ items }) => items)
    .reduce((sum, { priceAthHundredths }) => sum + priceAthHundredths, 0),
});

/** When this device redeemed what the server does not know of. */
const ownRedemptions = ({ entries }: Pick<Kept, 'entries'>): ReadonlyMap<number, number> =>
  new Map(entries.flatMap(({ itemIds, atMs }) => itemIds.map((id) => [id, atMs])));

/** For a code that the server has judged. A browser that gives nothing back does not stop redeeming online. */
export const readOwnRedemptions = (): Promise<ReadonlyMap<number, number>> =>
  readKept().then(ownRedemptions, () => new Map());

async function factsOf(kept: Kept, post: Post): Promise<OfflineFacts> {
  const list = await listOf(kept, post);
  return {
    // The clock may be set back a little. An entry is never before the last one, and is judged by the time that it gets.
    nowMs: Math.max(offlineNowMs(kept), kept.head?.atMs ?? 0),
    isClockRight: isClockRight(kept),
    isLogWhole: await isLogWhole(kept),
    list,
    own: ownRedemptions(kept),
    unsureItems: unsureItems(list?.madeAtMs ?? 0),
    used: usedOf(kept),
  };
}

async function judge(code: TicketCode, kept: Kept, post: Post) {
  const signatures = await verifyTicketCode(code, kept.pack?.keys ?? []);
  // After the signatures, so that the time is the one of the verdict.
  const facts = await factsOf(kept, post);
  return { facts, look: judgeOffline(code, signatures, facts) };
}

export interface OfflineScan {
  readonly look: OfflineLook;
  /** The first group of the holder's address; empty for a code that cannot be read. */
  readonly holder: string;
  /** How long the code can still be redeemed. */
  readonly leftMs: number;
}

/** What a code holds, as far as this device knows. Changes nothing. */
export async function lookOffline(text: string, post: Post): Promise<OfflineScan> {
  const shape = shapeOf(text);
  if ('refusal' in shape) {
    return { look: { kind: 'refused', refusal: shape.refusal }, holder: '', leftMs: 0 };
  }
  const { look, facts } = await judge(shape.code, await readKept(), post);
  const leftMs = look.kind === 'items' ? look.untilMs - facts.nowMs : 0;
  return { look, holder: shape.code.content.holder, leftMs };
}

/** Redeems these items of a code, all or none. When this resolves, the entry is on the disk. */
export async function redeemOffline(
  text: string,
  itemIds: readonly number[],
  post: Post,
  scanId: string,
): Promise<OfflineRedemption> {
  const shape = shapeOf(text);
  if ('refusal' in shape) return { kind: 'refused', refusal: shape.refusal };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const kept = await readKept();
    const { look, facts } = await judge(shape.code, kept, post);
    if (look.kind === 'refused') return look;
    const items = look.items.filter(({ id }) => itemIds.includes(id));
    const isWhole = items.length === itemIds.length && items.length > 0;
    if (!isWhole || items.some(({ state }) => state !== 'redeemable')) return { kind: 'changed' };
    const refusal = allowanceRefusal(items, facts);
    if (refusal !== undefined) return { kind: 'refused', refusal };
    const { device, head } = kept;
    if (device === undefined || head === undefined) {
      return { kind: 'refused', refusal: { reason: 'no_list' } };
    }
    const entry = {
      deviceId: device.deviceId,
      seq: head.seq + 1,
      previousHash: head.hash,
      atMs: facts.nowMs,
      ...post,
      code: text,
      itemIds: items.map(({ id }) => id).toSorted((one, other) => one - other),
    };
    const signed = await signEntry(entry, device);
    const noted = items.map(({ id, title, priceAthHundredths }) => ({
      id,
      title,
      priceAthHundredths,
    }));
    if (await addEntry({ ...entry, ...signed, scanId, items: noted }, head)) {
      return { kind: 'redeemed', items };
    }
  }
  return { kind: 'changed' };
}
