/** The catalogue as files: offers in the form that an import reads, and the categories to which they can refer. */
import type { ConsoleQueryOf } from '@athos/contract/console/calls';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Cell } from '../../../platform/files/csv.ts';
import { selectStaffCategories, type StaffCategoryRow } from '../catalogue/categories.sql.ts';
import { listedIds } from '../catalogue/offer-list.sql.ts';
import { offerStateOf, stateOf, type OfferState } from '../catalogue/read-offer.ts';
import { selectPriceWindows, selectStaffOffers } from '../catalogue/staff-offers.sql.ts';
import { FIELD_COLUMNS, fieldCells, TOLD_COLUMNS } from './offer-columns.ts';

export type OfferFilters = Pick<
  NonNullable<ConsoleQueryOf<'consoleOffers'>>,
  'state' | 'stock' | 'draft' | 'q'
> & { readonly category_id?: number | undefined; readonly merchant_id?: number | undefined };

/** The number of rows read at once. */
const CHUNK = 500;

export const OFFER_COLUMNS: readonly string[] = ['id', ...TOLD_COLUMNS, ...FIELD_COLUMNS];

export const listOffers = (
  db: Db | Tx,
  filters: OfferFilters,
  nowMs: number,
): Promise<readonly number[]> => listedIds(db, { ...filters, sort: 'newest' }, nowMs);

/** Reads all offers that match the filters in chunks, newest first. */
export async function* readOffers(
  db: Db,
  filters: OfferFilters,
  nowMs: number,
): AsyncIterable<readonly OfferState[]> {
  const ids = await listOffers(db, filters, nowMs);
  for (let at = 0; at < ids.length; at += CHUNK) {
    const chunk = ids.slice(at, at + CHUNK);
    const rows = new Map((await selectStaffOffers(db, chunk)).map((row) => [row.id, row]));
    const windows = Map.groupBy(await selectPriceWindows(db, chunk), ({ offer_id: id }) => id);
    yield chunk.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : offerStateOf(row, windows.get(id) ?? []);
    });
  }
}

const count = (value: number | null): Cell => (value === null ? null : { number: `${value}` });

/** An offer in the form that staff edit: with its unpublished changes, if any. */
export function offerCells({ row, fields, draft }: OfferState, nowMs: number): Cell[] {
  const edited = draft ?? fields;
  const told = {
    status: stateOf(row, nowMs),
    category: row.category_title,
    merchant: row.merchant_name,
    price_units: { number: edited.price },
    stock_left: count(row.stock_left),
  } satisfies Record<(typeof TOLD_COLUMNS)[number], Cell>;
  return [count(row.id), ...TOLD_COLUMNS.map((name) => told[name]), ...fieldCells(edited)];
}

export const CATEGORY_COLUMNS: readonly string[] = [
  'id',
  'parent_id',
  'position',
  'status',
  'title',
  'description',
  'display_type',
  'picture_id',
  'banner_url',
  'offers',
];

export const listCategories = (db: Db | Tx): Promise<StaffCategoryRow[]> =>
  selectStaffCategories(db);

export const categoryCells = (row: StaffCategoryRow): Cell[] => [
  count(row.id),
  count(row.parent_id),
  count(row.position),
  row.archived_at === null ? 'shown' : 'archived',
  row.title,
  row.description,
  row.display_type,
  row.picture_id,
  row.banner_url,
  count(row.offer_count),
];
