/** Queries with which staff list and search users. */
import { sql, type CompiledQuery } from 'kysely';
import type { CustomerState } from '@athos/contract/console/customers';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../platform/database/database.ts';

export interface UserFilters {
  readonly state?: CustomerState | undefined;
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly to?: string | undefined;
}

const COLUMNS = [
  'id',
  'uuid',
  'email',
  'created_at as createdAt',
  'closed_at as closedAt',
  'terms_version as termsVersion',
  'terms_accepted_at as termsAcceptedAt',
] as const;

export type FoundUser = Awaited<ReturnType<typeof selectUsers>>[number];

function filtered(db: Db | Tx, { state, from, to }: UserFilters) {
  let rows = db.selectFrom('users');
  if (state !== undefined) rows = rows.where('closed_at', state === 'open' ? 'is' : 'is not', null);
  if (from !== undefined) rows = rows.where('created_at', '>=', new Date(from));
  if (to !== undefined) rows = rows.where('created_at', '<', new Date(to));
  return rows;
}

export interface UserPosition {
  readonly at: string;
  readonly id: string;
}

/** Sorts by the time of signing up. */
function sorted(db: Db | Tx, filters: UserFilters, sort: 'newest' | 'oldest') {
  const direction = sort === 'newest' ? 'desc' : 'asc';
  return (
    filtered(db, filters)
      .select(COLUMNS)
      // Selected as text, which keeps the microseconds that a Date drops: a cursor without them would show rows twice.
      .select(sql<string>`created_at::text`.as('position'))
      .orderBy('created_at', direction)
      .orderBy('id', direction)
  );
}

/** Returns one row more than `limit` if there is a next page. */
export function selectUsers(
  db: Db | Tx,
  filters: UserFilters,
  {
    sort,
    limit,
    after,
  }: {
    readonly sort: 'newest' | 'oldest';
    readonly limit: number;
    readonly after?: UserPosition | undefined;
  },
) {
  let rows = sorted(db, filters, sort).limit(limit + 1);
  if (after !== undefined) {
    const isBeyond = sql.raw(sort === 'newest' ? '<' : '>');
    rows = rows.where(
      sql<boolean>`(created_at, id) ${isBeyond} (${after.at}::timestamptz, ${after.id}::bigint)`,
    );
  }
  return rows.execute();
}

/** The statement that selects all users matching the filters. */
export const compileUsers = (
  db: Db,
  filters: UserFilters,
  sort: 'newest' | 'oldest',
): CompiledQuery<FoundUser> => sorted(db, filters, sort).compile();

export const countUsers = (db: Db | Tx, filters: UserFilters): Promise<ListCount> =>
  countRows(db, filtered(db, filters));

const found = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .select(COLUMNS)
    .select(sql<string>`created_at::text`.as('position'));

export const selectFoundUser = (db: Db | Tx, uuid: string): Promise<FoundUser | undefined> =>
  found(db).where('uuid', '=', uuid).executeTakeFirst();

export const selectFoundUsers = (db: Db | Tx, userIds: readonly bigint[]): Promise<FoundUser[]> =>
  userIds.length === 0 ? Promise.resolve([]) : found(db).where('id', 'in', userIds).execute();

export const selectUserByEmail = (db: Db | Tx, email: string): Promise<FoundUser[]> =>
  found(db).where('email', '=', email).execute();

/** Users whose uuids are in a range, in the order of their uuids. */
export const selectUsersByUuidRange = (
  db: Db | Tx,
  { first, last }: { readonly first: string; readonly last: string },
  limit: number,
): Promise<FoundUser[]> =>
  found(db)
    .where('uuid', '>=', first)
    .where('uuid', '<=', last)
    .orderBy('uuid')
    .limit(limit)
    .execute();

/** Escapes the text so that a LIKE pattern matches it literally. */
const literal = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);

/** Users whose address begins with this text, in the order of their addresses. */
export const selectUsersByEmailPrefix = (
  db: Db | Tx,
  prefix: string,
  limit: number,
): Promise<FoundUser[]> =>
  found(db)
    .where(sql`email collate "C"`, 'like', `${literal(prefix)}%`)
    .orderBy(sql`email collate "C"`)
    .limit(limit)
    .execute();

/** Users whose address contains this text, of at least four characters, before the `@`. */
export const selectUsersByEmailPart = (
  db: Db | Tx,
  part: string,
  limit: number,
): Promise<FoundUser[]> =>
  found(db)
    .where(sql`split_part(email, '@', 1)`, 'like', `%${literal(part)}%`)
    .limit(limit)
    .execute();
