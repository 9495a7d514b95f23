/** Statements on pay links. */
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Found } from './profiles.sql.ts';
import { sql } from 'kysely';

export interface PayCodeRow {
  readonly id: string;
  readonly details: Buffer;
  readonly madeAt: Date;
}

/** Newest first. */
export const selectPayCodes = (db: Db | Tx, userId: bigint): Promise<PayCodeRow[]> =>
  db
    .selectFrom('pay_codes')
    .select(['id', 'details', 'made_at as madeAt'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();

export async function insertPayCode(
  tx: Tx,
  userId: bigint,
  { id, details, madeAt, codeHash }: PayCodeRow & { readonly codeHash: Buffer },
): Promise<void> {
  await tx
    .insertInto('pay_codes')
    .values({ id, user_id: userId, code_hash: codeHash, details, made_at: madeAt })
    .execute();
}

/** Returns whether the code belonged to the user. */
export async function deletePayCode(db: Db, userId: bigint, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pay_codes')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The user of a link, and the amount that it requests; `undefined` if the link was ended or never existed. */
export const selectByCode = (
  db: Db,
  codeHash: Buffer,
): Promise<(Found & Pick<PayCodeRow, 'id' | 'details'>) | undefined> =>
  db
    .selectFrom('pay_codes')
    .innerJoin('users', 'users.id', 'pay_codes.user_id')
    .leftJoin('profiles', 'profiles.user_id', 'users.id')
    .select(['pay_codes.id', 'pay_codes.details', 'users.uuid'])
    .select(
      sql<string | null>`case when profiles.shows_name then profiles.display_name end`.as('name'),
    )
    .where('code_hash', '=', codeHash)
    .where('users.closed_at', 'is', null)
    .executeTakeFirst();
