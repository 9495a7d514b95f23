/** Statements on venues and the staff bound to them. */
import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { SeenVenues } from './seen-venues.ts';

interface VenueFilters {
  readonly seen: SeenVenues;
  readonly state?: 'open' | 'archived' | undefined;
}

const venueColumns = [
  'id',
  'name',
  'address',
  'hours',
  'archived_at as archivedAt',
  'version',
] as const;

const listed = (db: Db, { seen, state }: VenueFilters) =>
  db
    .selectFrom('venues')
    .$if(seen !== undefined, (rows) => rows.where('id', 'in', seen ?? []))
    .$if(state !== undefined, (rows) =>
      rows.where('archived_at', state === 'open' ? 'is' : 'is not', null),
    );

/** Sorted by name. Returns one row more than `limit` if there is a next page. */
export const selectVenues = (
  db: Db,
  filters: VenueFilters,
  { limit, afterName }: { readonly limit: number; readonly afterName: string | undefined },
) =>
  listed(db, filters)
    .select(['id', 'name', 'address', 'archived_at as archivedAt'])
    .select(
      sql<number>`(select count(*)::int from venue_staff where venue_id = venues.id and revoked_at is null)`.as(
        'staffCount',
      ),
    )
    .$if(afterName !== undefined, (rows) => rows.where('name', '>', afterName ?? ''))
    .orderBy('name')
    .limit(limit + 1)
    .execute();

export const countVenues = (db: Db, filters: VenueFilters): Promise<ListCount> =>
  countRows(db, listed(db, filters).select('id'));

export const selectVenueNames = (db: Db, seen: SeenVenues) =>
  listed(db, { seen }).select(['id', 'name']).orderBy('name').execute();

export const selectVenue = (db: Db | Tx, id: number) =>
  db.selectFrom('venues').select(venueColumns).where('id', '=', id).executeTakeFirst();

export const lockVenue = (tx: Tx, id: number) =>
  tx.selectFrom('venues').select(venueColumns).where('id', '=', id).forUpdate().executeTakeFirst();

interface VenueText {
  readonly name: string;
  readonly address: string;
  readonly hours: string;
}

const isNameTaken = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.constraint === 'venues_name_key';

/** Throws `venue_exists` if another venue has the name. */
async function naming<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    throw new AppError('venue_exists', { cause: error });
  }
}

