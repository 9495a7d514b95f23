/**
 * Judges and redeems ticket codes without a network (decision 0068). The stored state is read anew each time, because another tab may have
 * redeemed meanwhile, and an entry is added only if the log still ends where it did when the code was judged.
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

/** The member of staff who redeems, and the venue. */
export interface Post {
  readonly staffUuid: string;
  readonly venueId: number;
}

export type OfflineRedemption =
  | { readonly kind: 'redeemed'; readonly items: readonly OfflineItem[] }
  | { readonly kind: 'refused'; readonly refusal: OfflineRefusal }
  /** An item is not redeemable any more: another tab was faster, or the server's list has changed. */
  | { readonly kind: 'changed' };

/** The number of tabs of one device that may redeem at the same time. Each failed attempt means that another tab succeeded. */
const ATTEMPTS_MAX = 10;

/** The long lists as sets. They do not change between two renewals. */
let remembered: { readonly lists: KeptLists; readonly sets: ListSets } | undefined;
type ListSets = Pick<OfflineList, 'endedTickets' | 'spentItems'>;

/** Called when staff or venue change, because the next list may be for other staff. */
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
  // An older list was put back, which may be an attempt to hide redemptions.
  if (pack.madeAtMs !== head?.listMadeAtMs) return undefined;
  const sets = await setsOf(pack.madeAtMs);
  if (sets === undefined) return undefined;
  const offers = new Map(pack.offers.map(({ id, ...offer }) => [id, offer]));
  return { madeAtMs: pack.madeAtMs, offers, ...sets, grant: grantOf(pack) };
}

const grantOf = ({ isSuspect, grant }: KeptPack) => (isSuspect ? undefined : grant);

/** The count and the value of the redemptions that the server does not have yet. */
export const usedOf = ({ entries }: Pick<Kept, 'entries'>) => ({
  itemCount: entries.reduce((sum, { items }) => sum + items.length, 0),
  valueAthHundredths: entries
    .flatMap(({ items }) => items)
    .reduce((sum, { priceAthHundredths }) => sum + priceAthHundredths, 0),
});

/** The time of each redemption by this device that the server does not know of, by item. */
const ownRedemptions = ({ entries }: Pick<Kept, 'entries'>): ReadonlyMap<number, number> =>
  new Map(entries.flatMap(({ itemIds, atMs }) => itemIds.map((id) => [id, atMs])));

/** For a code that the server has judged. A browser that cannot read its storage can still redeem online. */
export const readOwnRedemptions = (): Promise<ReadonlyMap<number, number>> =>
  readKept().then(ownRedemptions, () => new Map());

async function factsOf(kept: Kept, post: Post): Promise<OfflineFacts> {
  const list = await listOf(kept, post);
  return {
    // The clock may have been set back a little. An entry is never earlier than the previous one, and is judged by its own time.
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
  // Determined after the signatures, so that the time is that of the verdict.
  const facts = await factsOf(kept, post);
  return { facts, look: judgeOffline(code, signatures, facts) };
}

export interface OfflineScan {
  readonly look: OfflineLook;
  /** The first group of the holder's address; empty for a code that cannot be read. */
  readonly holder: string;
  /** The time left to redeem the code. */
  readonly leftMs: number;
}

/** The content of a code, as far as this device knows. Changes nothing. */
export async function lookOffline(text: string, post: Post): Promise<OfflineScan> {
  const shape = shapeOf(text);
  if ('refusal' in shape) {
    return { look: { kind: 'refused', refusal: shape.refusal }, holder: '', leftMs: 0 };
  }
  const { look, facts } = await judge(shape.code, await readKept(), post);
  const leftMs = look.kind === 'items' ? look.untilMs - facts.nowMs : 0;
  return { look, holder: shape.code.content.holder, leftMs };
}

/** Redeems these items of a code, all or none. Once this resolves, the entry is on disk. */
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
