import type { Db, Tx } from '../../platform/database/database.ts';

export const insertNote = (
  tx: Tx,
  note: {
    readonly userId: bigint;
    readonly staffId: string;
    readonly text: string;
    readonly at: Date;
  },
): Promise<{ id: bigint }> =>
  tx
    .insertInto('customer_notes')
    .values({ user_id: note.userId, staff_id: note.staffId, text: note.text, written_at: note.at })
    .returning('id')
    .executeTakeFirstOrThrow();

/** Newest first. */
export const selectNotes = (
  db: Db,
  userId: bigint,
  { beforeId, limit }: { readonly beforeId: bigint | undefined; readonly limit: number },
) =>
  db
    .selectFrom('customer_notes as note')
    .innerJoin('staff as person', 'person.id', 'note.staff_id')
    .select([
      'note.id',
      'note.text',
      'note.written_at as writtenAt',
      'note.staff_id as staffId',
      'person.name as staffName',
    ])
    .where('note.user_id', '=', userId)
    .$if(beforeId !== undefined, (query) => query.where('note.id', '<', beforeId ?? 0n))
    .orderBy('note.id', 'desc')
    .limit(limit)
    .execute();

export async function eraseNotes(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('customer_notes').where('user_id', '=', userId).execute();
}