/** Throws `venue_exists`. Returns the id. */
export async function insertVenue(tx: Tx, text: VenueText, createdAt: Date): Promise<number> {
  const row = await naming(
    tx
      .insertInto('venues')
      .values({ ...text, created_at: createdAt })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return row.id;
}

/** Throws `venue_exists`. */
export async function updateVenue(
  tx: Tx,
  id: number,
  change: Partial<VenueText> & { readonly archived_at?: Date | null },
): Promise<void> {
  await naming(
    tx
      .updateTable('venues')
      .set({ ...change, version: sql`version + 1` })
      .where('id', '=', id)
      .execute(),
  );
}

export async function bindStaff(
  tx: Tx,
  binding: { readonly venueId: number; readonly userId: bigint; readonly at: Date },
): Promise<void> {
  await tx
    .insertInto('venue_staff')
    .values({ venue_id: binding.venueId, user_id: binding.userId, bound_at: binding.at })
    .onConflict((conflict) =>
      conflict
        .columns(['venue_id', 'user_id'])
        .doUpdateSet({ bound_at: binding.at, revoked_at: null })
        .where('venue_staff.revoked_at', 'is not', null),
    )
    .execute();
}

/** Returns `false` if the user is not bound. */
export async function unbindStaff(
  tx: Tx,
  binding: { readonly venueId: number; readonly userId: bigint; readonly at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('venue_staff')
    .set({ revoked_at: binding.at })
    .where('venue_id', '=', binding.venueId)
    .where('user_id', '=', binding.userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const STAFF_SHOWN_MAX = 200;
/** The number of newest scans of each member of staff in which the last one at this venue is searched. */
const SCANS_LOOKED_MAX = 100;

interface BoundUser {
  readonly uuid: string;
  readonly email: string | null;
  readonly boundAt: Date;
  readonly lastScanAt: Date | null;
}

export async function selectStaffOfVenue(
  db: Db | Tx,
  venueId: number,
): Promise<readonly BoundUser[]> {
  const { rows } = await sql<BoundUser>`
    select bound.uuid, bound.email, binding.bound_at as "boundAt", (
      select max(at) from (
        select at, venue_id from scans where user_id = bound.id order by at desc, id desc limit ${SCANS_LOOKED_MAX}
      ) looked where venue_id = ${venueId}
    ) as "lastScanAt"
    from venue_staff binding join users bound on bound.id = binding.user_id
    where binding.venue_id = ${venueId} and binding.revoked_at is null
    order by binding.bound_at, bound.id limit ${STAFF_SHOWN_MAX}`.execute(db);
  return rows;
}

const OFFERS_SHOWN_MAX = 100;

interface OfferHere {
  readonly id: number;
  readonly title: string;
  readonly isEverywhere: boolean;
}

/** Active offers that are bound to this venue or to no venue. */
export async function selectOffersOfVenue(
  db: Db | Tx,
  venueId: number,
): Promise<readonly OfferHere[]> {
  const { rows } = await sql<OfferHere>`
    select offer.id, offer.title, binding.is_here is null as "isEverywhere"
    from offers offer
    left join lateral (
      select bool_or(venue_id = ${venueId}) as is_here from offer_venues where offer_id = offer.id
    ) binding on true
    where offer.active and binding.is_here is not false
    order by "isEverywhere", offer.title, offer.id limit ${OFFERS_SHOWN_MAX}`.execute(db);
  return rows;
}

interface CountRow {
  readonly venueId: number;
  readonly outcome: string;
  readonly dayAttempts: number;
  readonly dayItems: number;
  readonly hourAttempts: number;
  readonly hourItems: number;
}

interface CountSpan {
  readonly dayFrom: Date;
  readonly hourFrom: Date;
  /** The lowest id that a scan of the span can have. */
  readonly firstId: bigint | undefined;
}

/** The maximum number of scans that are counted, which takes about 5 ms. */
const COUNTED_SCANS_MAX = 10_000;

/** The newest scans of the span, at most `COUNTED_SCANS_MAX`. */
const lookedScans = ({ firstId }: CountSpan): RawBuilder<unknown> => sql`
  select id, venue_id, at, outcome, redeemed_count from scans
   where id >= ${firstId ?? 0n}::bigint order by id desc limit ${COUNTED_SCANS_MAX}`;

/** Counts by venue and outcome. */
export async function selectVenueCounts(
  db: Db,
  span: CountSpan,
  shown: SeenVenues,
): Promise<readonly CountRow[]> {
  const { dayFrom, hourFrom } = span;
  const { rows } = await sql<CountRow>`
    select venue_id as "venueId", outcome,
      (count(*) filter (where at >= ${dayFrom}))::int as "dayAttempts",
      coalesce(sum(redeemed_count) filter (where at >= ${dayFrom}), 0)::int as "dayItems",
      (count(*) filter (where at >= ${hourFrom}))::int as "hourAttempts",
      coalesce(sum(redeemed_count) filter (where at >= ${hourFrom}), 0)::int as "hourItems"
    from (${lookedScans(span)}) looked
    where venue_id is not null and at >= least(${dayFrom}::timestamptz, ${hourFrom}::timestamptz)
      and ${shown === undefined ? sql`true` : sql`venue_id = any(${shown}::integer[])`}
    group by venue_id, outcome order by venue_id, outcome`.execute(db);
  return rows;
}

/** The time of the earliest scan that `selectVenueCounts` counts; `undefined` if it counts all. */
export async function selectCountedFrom(db: Db, span: CountSpan): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select at from (${lookedScans(span)}) looked order by id desc limit 1 offset ${COUNTED_SCANS_MAX - 1}`.execute(
    db,
  );
  return rows[0]?.at;
}

/** The beginning of a time's day in a time zone. */
export async function selectDayFrom(db: Db, at: Date, timeZone: string): Promise<Date> {
  const { rows } = await sql<{ day: Date }>`
    select date_trunc('day', ${at}::timestamptz, ${timeZone}::text) as day`.execute(db);
  return rows[0]?.day ?? at;
}
