/** Statements on who has sent to whom. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

export interface Pair {
  readonly senderId: bigint;
  readonly recipientId: bigint;
}

interface Sends extends Pair {
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly count: number;
}

/**
 * Adds sends in the order of the pairs, so that two transactions that add the same pairs wait for each other. A pair may occur several
 * times. Senders whose account is closed are left out, since nothing would erase their pairs again; the other senders cannot be closed
 * until the transaction ends, so that a later closing erases the pairs added here.
 */
export async function addSends(tx: Tx, sends: readonly Sends[]): Promise<void> {
  if (sends.length === 0) return;
  await sql`
    with sent as materialized (
      select * from unnest(${sends.map(({ senderId }) => senderId)}::bigint[], ${sends.map(({ recipientId }) => recipientId)}::bigint[],
                           ${sends.map(({ firstAt }) => firstAt)}::timestamptz[], ${sends.map(({ lastAt }) => lastAt)}::timestamptz[],
                           ${sends.map(({ count }) => count)}::int[]) as given (sender_id, recipient_id, first_at, last_at, count)
    ), open as materialized (
      select id from users where id in (select sender_id from sent) and closed_at is null order by id for key share
    )
    insert into send_pairs (sender_id, recipient_id, first_at, last_at, send_count)
    select sender_id, recipient_id, min(first_at), max(last_at), sum(count)
      from sent join open on open.id = sent.sender_id
     group by sender_id, recipient_id order by sender_id, recipient_id
        on conflict (sender_id, recipient_id) do update
       set first_at = least(send_pairs.first_at, excluded.first_at), last_at = greatest(send_pairs.last_at, excluded.last_at),
           send_count = send_pairs.send_count + excluded.send_count`.execute(tx);
}

/** Subtracts a send that was added but did not arrive after all. */
export async function subtractSend(tx: Tx, { senderId, recipientId }: Pair): Promise<void> {
  await tx
    .updateTable('send_pairs')
    .set(({ eb }) => ({ send_count: eb('send_count', '-', 1) }))
    .where('sender_id', '=', senderId)
    .where('recipient_id', '=', recipientId)
    .execute();
}

/** Locks the place, so that two runs never add the same sends. */
export const lockPlace = async (tx: Tx): Promise<bigint> =>
  (
    await tx
      .selectFrom('send_pairs_place')
      .select('last_transfer_id')
      .forUpdate()
      .executeTakeFirstOrThrow()
  ).last_transfer_id;

export async function updatePlace(tx: Tx, lastTransferId: bigint): Promise<void> {
  await tx.updateTable('send_pairs_place').set({ last_transfer_id: lastTransferId }).execute();
}

interface Known {
  /** Whether the sender has sent to this address before. */
  readonly isKnown: boolean;
  /** An address that the sender has sent to and that resembles this one; `undefined` if there is none. */
  readonly lookAlike: string | undefined;
}

/** Compares an address with the sender's earlier sends. The rule of six equal digits at either end is that of `look-alike.ts`. */
export async function selectKnown(db: Db, senderId: bigint, recipientUuid: string): Promise<Known> {
  const { rows } = await sql<{ uuid: string }>`
    select u.uuid::text as uuid from send_pairs pair join users u on u.id = pair.recipient_id
     where pair.sender_id = ${senderId} and pair.send_count > 0
       and (left(u.uuid::text, 6) = left(${recipientUuid}::text, 6) or right(u.uuid::text, 6) = right(${recipientUuid}::text, 6))
     order by u.uuid = ${recipientUuid}::uuid desc, pair.last_at desc limit 1`.execute(db);
  const uuid = rows[0]?.uuid;
  const isKnown = uuid === recipientUuid;
  return { isKnown, lookAlike: isKnown ? undefined : uuid };
}

export async function deletePairs(tx: Tx, senderId: bigint): Promise<void> {
  await tx.deleteFrom('send_pairs').where('sender_id', '=', senderId).execute();
}
