import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database.ts';
import type { PictureColumns } from '../../platform/stored-picture.ts';

export interface ItemRow extends PictureColumns {
  readonly id: bigint;
  readonly user_id: bigint;
  readonly title: string;
  readonly img: string;
  /** Of the offer, now. */
  readonly active: boolean;
  readonly redeemed_at: Date | null;
  readonly redeemed_venue: string | null;
  /** Whether the offer is redeemed at the venue that was asked for. */
  readonly is_redeemed_here: boolean;
}

/**
 * Locks items until the transaction ends, in the order of their ids, so that two scanners cannot wait for each other.
 * What they are must be read after that: a row that was waited for is new, and what it was joined with is not.
 */
export async function lockItems(tx: Tx, itemIds: readonly number[]): Promise<void> {
  await sql`
    /* prepared: scanner_lock */
    select id from purchase_items where id = any(${itemIds}::bigint[]) order by id for no key update`.execute(
    tx,
  );
}

/**
 * Items by their ids, as they are now; who is not there is absent. The ids come as JSON, of which PostgreSQL expects the
 * same however many they are: with an array it plans each execution anew (1.2 ms instead of 0.2 ms of its time). It expects a
 * hundred, for which it would read the whole table while that is small; the limit has it look each of them up.
 */
export async function selectItems(
  tx: Tx | Db,
  itemIds: readonly number[],
  venueId: number,
): Promise<readonly ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    /* prepared: scanner_items */
    select item.id, purchase.user_id, line.title, line.img, offer.active, item.redeemed_at,
      (
        select venue.name
        from redemptions redemption join venues venue on venue.id = redemption.venue_id
        where redemption.id = item.redemption_id
      ) as redeemed_venue,
      coalesce(
        (select bool_or(venue_id = ${venueId}::integer) from offer_venues where offer_id = offer.id), true
      ) as is_redeemed_here,
      offer.picture_id, picture.width as picture_width, picture.height as picture_height,
      picture.formats as picture_formats
    from json_array_elements_text(${JSON.stringify(itemIds)}::json) wanted
    cross join lateral (select * from purchase_items where id = wanted::bigint limit 1) item
    join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
    join purchases purchase on purchase.id = item.purchase_id
    join offers offer on offer.id = line.offer_id
    left join pictures picture on picture.id = offer.picture_id`.execute(tx);
  return rows;
}
