/** Statements on tickets and on their items. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';

export interface TicketRow {
  readonly purchaseId: bigint;
  /** The ticket including its signature. */
  readonly ticket: Buffer;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

/** The tickets of a phone that were signed after a time, oldest first. */
export const selectTickets = (db: Db, phoneId: string, since: Date): Promise<TicketRow[]> =>
  db
    .selectFrom('tickets')
    .select([
      'purchase_id as purchaseId',
      'ticket',
      'valid_from as validFrom',
      'valid_until as validUntil',
    ])
    .where('phone_id', '=', phoneId)
    .where('valid_from', '>', since)
    .orderBy('id')
    .$narrowType<{ purchaseId: bigint }>()
    .execute();

/**
 * The time of the conflict with which the holder's codes last conflicted at that many devices: once it no longer counts, fewer devices do.
 */
export async function selectDecidingConflict(
  db: Db,
  holderId: bigint,
  deviceCount: number,
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select max(conflict.made_at) as at
      from redemption_conflicts conflict join offline_logs log on log.id = conflict.log_id
     where conflict.holder_user_id = ${holderId}::bigint
     group by log.device_id
     order by at desc
    offset ${deviceCount - 1}::integer
     limit 1`.execute(db);
  return rows[0]?.at;
}

/** Draws the numbers of new tickets, which are part of the signed content. */
export async function takeTicketNumbers(db: Db, count: number): Promise<bigint[]> {
  const { rows } = await sql<{ number: bigint }>`
    select nextval(pg_get_serial_sequence('tickets', 'id')) as number
      from generate_series(1, ${count}::integer)`.execute(db);
  return rows.map(({ number }) => number);
}

export interface NewTicket extends TicketRow {
  readonly number: bigint;
}

/** Inserts the tickets unless the phone has ended in the meantime. Returns whether they were inserted. */
export async function insertTickets(
  db: Db,
  phoneId: string,
  tickets: readonly NewTicket[],
): Promise<boolean> {
  const rows = tickets.map(
    ({ number, purchaseId, ticket, validFrom, validUntil }) =>
      sql`(${number}::bigint, ${purchaseId}::bigint, ${ticket}::bytea, ${validFrom}::timestamptz, ${validUntil}::timestamptz)`,
  );
  const { numAffectedRows = 0n } = await sql`
    insert into tickets (id, phone_id, purchase_id, ticket, valid_from, valid_until) overriding system value
    select given.id, phone.id, given.purchase_id, given.ticket, given.valid_from, given.valid_until
      from (values ${sql.join(rows)}) given (id, purchase_id, ticket, valid_from, valid_until)
      join (select id from ticket_phones where id = ${phoneId}::uuid and ended_at is null for share) phone on true`.execute(
    db,
  );
  return numAffectedRows > 0n;
}
