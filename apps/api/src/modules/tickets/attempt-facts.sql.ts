/**
 * The facts that the guards of a scan or redemption check. They are read for each attempt, so that revoked staff are refused from the
 * next scan on and not only from the next session. One statement reads those of several attempts, since its start and its round trip cost
 * more than the reads.
 */
import { sql } from 'kysely';
import { userAccountStateOf, type AccountState } from '../../ledger/index.ts';
import type { Db } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { invariant } from '../../platform/errors.ts';
import type { PictureColumns } from '../../platform/storage/stored-picture.ts';
import { standingHold } from '../holds/index.ts';
import type { ReadTicket } from './read-code.ts';

export interface Venue {
  readonly id: number;
  readonly name: string;
  readonly address: string;
}

/** Aggregated as JSON, so that a staff member is one row with any number of venues. */
const venuesOfStaff = sql<Venue[]>`
  coalesce((
    select json_agg(json_build_object('id', venue.id, 'name', venue.name, 'address', venue.address) order by venue.name)
    from venue_staff binding join venues venue on venue.id = binding.venue_id
    where binding.user_id = staff.id and binding.revoked_at is null and venue.archived_at is null
      and staff.role = 'scanner' and staff.closed_at is null
  ), '[]')`;

/** The venues where a user is currently staff, except archived ones; empty without the role. */
export async function selectVenuesOfStaff(db: Db, userId: bigint): Promise<readonly Venue[]> {
  const { rows } = await sql<{ venues: readonly Venue[] }>`
    select ${venuesOfStaff} as venues from users staff where staff.id = ${userId}`.execute(db);
  return rows[0]?.venues ?? [];
}

export interface Claim {
  readonly userId: bigint;
  readonly venueId: number;
}

export interface Holder {
  readonly userId: bigint;
  readonly createdAt: Date;
  readonly isClosed: boolean;
  /** The state of the holder's ledger account in ATH. */
  readonly accountState: AccountState;
  /** Whether a hold stops redemption. */
  readonly isHeld: boolean;
}

export interface KeptRedemption {
  readonly requestHash: Buffer;
  readonly venueId: number;
  readonly answer: unknown;
}

export interface ItemRow extends PictureColumns {
  readonly id: number;
  readonly user_id: number;
  readonly title: string;
  readonly img: string;
  /** Whether the offer is currently active. */
  readonly active: boolean;
  /** The time of redemption, in PostgreSQL's JSON format. */
  readonly redeemed_at: string | null;
  readonly redeemed_venue: string | null;
  /** Whether the item was refunded to the buyer. */
  readonly is_voided: boolean;
  /** The venues where the offer can be redeemed; null means everywhere. */
  readonly venue_ids: readonly number[] | null;
}

/** The facts that the guards of one attempt need, and the items in its code. */
export interface AttemptFacts {
  readonly venues: readonly Venue[];
  readonly holder: Holder | undefined;
  /** Whether the code belongs to a ticket that is no longer valid. */
  readonly isTicketEnded: boolean;
  readonly claim: Claim | undefined;
  /** The redemption already made with this key, if any. */
  readonly redemption: KeptRedemption | undefined;
  readonly items: readonly ItemRow[];
}

/** The items of an attempt as one JSON column. Unknown ids are omitted. */
const itemsOfAttempt = sql<readonly ItemRow[]>`
  coalesce((
    select json_agg(item)
    from (
      select item.id, purchase.user_id, line.title, line.img, offer.active, item.redeemed_at, item.voided_at is not null as is_voided,
        (
          select venue.name
          from redemptions redemption join venues venue on venue.id = redemption.venue_id
          where redemption.id = item.redemption_id
        ) as redeemed_venue,
        (select array_agg(venue_id) from offer_venues where offer_id = offer.id) as venue_ids,
        offer.picture_id, picture.width as picture_width, picture.height as picture_height,
        picture.formats as picture_formats, picture.alternative_text as picture_alternative_text,
        picture.crop_x as picture_crop_x, picture.crop_y as picture_crop_y
      from purchase_items item
      join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
      join purchases purchase on purchase.id = item.purchase_id
      join offers offer on offer.id = line.offer_id
      left join pictures picture on picture.id = offer.picture_id
      where item.id = any(attempt.item_ids)
    ) item
  ), '[]')`;

interface FactsRow {
  attempt_index: number;
  venues: readonly Venue[];
  holder_id: bigint | null;
  holder_created_at: Date;
  holder_closed_at: Date | null;
  holder_account_state: AccountState | null;
  is_holder_held: boolean;
  claim_user_id: bigint | null;
  claim_venue_id: number;
  is_ticket_ended: boolean;
  redemption_venue_id: number | null;
  request_hash: Buffer;
  answer: unknown;
  items: readonly ItemRow[];
}

