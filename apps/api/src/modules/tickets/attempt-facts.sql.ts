/**
 * The facts that the guards of a scan or redemption check. They are read for each attempt, so that revoked staff are refused from the
 * next scan on and not only from the next session. One statement reads them, since a round trip costs as much as the reads.
 */
import { sql, type RawBuilder } from 'kysely';
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

/**
 * An array whose length is hidden from the planner. If it knows the length, it replans every execution, because a plan for three
 * elements looks cheaper than the generic one; that takes 1.2 ms instead of 0.2 ms.
 */
export const arrayOfIds = (ids: readonly number[]): RawBuilder<unknown> =>
  sql`array(select unnest(${ids}::bigint[]))`;

/** Items by their ids as one JSON column. Unknown ids are omitted. */
const itemsOf = (itemIds: readonly number[]): RawBuilder<readonly ItemRow[]> => sql`
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
      where item.id = any(${arrayOfIds(itemIds)})
    ) item
  ), '[]')`;

interface FactsRow {
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

/**
 * The parts of the statement that find the holder. There are two statements, so that the plan for ordinary codes does not read tickets.
 * The tickets of a deleted account have ended even if its phone has not been erased yet.
 */
const holderOfCode = ({ holderUuid, ticket }: Pick<AttemptNames, 'holderUuid' | 'ticket'>) =>
  ticket === null
    ? {
        name: 'select_attempt_facts',
        isTicketEnded: sql`false`,
        joins: sql`left join users holder on holder.uuid = ${holderUuid}::uuid`,
      }
    : {
        name: 'select_ticket_facts',
        isTicketEnded: sql`coalesce(phone.ended_at is not null or holder.closed_at is not null, false)`,
        joins: sql`
    left join tickets ticket on ticket.id = ${ticket.number}::bigint and ticket.ticket = ${ticket.bytes}::bytea
    left join ticket_phones phone on phone.id = ticket.phone_id
    left join users holder on holder.id = phone.user_id`,
      };

export async function selectAttemptFacts(
  db: Db,
  { userId, codeHash, key, itemIds, ...names }: AttemptNames,
): Promise<AttemptFacts> {
  const holderParts = holderOfCode(names);
  const { rows } = await prepared(
    holderParts.name,
    sql<FactsRow>`
    select ${venuesOfStaff} as venues,
      holder.id as holder_id, holder.created_at as holder_created_at, holder.closed_at as holder_closed_at,
      ${userAccountStateOf(sql`holder.id`, 'ATH')} as holder_account_state,
      ${standingHold(sql`holder.id`, 'redeem')} as is_holder_held, ${holderParts.isTicketEnded} as is_ticket_ended,
      claim.user_id as claim_user_id, claim.venue_id as claim_venue_id,
      redemption.venue_id as redemption_venue_id, redemption.request_hash, redemption.answer,
      ${itemsOf(itemIds)} as items
    from users staff
    ${holderParts.joins}
    left join code_claims claim on claim.code_hash = ${codeHash}::bytea
    left join redemptions redemption on redemption.user_id = staff.id and redemption.key = ${key}::uuid
    where staff.id = ${userId}`,
  ).execute(db);
  const [row] = rows;
  if (row === undefined) {
    return {
      venues: [],
      holder: undefined,
      isTicketEnded: false,
      claim: undefined,
      redemption: undefined,
      items: [],
    };
  }
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
