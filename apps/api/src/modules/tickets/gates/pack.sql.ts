/** Statements on the data that a scanner needs to redeem without a network. */
import { sql, type RawBuilder } from 'kysely';
import { TICKET_HOURS_MAX } from '@athos/domain/ticket-code';
import type { Db } from '../../../platform/database/database.ts';
import { idsBetween } from '../../../platform/database/ids-between.ts';

const HOUR_MS = 60 * 60_000;

interface PackOffer {
  readonly id: number;
  readonly title: string;
  readonly price_ath_hundredths: number;
  readonly is_active: boolean;
}

const isRedeemedAt = (offerId: RawBuilder<unknown>, venueId: number): RawBuilder<unknown> => sql`(
  not exists (select from offer_venues where offer_id = ${offerId})
  or exists (select from offer_venues where offer_id = ${offerId} and venue_id = ${venueId}::integer))`;

/** The offers that are redeemed at a venue. Tips are not redeemed. */
export async function selectPackOffers(db: Db, venueId: number): Promise<PackOffer[]> {
  const { rows } = await sql<PackOffer>`
    select id, title, price_ath_hundredths, active as is_active from offers
     where kind <> 3 and not is_draft and ${isRedeemedAt(sql`offers.id`, venueId)}
     order by id`.execute(db);
  return rows;
}

/** The earliest start of a ticket that can still be valid. */
const oldestTicketAt = (now: Date): Date => new Date(now.getTime() - TICKET_HOURS_MAX * HOUR_MS);

/**
 * Numbers of unexpired tickets that are no longer valid: their phone has ended since `since`, or a hold on their holder stops redemption.
 * In ascending order.
 */
export async function selectEndedTickets(
  db: Db,
  { since, now }: { readonly since: Date | undefined; readonly now: Date },
): Promise<number[]> {
  const { rows } = await sql<{ id: string }>`
    select ticket.id::text as id from (
      select id from ticket_phones where ended_at > ${since ?? oldestTicketAt(now)}::timestamptz
      union
      select phone.id from account_holds hold join ticket_phones phone on phone.user_id = hold.user_id and phone.ended_at is null
       where hold.lifted_at is null and 'redeem' = any(hold.kinds)
      union
      select phone.id from users join ticket_phones phone on phone.user_id = users.id and phone.ended_at is null
       where users.closed_at > ${oldestTicketAt(now)}::timestamptz
    ) ended
    join tickets ticket on ticket.phone_id = ended.id
     where ticket.valid_until > ${now}::timestamptz
     order by ticket.id`.execute(db);
  return rows.map(({ id }) => Number(id));
}

/**
 * Items redeemed or refunded since `since`, of offers that are redeemed at the venue. Without `since`, all such items of unexpired
 * tickets. In ascending order of ids.
 */
export async function selectSpentItems(
  db: Db,
  {
    venueId,
    since,
    now,
  }: { readonly venueId: number; readonly since: Date | undefined; readonly now: Date },
): Promise<number[]> {
  const from = since ?? oldestTicketAt(now);
  const { first = 0n } = await idsBetween(db, 'redemptions', { from, to: undefined });
  const ofTickets = sql`item.purchase_id in (select purchase_id from tickets where valid_until > ${now}::timestamptz)`;
  const { rows } = await sql<{ ids: string | null }>`
    select string_agg(item.id::text, ',' order by item.id) as ids from (
      select item.id, item.purchase_id, item.line from redemptions redemption
        join purchase_items item on item.redemption_id = redemption.id
       where redemption.id >= ${first}::bigint
      union
      select id, purchase_id, line from purchase_items where voided_at > ${from}::timestamptz
    ) item
    join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
     where line.offer_id in (select id from offers where ${isRedeemedAt(sql`offers.id`, venueId)})
       and ${since === undefined ? ofTickets : sql`true`}`.execute(db);
  return (rows[0]?.ids ?? '').split(',').filter(Boolean).map(Number);
}

/** Whether something in the lists was reversed since a time, which additions to the lists cannot express. */
export async function isTakenBack(db: Db, since: Date): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from redemption_reversals where reversed_at > ${since}::timestamptz)
        or exists (select from account_holds where lifted_at > ${since}::timestamptz and 'redeem' = any(kinds)) as is`.execute(
    db,
  );
  return rows[0]?.is ?? true;
}
