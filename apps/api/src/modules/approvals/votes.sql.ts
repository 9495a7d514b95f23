import type { Insertable } from 'kysely';
import { notifyConsole } from '../../platform/console/console-changes.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type {} from './tables.ts';

/**
 * Locks voter and requester (null: the programme) in the order of their ids, and returns whether the voter is active. Suspending a person
 * takes the locks in the same order: the person before their requests.
 */
export async function lockVoter(
  tx: Tx,
  { voterId, requesterId }: { readonly voterId: string; readonly requesterId: string | null },
): Promise<boolean> {
  const rows = await tx
    .selectFrom('staff')
    .select(['id', 'state'])
    .where('id', 'in', requesterId === null ? [voterId] : [voterId, requesterId])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.some(({ id, state }) => id === voterId && state === 'active');
}

/** Returns whether it is the person's first vote on this request. */
export async function insertVote(
  tx: Tx,
  vote: Insertable<Tables['approval_votes']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('approval_votes')
    .values(vote)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  await notifyConsole(tx, 'approvals');
  return numInsertedOrUpdatedRows > 0n;
}

export const selectVotes = (db: Db | Tx, approvalId: string) =>
  db
    .selectFrom('approval_votes as vote')
    .innerJoin('staff as person', 'person.id', 'vote.staff_id')
    .select([
      'vote.staff_id as staffId',
      'person.name',
      'vote.is_approved',
      'vote.at',
      'vote.reason',
    ])
    .where('vote.approval_id', '=', approvalId)
    .orderBy('vote.at')
    .orderBy('vote.staff_id')
    .execute();

export async function countApproving(tx: Tx, approvalId: string): Promise<number> {
  const rows = await tx
    .selectFrom('approval_votes')
    .select('staff_id')
    .where('approval_id', '=', approvalId)
    .where('is_approved', '=', true)
    .execute();
  return rows.length;
}
