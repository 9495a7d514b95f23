/** Statements on ticket phones. A phone's tickets are valid until it ends, so ending it is one update. */
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
    .$narrowType<{ publicKey: Buffer }>()
    .executeTakeFirst();

export interface EndedPhone extends Pick<TicketPhone, 'publicKey' | 'label' | 'madeAt'> {
  readonly endedAt: Date;
}

/** The user's ticket phone that ended last. */
export const selectLastEnded = (tx: Tx, userId: bigint): Promise<EndedPhone | undefined> =>
  tx
    .selectFrom('ticket_phones')
    .select(['public_key as publicKey', 'label', 'made_at as madeAt', 'ended_at as endedAt'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .$narrowType<EndedPhone>()
    .executeTakeFirst();

/** Records the session in which a phone has proved its key. */
export async function updatePhoneSession(tx: Tx, id: string, sessionId: string): Promise<void> {
  await tx
    .updateTable('ticket_phones')
    .set({ session_id: sessionId })
    .where('id', '=', id)
    .execute();
}

/** The number of ticket phones that the user has registered since a time. */
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
  readonly sessionId: string;
}

export const insertTicketPhone = (
  tx: Tx,
  { userId, publicKey, label, at, sessionId }: NewPhone,
): Promise<TicketPhone> =>
  tx
    .insertInto('ticket_phones')
    .values({
      user_id: userId,
      public_key: publicKey,
      label,
      made_at: at,
      ended_at: null,
      session_id: sessionId,
    })
    .returning(['id', 'public_key as publicKey', 'label', 'made_at as madeAt'])
    .$narrowType<{ publicKey: Buffer }>()
    .executeTakeFirstOrThrow();

/**
 * Ends the user's ticket phone and with it every ticket. With a session, ends only a phone that may belong to that session: a phone keeps
 * its tickets when it is signed out as `away` and signs in again, so a phone whose session is over may belong to any.
 */
export async function endTicketPhone(
  tx: Tx | Db,
  { userId, sessionId }: { readonly userId: bigint; readonly sessionId?: string },
  at: Date,
): Promise<void> {
  const isOther = sql`exists (
    select from sessions
     where id = ticket_phones.session_id and id <> ${sessionId ?? null}::uuid and revoked_at is null
       and expires_at > ${at}::timestamptz)`;
  await sql`
    update ticket_phones set ended_at = ${at}::timestamptz
     where user_id = ${userId}::bigint and ended_at is null and ${sessionId === undefined ? sql`true` : sql`not ${isOther}`}`.execute(
    tx,
  );
}

/**
 * Erases the owner of these phones and the contents of their tickets. The numbers stay, because scanners must learn that they are no
 * longer valid.
 */
export async function eraseTicketPhones(tx: Tx, userId: bigint): Promise<void> {
  await sql`
    with phone as (
      update ticket_phones
         set user_id = null, public_key = null, label = '', session_id = null,
             ended_at = coalesce(ended_at, now())
       where user_id = ${userId}::bigint
      returning id
    )
    update tickets set purchase_id = null, ticket = ''
     where phone_id in (select id from phone)`.execute(tx);
}

/** Deletes tickets that have expired and phones that have ended. */
export async function deleteOldTickets(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'tickets', sql`valid_until <= ${before}`);
  await deleteInBatches(db, 'ticket_phones', sql`ended_at <= ${before}`);
}
