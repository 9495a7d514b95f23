import type { Db } from '../../platform/database.ts';

/** The row id of an open account by its public address. */
export async function selectOpenUserId(db: Db, userUuid: string): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('uuid', '=', userUuid)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return row?.id;
}