/** The ids with which the facts of an attempt are read. */
export interface AttemptNames {
  readonly userId: bigint;
  /** The holder in the code; null for a ticket code. */
  readonly holderUuid: string | null;
  /** The ticket in the code; null for a code that names its holder. */
  readonly ticket: Pick<ReadTicket, 'number' | 'bytes'> | null;
  readonly codeHash: Buffer | null;
  readonly key: string | null;
  readonly itemIds: readonly number[];
}

const byteaText = (bytes: Buffer | undefined | null): string | null =>
  bytes ? `\\x${bytes.toString('hex')}` : null;

const attemptsAsJson = (attempts: readonly AttemptNames[]): string =>
  JSON.stringify(
    attempts.map(({ userId, holderUuid, ticket, codeHash, key, itemIds }, index) => ({
      index,
      user_id: String(userId),
      holder_uuid: holderUuid,
      ticket_number: ticket?.number,
      ticket: byteaText(ticket?.bytes),
      code_hash: byteaText(codeHash),
      key,
      item_ids: itemIds,
    })),
  );

const NO_FACTS: AttemptFacts = {
  venues: [],
  holder: undefined,
  isTicketEnded: false,
  claim: undefined,
  redemption: undefined,
  items: [],
};

/**
 * Reads the facts of each attempt, in their order. The tickets of a deleted account have ended even if its phone has not been erased yet.
 *
 * The attempts are JSON because the planner expects 100 rows of any JSON, and so keeps its first plan; of an array it knows the length
 * and plans each execution anew, which takes longer than the reads. `limit 1` makes it look each row up by its index: for 100 rows it would
 * read a table whole that was nearly empty when the plan was made.
 */
export async function selectAttemptFacts(
  db: Db,
  attempts: readonly AttemptNames[],
): Promise<AttemptFacts[]> {
  const { rows } = await prepared(
    'select_attempt_facts',
    sql<FactsRow>`
    select attempt.index as attempt_index, ${venuesOfStaff} as venues,
      holder.id as holder_id, holder.created_at as holder_created_at, holder.closed_at as holder_closed_at,
      ${userAccountStateOf(sql`holder.id`, 'ATH')} as holder_account_state,
      ${standingHold(sql`holder.id`, 'redeem')} as is_holder_held,
      phone.id is not null and (phone.ended_at is not null or holder.closed_at is not null) as is_ticket_ended,
      claim.user_id as claim_user_id, claim.venue_id as claim_venue_id,
      redemption.venue_id as redemption_venue_id, redemption.request_hash, redemption.answer,
      ${itemsOfAttempt} as items
    from json_to_recordset(${attemptsAsJson(attempts)}::json) as attempt (
      index integer, user_id bigint, holder_uuid uuid, ticket_number bigint, ticket bytea, code_hash bytea, key uuid, item_ids bigint[]
    )
    cross join lateral (
      select id, role, closed_at from users where id = attempt.user_id limit 1
    ) staff
    left join lateral (
      select phone.id, phone.user_id, phone.ended_at
      from tickets ticket join ticket_phones phone on phone.id = ticket.phone_id
      where ticket.id = attempt.ticket_number and ticket.ticket = attempt.ticket limit 1
    ) phone on true
    left join lateral (
      select id, created_at, closed_at from users
      where id = coalesce(phone.user_id, (select id from users where uuid = attempt.holder_uuid)) limit 1
    ) holder on true
    left join lateral (
      select user_id, venue_id from code_claims where code_hash = attempt.code_hash limit 1
    ) claim on true
    left join lateral (
      select venue_id, request_hash, answer from redemptions where user_id = staff.id and key = attempt.key limit 1
    ) redemption on true`,
  ).execute(db);
  const rowOf = new Map(rows.map((row) => [row.attempt_index, row]));
  return attempts.map((_, index) => {
    const row = rowOf.get(index);
    return row === undefined ? NO_FACTS : factsOf(row);
  });
}

function factsOf(row: FactsRow): AttemptFacts {
  const { holder_id: holderId, claim_user_id: claimUserId } = row;
  const { redemption_venue_id: redemptionVenueId } = row;
  return {
    venues: row.venues,
    holder: holderId === null ? undefined : holderOf(holderId, row),
    isTicketEnded: row.is_ticket_ended,
    claim: claimUserId === null ? undefined : { userId: claimUserId, venueId: row.claim_venue_id },
    redemption:
      redemptionVenueId === null
        ? undefined
        : { requestHash: row.request_hash, venueId: redemptionVenueId, answer: row.answer },
    items: row.items,
  };
}

function holderOf(userId: bigint, row: FactsRow): Holder {
  const { holder_account_state: accountState } = row;
  invariant(accountState !== null, 'a user has an account in ATH');
  return {
    userId,
    createdAt: row.holder_created_at,
    isClosed: row.holder_closed_at !== null,
    accountState,
    isHeld: row.is_holder_held,
  };
}
