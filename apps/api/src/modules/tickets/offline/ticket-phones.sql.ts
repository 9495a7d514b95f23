/** Statements on ticket phones. A phone's tickets count until it ends, so ending it is one update. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';

export interface TicketPhone {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly label: string;
  readonly madeAt: Date;
}

/** The user's ticket phone; `undefined` if there is none. */
export const selectTicketPhone = (db: Db | Tx, userId: bigint): Promise<TicketPhone | undefined> =>
  db
    .selectFrom('ticket_phones')
    .select(['id', 'public_key as publicKey', 'label', 'made_at as madeAt'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();

/** How many ticket phones the user has made since a time. */
export async function countTicketPhones(tx: Tx, userId: bigint, since: Date): Promise<bigint> {
  const { count } = await tx
    .selectFrom('ticket_phones')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('user_id', '=', userId)
    .where('made_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

interface NewPhone {
  readonly userId: bigint;
  readonly publicKey: Buffer;
  readonly label: string;
  readonly at: Date;
}

export const insertTicketPhone = (
  tx: Tx,
  { userId, publicKey, label, at }: NewPhone,
): Promise<TicketPhone> =>
  tx
    .insertInto('ticket_phones')
    .values({ user_id: userId, public_key: publicKey, label, made_at: at, ended_at: null })
    .returning(['id', 'public_key as publicKey', 'label', 'made_at as madeAt'])
    .executeTakeFirstOrThrow();

/** Ends the user's ticket phone and with it every ticket. */
export async function endTicketPhone(tx: Tx | Db, userId: bigint, at: Date): Promise<void> {
  await tx
    .updateTable('ticket_phones')
    .set({ ended_at: at })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Deletes the phones of an erased user, and their tickets with them. */
export async function eraseTicketPhones(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('ticket_phones').where('user_id', '=', userId).execute();
}

/** Deletes tickets whose time is over and phones that have ended. */
export async function deleteOldTickets(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'tickets', sql`valid_until <= ${before}`);
  await deleteInBatches(db, 'ticket_phones', sql`ended_at <= ${before}`);
}
