/** An offer as the console shows it. */
import { offerFields, type OfferFields } from '@athos/contract/console/offer-fields';
import { offerState } from '@athos/domain/offer-availability';
import { parseUnits } from '@athos/domain/money';
import { priceAt } from '@athos/domain/price-windows';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { presentPictureOf } from '../../../platform/storage/stored-picture.ts';
import { joinedColumns, selectPicture } from '../pictures/pictures.sql.ts';
import { readStock } from '../stock/read-stock.ts';
import {
  fieldsOf,
  selectPriceWindows,
  selectPublishRequest,
  selectSaver,
  selectStaffOffer,
  type StaffOfferRow,
} from './staff-offers.sql.ts';

export const stateOf = (
  row: Pick<
    StaffOfferRow,
    'is_draft' | 'active' | 'stock_left' | 'sale_starts_at' | 'sale_ends_at'
  >,
  nowMs: number,
) =>
  offerState(
    {
      isDraft: row.is_draft,
      isActive: row.active,
      stockLeft: row.stock_left,
      saleStartsAtMs: row.sale_starts_at?.getTime() ?? null,
      saleEndsAtMs: row.sale_ends_at?.getTime() ?? null,
    },
    nowMs,
  );

export const isStockLow = (row: Pick<StaffOfferRow, 'stock_left' | 'stock_alert_max'>): boolean =>
  row.stock_left !== null && row.stock_alert_max !== null && row.stock_left <= row.stock_alert_max;

/** The prices in the fields, for the rules of price windows. */
export const pricesOf = ({ price, price_windows: windows }: OfferFields) => ({
  price: BigInt(parseUnits(price)),
  windows: windows.map((window) => ({
    price: BigInt(parseUnits(window.price)),
    startsAtMs: Date.parse(window.starts_at),
    endsAtMs: Date.parse(window.ends_at),
  })),
});

export const priceNow = (fields: OfferFields, nowMs: number): string =>
  priceAt(pricesOf(fields), nowMs).toString();

export interface OfferState {
  readonly row: StaffOfferRow;
  /** The published fields, or the saved ones if the offer was never published. */
  readonly fields: OfferFields;
  /** Changes that are not published yet. */
  readonly draft: OfferFields | undefined;
}

/** Throws `not_found`. */
export async function readOffer(db: Db | Tx, id: number): Promise<OfferState> {
  const row = await selectStaffOffer(db, id);
  if (row === undefined) throw new AppError('not_found');
  return offerStateOf(row, await selectPriceWindows(db, [id]));
}

export function offerStateOf(
  row: StaffOfferRow,
  windows: Parameters<typeof fieldsOf>[1],
): OfferState {
  const draft = row.draft_fields === null ? undefined : offerFields.parse(row.draft_fields);
  return { row, fields: fieldsOf(row, windows), draft };
}

async function pictureOf(db: Db | Tx, pictureId: string | null) {
  const picture = pictureId === null ? undefined : await selectPicture(db, pictureId);
  return picture === undefined ? null : presentPictureOf(joinedColumns(picture));
}

async function presentDraft(db: Db | Tx, { row, draft }: OfferState) {
  if (draft === undefined || row.draft_saved_by === null || row.draft_saved_at === null)
    return null;
  return {
    fields: draft,
    picture: await pictureOf(db, draft.picture_id),
    saved_by: await selectSaver(db, row.draft_saved_by),
    saved_at: row.draft_saved_at.toISOString(),
  };
}

/** Throws `not_found`. */
export async function presentOffer({ clock }: { readonly clock: Clock }, db: Db | Tx, id: number) {
  const offer = await readOffer(db, id);
  const { row, fields } = offer;
  const nowMs = clock.nowMs();
  return {
    id,
    version: row.version,
    state: stateOf(row, nowMs),
    price_now: priceNow(fields, nowMs),
    category_title: row.category_title,
    merchant_name: row.merchant_name,
    fields,
    picture: presentPictureOf(row),
    draft: await presentDraft(db, offer),
    request_id: await selectPublishRequest(db, id),
    stock: { ...(await readStock(db, row)), is_low: isStockLow(row) },
  };
}
