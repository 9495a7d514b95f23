import type { ScannedItemState } from '@athos/contract/scanner/calls';
import { imageOf, presentPictureOf } from '../../platform/storage/stored-picture.ts';
import type { ItemRow } from './items.sql.ts';
import type { Holder, Venue } from './staff.sql.ts';

export interface ScannedItem {
  readonly id: number;
  readonly state: ScannedItemState;
  readonly row: ItemRow | undefined;
}

/** Titles differ little within a code, and the log is a list to look through. */
const LOGGED_TITLES_MAX = 10;

/** For whom and where items are redeemed. */
interface Handover {
  readonly holder: Holder;
  readonly venue: Venue;
}

/** Another's item is told of no more than one that does not exist. A closed account has nothing to redeem. */
function stateOf(row: ItemRow | undefined, { holder, venue }: Handover): ScannedItemState {
  if (row === undefined || BigInt(row.user_id) !== holder.userId || holder.isClosed)
    return 'not_found';
  if (row.redeemed_at !== null) return 'already_redeemed';
  if (!row.active) return 'inactive';
  if (row.venue_ids?.includes(venue.id) === false) return 'wrong_venue';
  return 'redeemable';
}

/** The items of `itemIds`, in that order, each with its state. */
export function judgeItems(
  itemIds: readonly number[],
  rows: readonly ItemRow[],
  handover: Handover,
): readonly ScannedItem[] {
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return itemIds.map((id) => {
    const row = rowOf.get(id);
    const state = stateOf(row, handover);
    return { id, state, row: state === 'not_found' ? undefined : row };
  });
}

/** On the wire, as it was before anything happened to it now. */
export const presentItem = ({ row }: ScannedItem) => ({
  title: row?.title ?? '',
  img: row === undefined ? '' : imageOf(row, row.img),
  picture: row === undefined ? null : presentPictureOf(row),
  redeemed_at: row?.redeemed_at ? new Date(row.redeemed_at).toISOString() : null,
  redeemed_venue: row?.redeemed_venue ?? null,
});

/** What the log keeps of items: the outcome is `ok` where one can be redeemed, else what stands against the first. */
export const summarizeItems = (items: readonly ScannedItem[]) => ({
  outcome: items.some(({ state }) => state === 'redeemable') ? 'ok' : (items[0]?.state ?? 'ok'),
  itemCount: items.length,
  titles: [...new Set(items.flatMap(({ row }) => (row === undefined ? [] : [row.title])))].slice(
    0,
    LOGGED_TITLES_MAX,
  ),
});
