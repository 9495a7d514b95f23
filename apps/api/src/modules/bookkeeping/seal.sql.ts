import { sql, type Insertable, type Selectable } from 'kysely';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../platform/console/list-count.sql.ts';
import type { Db, Tables, Tx } from '../../platform/database/database.ts';

export type SealRow = Omit<Selectable<Tables['seals']>, 'day' | 'card_day'> & {
  /** `2026-11-22`. */
  readonly day: string;
  readonly card_day: string | null;
};

/** Returns `false` if the day is already sealed. */
export async function insertSeal(tx: Tx, seal: Insertable<Tables['seals']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('seals')
    .values(seal)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

const seals = (db: Db) =>
  db
    .selectFrom('seals')
    .select([
      sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'),
      'sealed_at',
      'books_head',
      'audit_seq',
      'audit_head',
      'balances',
      sql<string | null>`to_char(card_day, 'YYYY-MM-DD')`.as('card_day'),
      'is_card_agreed',
      'mailed_at',
    ]);

export const selectSeal = (db: Db, day: string): Promise<SealRow | undefined> =>
  seals(db)
    .where(sql<boolean>`seals.day = ${day}::date`)
    .executeTakeFirst();

/** Newest first. Returns one row more than `limit` if there is a next page. */
export const selectSeals = (
  db: Db,
  { limit, beforeDay }: { readonly limit: number; readonly beforeDay: string | undefined },
): Promise<SealRow[]> =>
  seals(db)
    .$if(beforeDay !== undefined, (rows) =>
      rows.where(sql<boolean>`seals.day < ${beforeDay ?? ''}::date`),
    )
    .orderBy('seals.day', 'desc')
    .limit(limit + 1)
    .execute();

export const countSeals = (db: Db): Promise<ListCount> => countRows(db, db.selectFrom('seals'));

export async function updateMailed(db: Db, day: string, now: Date): Promise<void> {
  await db
    .updateTable('seals')
    .set({ mailed_at: now })
    .where(sql<boolean>`day = ${day}::date`)
    .execute();
}
