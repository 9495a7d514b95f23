/** The venues that a member of staff may see: those that the person is bound to, or all. */
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { selectVenueIds } from '../../staff/index.ts';

/** `undefined` for all venues. */
export type SeenVenues = readonly number[] | undefined;

export async function venuesSeenBy(
  db: Db | Tx,
  { staffId }: { readonly staffId: string },
): Promise<SeenVenues> {
  const venueIds = await selectVenueIds(db, staffId);
  return venueIds.length === 0 ? undefined : venueIds;
}

/** Throws `not_found` for a venue that the person may not see, as for one that does not exist. */
export function requireSeen(seen: SeenVenues, venueId: number): void {
  if (seen?.includes(venueId) === false) throw new AppError('not_found');
}

/** The venues that a list shows to a person who may see `seen`, if one venue or all are requested. */
export const shownVenues = (seen: SeenVenues, asked: number | undefined): SeenVenues =>
  asked === undefined ? seen : [asked].filter((id) => seen === undefined || seen.includes(id));

/**
 * The name of a list for its cursors. It contains the venues, so that a person who has since been bound cannot continue with an earlier
 * cursor, or with that of somebody who sees more.
 */
export const venueListName = (list: string, seen: SeenVenues): string =>
  seen === undefined ? list : `${list} at ${seen.join()}`;
