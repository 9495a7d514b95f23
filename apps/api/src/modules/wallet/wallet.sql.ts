import { sql } from 'kysely';
import type { Db } from '../../platform/database.ts';

/** The row ids of open accounts by their public addresses. Who is not there is absent. */
export async function selectOpenUserIds(
  db: Db,
  userUuids: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'uuid'])
    .where(sql<boolean>`uuid = any(${`{${userUuids.join(',')}}`}::uuid[])`)
    .where('closed_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, uuid }) => [uuid, id]));
}
