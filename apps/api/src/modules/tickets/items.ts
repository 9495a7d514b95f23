/** The state of a code's items for the scanner: redeemable, or why not. */
import type { ScannedItemState } from '@athos/contract/scanner/calls';
import { imageOf, presentPictureOf } from '../../platform/storage/stored-picture.ts';
import type { Holder, ItemRow, Venue } from './attempt-facts.sql.ts';

export interface ScannedItem {
  readonly id: number;
  readonly state: ScannedItemState;
  readonly row: ItemRow | undefined;
}

/** Titles vary little within a code, and the log is a list for people to read. */
const LOGGED_TITLES_MAX = 10;

/** The holder whose items are redeemed, and the venue. */
interface Handover {
  readonly holder: Holder;
  readonly venue: Venue;
}

/** Another user's item is reported like one that does not exist, and so are the items of a closed account. */
function stateOf(row: ItemRow | undefined, { holder, venue }: Handover): ScannedItemState {
  if (row === undefined || BigInt(row.user_id) !== holder.userId || holder.isClosed)
    return 'not_found';
  if (row.redeemed_at !== null) return 'already_redeemed';
  if (!row.active) return 'inactive';
  if (row.venue_ids?.includes(venue.id) === false) return 'wrong_venue';
  return 'redeemable';
}

/** The items in the order of `itemIds`, each with its state. */
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

/** The item in the response, in its state before this attempt. */
export const presentItem = ({ row }: ScannedItem) => ({
  title: row?.title ?? '',
  img: row === undefined ? '' : imageOf(row, row.img),
  picture: row === undefined ? null : presentPictureOf(row),
  redeemed_at: row?.redeemed_at ? new Date(row.redeemed_at).toISOString() : null,
  redeemed_venue: row?.redeemed_venue ?? null,
});

/** The summary of the items for the log. The outcome is `ok` if any can be redeemed, otherwise the state of the first. */
export const summarizeItems = (items: readonly ScannedItem[]) => ({
  outcome: items.some(({ state }) => state === 'redeemable') ? 'ok' : (items[0]?.state ?? 'ok'),
  itemCount: items.length,
  titles: [...new Set(items.flatMap(({ row }) => (row === undefined ? [] : [row.title])))].slice(
    0,
    LOGGED_TITLES_MAX,
  ),
});
