/** Changing venues and the staff who may scan there. Each change is a write of the console, in its transaction. */
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { ActInput } from '../../../platform/console/act.ts';
import { maskEmail } from '../../../platform/console/mask-email.ts';
import { requireOthersAccount } from '../../../platform/console/signed-in-staff.ts';
import { requireVersion } from '../../../platform/console/versions.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { giveScannerRole, selectFoundUser, selectUserByEmail } from '../../identity/index.ts';
import { requireSeen, venuesSeenBy } from './seen-venues.ts';
import {
  bindStaff,
  insertVenue,
  lockVenue,
  selectOffersOfVenue,
  selectStaffOfVenue,
  selectVenue,
  unbindStaff,
  updateVenue,
} from './venues.sql.ts';

interface VenueDeps {
  readonly clock: Clock;
}

type VenueAct = Pick<ActInput, 'tx' | 'staff' | 'record'>;

interface VenueText {
  readonly name: string;
  readonly address: string;
  readonly hours: string;
}

/** Throws `not_found`. */
export async function presentVenue(db: Db | Tx, id: number) {
  const [venue, staff, offers] = await Promise.all([
    selectVenue(db, id),
    selectStaffOfVenue(db, id),
    selectOffersOfVenue(db, id),
  ]);
  if (venue === undefined) throw new AppError('not_found');
  const { archivedAt, ...facts } = venue;
  return {
    ...facts,
    archived_at: archivedAt?.toISOString() ?? null,
    staff_count: staff.length,
    staff: staff.map(({ uuid, email, boundAt, lastScanAt }) => ({
      uuid,
      email: email === null ? '' : maskEmail(email),
      bound_at: boundAt.toISOString(),
      last_scan_at: lastScanAt?.toISOString() ?? null,
    })),
    offers: offers.map(({ id: offerId, title, isEverywhere }) => ({
      id: offerId,
      title,
      is_everywhere: isEverywhere,
    })),
  };
}

/** Locks a venue that the person may see. Throws `not_found`. */
export async function lockSeenVenue({ tx, staff }: Pick<VenueAct, 'tx' | 'staff'>, id: number) {
  requireSeen(await venuesSeenBy(tx, staff), id);
  const venue = await lockVenue(tx, id);
  if (venue === undefined) throw new AppError('not_found');
  return venue;
}

/** Throws for staff who are bound to venues: they would be the only ones who could not see the new venue. */
export async function createVenue({ clock }: VenueDeps, act: VenueAct, text: VenueText) {
  const { tx, staff, record } = act;
  if ((await venuesSeenBy(tx, staff)) !== undefined) {
    throw new AppError('forbidden', {
      detail: 'You are assigned to certain venues. Ask for a new one.',
    });
  }
  const id = await insertVenue(tx, text, dateOf(clock));
  await record({ subjectId: String(id), after: text });
  return presentVenue(tx, id);
}

export async function changeVenue(
  act: VenueAct & { readonly version: number },
  id: number,
  text: VenueText,
) {
  const { tx, version, record } = act;
  const venue = await lockSeenVenue(act, id);
  requireVersion(version, await presentVenue(tx, id));
  await updateVenue(tx, id, text);
  const { name, address, hours } = venue;
  await record({ subjectId: String(id), before: { name, address, hours }, after: text });
  return presentVenue(tx, id);
}

export async function archiveVenue(
  { clock }: VenueDeps,
  act: VenueAct & { readonly version: number },
  { id, isArchived }: { readonly id: number; readonly isArchived: boolean },
) {
  const { tx, version, record } = act;
  const { archivedAt } = await lockSeenVenue(act, id);
  requireVersion(version, await presentVenue(tx, id));
  await updateVenue(tx, id, { archived_at: isArchived ? (archivedAt ?? dateOf(clock)) : null });
  await record({
    subjectId: String(id),
    before: { is_archived: archivedAt !== null },
    after: { is_archived: isArchived },
  });
  return presentVenue(tx, id);
}

/** The customer with this uuid or address. Throws `recipient_not_found`, also for a closed account. */
async function findAccount(tx: Tx, account: string) {
  const [user] = account.includes('@')
    ? await selectUserByEmail(tx, account)
    : [await selectFoundUser(tx, account)];
  if (user === undefined || user.closedAt !== null) throw new AppError('recipient_not_found');
  return user;
}

/** Lets a customer scan at a venue. The account gets the role of venue staff and stays a customer. */
export async function bindVenueStaff(
  { clock }: VenueDeps,
  act: VenueAct,
  { venueId, account }: { readonly venueId: number; readonly account: string },
) {
  const { tx, staff, record } = act;
  requireSeen(await venuesSeenBy(tx, staff), venueId);
  const user = await findAccount(tx, account);
  requireOthersAccount(staff, user);
  // Locks the user, as the deletion of the account does.
  if (!(await giveScannerRole(tx, user.id))) throw new AppError('recipient_not_found');
  const venue = await lockSeenVenue(act, venueId);
  if (venue.archivedAt !== null) {
    throw new AppError('state_changed', { detail: 'This venue is archived.' });
  }
  await bindStaff(tx, { venueId, userId: user.id, at: dateOf(clock) });
  await record({ subjectId: String(venueId), after: { staff_uuid: user.uuid } });
  return presentVenue(tx, venueId);
}

export async function unbindVenueStaff(
  { clock }: VenueDeps,
  act: VenueAct,
  { venueId, uuid }: { readonly venueId: number; readonly uuid: string },
) {
  const { tx, record } = act;
  await lockSeenVenue(act, venueId);
  const user = await selectFoundUser(tx, uuid);
  const at = dateOf(clock);
  const isUnbound = user !== undefined && (await unbindStaff(tx, { venueId, userId: user.id, at }));
  if (!isUnbound) throw new AppError('not_found', { detail: 'Nobody with this ID scans here.' });
  await record({ subjectId: String(venueId), before: { staff_uuid: uuid } });
  return presentVenue(tx, venueId);
}
