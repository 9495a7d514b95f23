import { sql } from 'kysely';
import { userAccountStateOf, type AccountState } from '../../ledger/index.ts';
import type { Db } from '../../platform/database/database.ts';
import { invariant } from '../../platform/errors.ts';
import { itemsOf, type ItemRow } from './items.sql.ts';

export interface Venue {
  readonly id: number;
  readonly name: string;
  readonly address: string;
}

/** As JSON, so that a member of staff is one row however many venues there are. */
const venuesOfStaff = sql<Venue[]>`
  coalesce((
    select json_agg(json_build_object('id', venue.id, 'name', venue.name, 'address', venue.address) order by venue.name)
    from venue_staff binding join venues venue on venue.id = binding.venue_id
    where binding.user_id = staff.id and binding.revoked_at is null
      and staff.role = 'scanner' and staff.closed_at is null
  ), '[]')`;

/** The venues that a user is staff of now: none without the role. */
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
  /** Of the account in ATH. */
  readonly accountState: AccountState;
}

export interface KeptRedemption {
  readonly requestHash: Buffer;
  readonly venueId: number;
  readonly answer: unknown;
}

/** Everything that the guards of one attempt ask for, and the items in its code. */
export interface AttemptFacts {
  readonly venues: readonly Venue[];
  readonly holder: Holder | undefined;
  readonly claim: Claim | undefined;
  /** What was answered to this key before. */
  readonly redemption: KeptRedemption | undefined;
  readonly items: readonly ItemRow[];
}

interface FactsRow {
  venues: readonly Venue[];
  holder_id: bigint | null;
  holder_created_at: Date;
  holder_closed_at: Date | null;
  holder_account_state: AccountState | null;
  claim_user_id: bigint | null;
  claim_venue_id: number;
  redemption_venue_id: number | null;
  request_hash: Buffer;
  answer: unknown;
  items: readonly ItemRow[];
}

/** What an attempt asks after. */
export interface AttemptNames {
  readonly userId: bigint;
  readonly holderUuid: string | null;
  readonly codeHash: Buffer | null;
  readonly key: string | null;
  /** In the code. */
  readonly itemIds: readonly number[];
}

/**
 * In one statement, since each way to the database costs as much as all that it reads. Staff is read here each time: a
 * revocation holds from the next scan on, not from the next session.
 */
export async function selectAttemptFacts(
  db: Db,
  { userId, holderUuid, codeHash, key, itemIds }: AttemptNames,
): Promise<AttemptFacts> {
  const { rows } = await sql<FactsRow>`
    /* prepared: scanner_facts */
    select ${venuesOfStaff} as venues,
      holder.id as holder_id, holder.created_at as holder_created_at, holder.closed_at as holder_closed_at,
      ${userAccountStateOf(sql`holder.id`, 'ATH')} as holder_account_state,
      claim.user_id as claim_user_id, claim.venue_id as claim_venue_id,
      redemption.venue_id as redemption_venue_id, redemption.request_hash, redemption.answer,
      ${itemsOf(itemIds)} as items
    from users staff
    left join users holder on holder.uuid = ${holderUuid}::uuid
    left join code_claims claim on claim.code_hash = ${codeHash}::bytea
    left join redemptions redemption on redemption.user_id = staff.id and redemption.key = ${key}::uuid
    where staff.id = ${userId}`.execute(db);
  const [row] = rows;
  if (row === undefined) {
    return { venues: [], holder: undefined, claim: undefined, redemption: undefined, items: [] };
  }
  const { holder_id: holderId, claim_user_id: claimUserId } = row;
  const { redemption_venue_id: redemptionVenueId } = row;
  return {
    venues: row.venues,
    holder: holderId === null ? undefined : holderOf(holderId, row),
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
  };
}
