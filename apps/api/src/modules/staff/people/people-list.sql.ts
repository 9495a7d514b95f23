import { sql } from 'kysely';
import type { ListCount } from '@athos/contract/console/lists';
import type { StaffState } from '@athos/contract/console/people';
import type { Organisation } from '@athos/contract/console/staff';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';

export interface PeopleFilters {
  readonly state?: StaffState | undefined;
  readonly role?: string | undefined;
  readonly organisation?: Organisation | undefined;
}

function filtered(db: Db | Tx, { state, role, organisation }: PeopleFilters) {
  let rows = db.selectFrom('staff as person');
  if (state !== undefined) rows = rows.where('person.state', '=', state);
  if (organisation !== undefined) rows = rows.where('person.organisation', '=', organisation);
  if (role === undefined) return rows;
  return rows.where((where) =>
    where.exists(
      where
        .selectFrom('staff_roles as held')
        .select('held.role_id')
        .whereRef('held.staff_id', '=', 'person.id')
        .where('held.role_id', '=', role),
    ),
  );
}

type Titled = { readonly id: string; readonly title: string };

const SUMMARY = [
  'person.id',
  'person.email',
  'person.name',
  'person.organisation',
  'person.state',
  sql<readonly Titled[]>`coalesce(
    (select jsonb_agg(jsonb_build_object('id', role.id, 'title', role.title) order by role.title)
       from staff_roles held join roles role on role.id = held.role_id where held.staff_id = person.id), '[]')`.as(
    'roles',
  ),
  sql<Date | null>`(select max(seen_at) from staff_sessions where staff_id = person.id)`.as(
    'seenAt',
  ),
] as const;

/** Sorted by name and address. Returns one row more than `limit` if there is a next page. */
export function selectPeople(
  db: Db,
  filters: PeopleFilters,
  { limit, after }: { readonly limit: number; readonly after: readonly string[] | undefined },
) {
  let rows = filtered(db, filters).select(SUMMARY).orderBy('person.name').orderBy('person.email');
  if (after !== undefined) {
    const [name = '', email = ''] = after;
    rows = rows.where(sql<boolean>`(person.name, person.email) > (${name}, ${email})`);
  }
  return rows.limit(limit + 1).execute();
}

export type PersonSummary = Awaited<ReturnType<typeof selectPeople>>[number];

export const countPeople = (db: Db, filters: PeopleFilters): Promise<ListCount> =>
  countRows(db, filtered(db, filters));

export const selectMember = (db: Db | Tx, staffId: string) =>
  filtered(db, {})
    .select(SUMMARY)
    .select([
      'person.version',
      'person.wallet_uuid as walletUuid',
      'person.created_at as createdAt',
      sql<
        number[]
      >`array(select venue_id from staff_venues where staff_id = person.id order by venue_id)`.as(
        'venueIds',
      ),
      sql<('totp' | 'passkey')[]>`array(
        select kind from staff_factors where staff_id = person.id and confirmed_at is not null order by created_at)`.as(
        'factorKinds',
      ),
      sql<number>`(select count(*)::int from staff_recovery_codes where staff_id = person.id and used_at is null)`.as(
        'recoveryCodesLeft',
      ),
      sql<Date | null>`(select max(expires_at) from staff_invites where staff_id = person.id)`.as(
        'inviteExpiresAt',
      ),
    ])
    .where('person.id', '=', staffId)
    .executeTakeFirst();

/** Open sessions, most recently used first. */
export const selectSessions = (
  db: Db | Tx,
  staffId: string,
  { now, seenAfter }: { readonly now: Date; readonly seenAfter: Date },
) =>
  db
    .selectFrom('staff_sessions')
    .select(['id', 'browser', 'place', 'created_at as createdAt', 'seen_at as seenAt'])
    .where('staff_id', '=', staffId)
    .where('expires_at', '>', now)
    .where('seen_at', '>', seenAfter)
    .orderBy('seen_at', 'desc')
    .execute();

export type SessionSummary = Awaited<ReturnType<typeof selectSessions>>[number];
