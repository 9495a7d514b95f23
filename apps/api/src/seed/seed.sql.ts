import { sql } from 'kysely';
import type { Tx } from '../platform/database/database.ts';
import {
  categoryRows,
  demoOfferVenues,
  demoVenues,
  offerRows,
  type CatalogueContext,
} from './demo-catalogue.ts';
import { demoTiers } from './demo-tiers.ts';

/** Inserts the missing rows of the catalogue. Existing ones are kept, so that a second start preserves changes. */
export async function insertCatalogue(tx: Tx, context: CatalogueContext): Promise<void> {
  // Tiers are inserted all together or not at all: staff may have removed one, and thresholds have an order.
  if ((await tx.selectFrom('tiers').select('id').executeTakeFirst()) === undefined) {
    await tx
      .insertInto('tiers')
      .values([...demoTiers])
      .execute();
  }
  await tx
    .insertInto('categories')
    .values(categoryRows(context))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const newOffers = await tx
    .insertInto('offers')
    .values(offerRows(context))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  await insertVenues(
    tx,
    newOffers.map(({ id }) => id),
  );
  await updateDrawings(tx, context);
}

/** Inserts the venues. Binds only new offers to them, so that a removed binding does not come back. */
async function insertVenues(tx: Tx, newOfferIds: readonly number[]): Promise<void> {
  await tx
    .insertInto('venues')
    .values(demoVenues.map(({ name, address }) => ({ name, address })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const bindings = demoOfferVenues
    .filter(({ offerId }) => newOfferIds.includes(offerId))
    .map(({ offerId, venue }) => ({ offerId, name: demoVenues[venue]?.name ?? '' }));
  for (const { offerId, name } of bindings) {
    await tx
      .insertInto('offer_venues')
      .columns(['offer_id', 'venue_id'])
      .expression(
        tx
          .selectFrom('venues')
          .select([sql<number>`${offerId}::integer`.as('offer_id'), 'id'])
          .where('name', '=', name),
      )
      .execute();
  }
}

/** Assigns pictures to rows of older demos, which still refer to drawings that the wallet no longer contains. */
async function updateDrawings(tx: Tx, context: CatalogueContext): Promise<void> {
  const drawnCategories = await tx
    .selectFrom('categories')
    .select('id')
    .where('picture_id', 'is', null)
    .where('banner_url', 'like', '/art/%')
    .execute();
  for (const { id, picture_id: pictureId, banner_url: url } of categoryRows(context)) {
    if (!drawnCategories.some((drawn) => drawn.id === id)) continue;
    await tx
      .updateTable('categories')
      .set({ picture_id: pictureId ?? null, banner_url: url })
      .where('id', '=', id)
      .execute();
  }
  const drawnOffers = await tx
    .selectFrom('offers')
    .select('id')
    .where('picture_id', 'is', null)
    .where('img', 'like', '/art/%')
    .execute();
  for (const { id, picture_id: pictureId, img } of offerRows(context)) {
    if (!drawnOffers.some((drawn) => drawn.id === id)) continue;
    await tx
      .updateTable('offers')
      .set({ picture_id: pictureId ?? null, img })
      .where('id', '=', id)
      .execute();
  }
}

/** Makes the user staff of the demo's venues. A revoked binding still has its row, so it is not restored. */
export async function insertStaff(tx: Tx, userId: bigint): Promise<void> {
  const names = demoVenues.filter(({ hasStaff }) => hasStaff).map(({ name }) => name);
  await tx
    .insertInto('venue_staff')
    .columns(['venue_id', 'user_id'])
    .expression(
      tx
        .selectFrom('venues')
        .select(['id', sql<bigint>`${userId}::bigint`.as('user_id')])
        .where('name', 'in', names),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateRole(
  tx: Tx,
  userId: bigint,
  role: 'user' | 'scanner' | 'operator',
): Promise<void> {
  await tx.updateTable('users').set({ role }).where('id', '=', userId).execute();
}
