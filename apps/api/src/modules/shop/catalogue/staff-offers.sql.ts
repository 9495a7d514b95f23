/** Offers as staff edit them: their fields, drafts, prices and versions. */
import { sql, type Updateable } from 'kysely';
import type { OfferFields } from '@athos/contract/console/offer-fields';
import {
  athHundredths,
  microAthFromHundredths,
  wholeHundredths,
  parseUnits,
} from '@athos/domain/money';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import { PICTURE_COLUMNS } from '../pictures/pictures.sql.ts';

const staffOffers = (db: Db | Tx) =>
  db
    .selectFrom('offers')
    .innerJoin('categories', 'categories.id', 'offers.category_id')
    .leftJoin('pictures', 'pictures.id', 'offers.picture_id')
    .leftJoin('merchants', 'merchants.id', 'offers.merchant_id')
    .leftJoin('offer_drafts as draft', 'draft.offer_id', 'offers.id')
    .selectAll('offers')
    .select(PICTURE_COLUMNS)
    .select([
      'categories.title as category_title',
      'merchants.name as merchant_name',
      'draft.fields as draft_fields',
      'draft.saved_by as draft_saved_by',
      'draft.saved_at as draft_saved_at',
    ]);

export type StaffOfferRow = Awaited<ReturnType<ReturnType<typeof staffOffers>['execute']>>[number];

export const selectStaffOffer = (db: Db | Tx, id: number): Promise<StaffOfferRow | undefined> =>
  staffOffers(db).where('offers.id', '=', id).executeTakeFirst();

export const selectStaffOffers = (db: Db, ids: readonly number[]): Promise<StaffOfferRow[]> =>
  staffOffers(db)
    .where('offers.id', '=', sql<number>`any(${ids}::integer[])`)
    .execute();

/** The name of the member of staff who saved a draft. */
export const selectSaver = (db: Db | Tx, staffId: string) =>
  db.selectFrom('staff').select(['id', 'name']).where('id', '=', staffId).executeTakeFirstOrThrow();

export const selectPriceWindows = (db: Db | Tx, offerIds: readonly number[]) =>
  db
    .selectFrom('offer_prices')
    .selectAll()
    .where('offer_id', '=', sql<number>`any(${offerIds}::integer[])`)
    .orderBy('starts_at')
    .execute();
type PriceWindowRow = Awaited<ReturnType<typeof selectPriceWindows>>[number];

const unitsOf = (price: number): string => microAthFromHundredths(athHundredths(price)).toString();

function hundredthsOf(text: string): number {
  const price = wholeHundredths(parseUnits(text));
  invariant(price !== undefined, 'the contract lets only whole hundredths through');
  return price;
}

/** The published fields of an offer, or the saved ones if it was never published. */
export const fieldsOf = (row: StaffOfferRow, windows: readonly PriceWindowRow[]): OfferFields => ({
  category_id: row.category_id,
  title: row.title,
  note: row.note,
  img: row.img,
  picture_id: row.picture_id,
  kind: row.kind,
  display_type: row.display_type,
  price: unitsOf(row.price_ath_hundredths),
  price_windows: windows.map((window) => ({
    price: unitsOf(window.price_ath_hundredths),
    starts_at: window.starts_at.toISOString(),
    ends_at: window.ends_at.toISOString(),
  })),
  sale_starts_at: row.sale_starts_at?.toISOString() ?? null,
  sale_ends_at: row.sale_ends_at?.toISOString() ?? null,
  user_count_max: row.user_count_max,
  tier_id_min: row.tier_id_min,
  merchant_id: row.merchant_id,
});

const columnsOf = ({ price, price_windows: _windows, ...fields }: OfferFields) => ({
  ...fields,
  price_ath_hundredths: hundredthsOf(price),
  sale_starts_at: fields.sale_starts_at === null ? null : new Date(fields.sale_starts_at),
  sale_ends_at: fields.sale_ends_at === null ? null : new Date(fields.sale_ends_at),
});

/** Replaces the price windows. The table refuses those that overlap. */
async function replacePrices(
  tx: Tx,
  offerId: number,
  windows: OfferFields['price_windows'],
): Promise<void> {
  await tx.deleteFrom('offer_prices').where('offer_id', '=', offerId).execute();
  if (windows.length === 0) return;
  await tx
    .insertInto('offer_prices')
    .values(
      windows.map((window) => ({
        offer_id: offerId,
        price_ath_hundredths: hundredthsOf(window.price),
        starts_at: new Date(window.starts_at),
        ends_at: new Date(window.ends_at),
      })),
    )
    .execute();
}

/** Inserts a draft as the last offer of its category and returns its id. The caller holds the lock of the catalogue. */
export async function insertOffer(tx: Tx, fields: OfferFields): Promise<number> {
  const { id } = await tx
    .insertInto('offers')
    .values({
      ...columnsOf(fields),
      id: sql<number>`(select coalesce(max(id), 0) + 1 from offers)`,
      position: sql<number>`(select coalesce(max(position), 0) + 1 from offers
        where category_id = ${fields.category_id}::integer)`,
      is_draft: true,
      active: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await replacePrices(tx, id, fields.price_windows);
  return id;
}

/** Locks the offer against other changes by staff and against purchases of limited stock. Returns whether it exists. */
export async function lockOffer(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('offers')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Changes an offer and increments its version. */
export async function updateOffer(
  tx: Tx,
  id: number,
  change: Updateable<Tables['offers']> = {},
): Promise<void> {
  await tx
    .updateTable('offers')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function updateFields(
  tx: Tx,
  id: number,
  { fields, ...change }: Updateable<Tables['offers']> & { readonly fields: OfferFields },
): Promise<void> {
  await updateOffer(tx, id, { ...columnsOf(fields), ...change });
  await replacePrices(tx, id, fields.price_windows);
}

export async function upsertDraft(
  tx: Tx,
  draft: { offerId: number; fields: OfferFields; savedBy: string; at: Date },
): Promise<void> {
  const saved = {
    fields: JSON.stringify(draft.fields),
    saved_by: draft.savedBy,
    saved_at: draft.at,
  };
  await tx
    .insertInto('offer_drafts')
    .values({ offer_id: draft.offerId, ...saved })
    .onConflict((conflict) => conflict.column('offer_id').doUpdateSet(saved))
    .execute();
}

export async function deleteDraft(tx: Tx, offerId: number): Promise<void> {
  await tx.deleteFrom('offer_drafts').where('offer_id', '=', offerId).execute();
}

/** The request to publish that waits for a vote. */
export async function selectPublishRequest(db: Db | Tx, offerId: number): Promise<string | null> {
  const row = await db
    .selectFrom('approvals')
    .select('id')
    .where('action', '=', 'offer.publish')
    .where('subject_id', '=', `${offerId}`)
    .where('state', '=', 'pending')
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
