import type { Insertable, Selectable } from 'kysely';
import type { Tables, Tx } from '../../../platform/database/database.ts';

export type TipRow = Selectable<Tables['tips']>;
export type NewTip = Insertable<Tables['tips']>;

export const selectTip = (tx: Tx, userId: bigint, key: string): Promise<TipRow | undefined> =>
  tx
    .selectFrom('tips')
    .selectAll()
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();

export const insertTip = (tx: Tx, tip: NewTip): Promise<TipRow> =>
  tx.insertInto('tips').values(tip).returningAll().executeTakeFirstOrThrow();
