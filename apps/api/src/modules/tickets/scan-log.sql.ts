/** Every attempt at the scanner (decisions "Scanner"), and who scanned a code first. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';
import { arrayOfIds } from './items.sql.ts';
import type { Claim } from './staff.sql.ts';

/** One attempt: what is known of it so far, and what it came to. */
export interface ScanRecord {
  readonly action: 'scan' | 'redeem';
  readonly userId: bigint;
  readonly at: Date;
  /** As asked for; kept where there is such a venue. */
  readonly venueId: number | null;
  readonly outcome: string;
  readonly codeHash: Buffer | null;
  readonly holderUserId: bigint | null;
  readonly itemCount: number;
  readonly redeemedCount: number;
  readonly titles: readonly string[];
}

const SCAN_COLUMNS = sql`
  user_id, venue_id, at, action, outcome, code_hash, holder_user_id, item_count, redeemed_count, titles`;

/**
 * A code outlives its account by seconds: nothing of a deleted user is written down anew. The lock waits for a deletion under
 * way and then looks again; a later one waits for us, so that its job finds what was written.
 */
const openHolder = (userId: bigint | null): RawBuilder<unknown> =>
  sql`(select id from users where id = ${userId}::bigint and closed_at is null for key share)`;

const scanValues = (scan: ScanRecord): RawBuilder<unknown> => sql`
  ${scan.userId}::bigint, (select id from venues where id = ${scan.venueId}::integer), ${scan.at}::timestamptz,
  ${scan.action}::text, ${scan.outcome}::text, ${scan.codeHash}::bytea,
  ${openHolder(scan.holderUserId)},
  ${scan.itemCount}::smallint, ${scan.redeemedCount}::smallint, ${scan.titles}::text[]`;

export async function insertScan(db: Db, scan: ScanRecord): Promise<void> {
  await sql`insert into scans (${SCAN_COLUMNS}) select ${scanValues(scan)}`.execute(db);
}

interface NewClaim extends Claim {
  readonly codeHash: Buffer;
  readonly at: Date;
}

const claimInsert = ({ codeHash, userId, venueId, at }: NewClaim): RawBuilder<unknown> => sql`
  insert into code_claims (code_hash, user_id, venue_id, claimed_at)
  values (${codeHash}, ${userId}, ${venueId}, ${at}) on conflict (code_hash) do nothing returning code_hash`;

/** `false` where somebody has claimed the code meanwhile. */
export async function insertClaim(db: Db, claim: NewClaim): Promise<boolean> {
  const { rows } = await claimInsert(claim).execute(db);
  return rows.length > 0;
}

/** The claim and the scan that made it, with one commit; neither and `false` where somebody has claimed the code meanwhile. */
export async function insertClaimedScan(
  db: Db,
  claim: NewClaim,
  scan: ScanRecord,
): Promise<boolean> {
  const { rows } = await sql`
    /* prepared: scanner_claimed_scan */
    with claim as (${claimInsert(claim)})
    insert into scans (${SCAN_COLUMNS}) select ${scanValues(scan)} from claim returning id`.execute(
    db,
  );
  return rows.length > 0;
}

export async function selectClaim(db: Db, codeHash: Buffer): Promise<Claim | undefined> {
  const row = await db
    .selectFrom('code_claims')
    .select(['user_id', 'venue_id'])
    .where('code_hash', '=', codeHash)
    .executeTakeFirst();
  return row === undefined ? undefined : { userId: row.user_id, venueId: row.venue_id };
}

export async function deleteOldClaims(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'code_claims', sql`claimed_at <= ${before}`);
}

/** Attempts that redeemed nothing go earlier than those that did. */
export async function deleteOldScans(
  db: Db,
  { before, idleBefore }: { readonly before: Date; readonly idleBefore: Date },
): Promise<void> {
  await deleteInBatches(
    db,
    'scans',
    sql`at <= ${before} or (at <= ${idleBefore} and redeemed_count = 0)`,
  );
}

interface NewRedemption {
  readonly userId: bigint;
  readonly key: string;
  readonly requestHash: Buffer;
  readonly venueId: number;
  readonly answer: unknown;
  readonly at: Date;
  readonly holderUserId: bigint;
  /** To redeem: none of them was redeemed when the answer was made. */
  readonly itemIds: readonly number[];
}

/**
 * Keeps the answer under its key, marks the items, logs the attempt and tells the holder's screens: all of it or nothing, in
 * one statement, so that the locks on the items are held for no way to the database. They are taken in the order of the ids,
 * so that two scanners cannot wait for each other; who has waited for an item looks at it again. `false`, and nothing is
 * written, where an item was redeemed or the key used meanwhile, or the account closed of which something is to be redeemed.
 */
export async function insertRedemption(
  db: Db,
  redemption: NewRedemption,
  scan: ScanRecord,
): Promise<boolean> {
  const { userId, key, requestHash, venueId, answer, at, holderUserId, itemIds } = redemption;
  const { rows } = await sql<{ is_kept: boolean }>`
    /* prepared: scanner_redemption */
    with free as (
      select id from purchase_items
      where id = any(${arrayOfIds(itemIds)}) and redeemed_at is null
        and exists ${openHolder(holderUserId)}
      order by id for no key update
    ), redemption as (
      insert into redemptions (user_id, key, request_hash, venue_id, answer, created_at)
      select ${userId}::bigint, ${key}::uuid, ${requestHash}::bytea, ${venueId}::integer,
        ${JSON.stringify(answer)}::jsonb, ${at}::timestamptz
      where (select count(*) from free) = ${itemIds.length}::integer
      on conflict (user_id, key) do nothing
      returning id
    ), item as (
      update purchase_items item set redeemed_at = ${at}, redemption_id = redemption.id
      from redemption
      where item.id = any(array(select id from free))
      returning item.id
    ), scan as (
      insert into scans (${SCAN_COLUMNS}) select ${scanValues(scan)} from redemption
    )
    select redemption.id is not null as is_kept,
      case when exists (select from item)
        then pg_notify('items_redeemed', ${`${holderUserId} `}::text || redemption.id) end
    from (select) as always left join redemption on true`.execute(db);
  return rows[0]?.is_kept === true;
}

export interface ScanRow {
  readonly id: bigint;
  readonly at: Date;
  readonly action: 'scan' | 'redeem';
  readonly outcome: string;
  readonly venue: string | null;
  readonly item_count: number;
  readonly redeemed_count: number;
  readonly titles: string[];
}

/** Newest first. */
export function selectScans(
  db: Db,
  userId: bigint,
  { limit, venueId }: { readonly limit: number; readonly venueId: number | undefined },
): Promise<ScanRow[]> {
  return db
    .selectFrom('scans')
    .leftJoin('venues', 'venues.id', 'scans.venue_id')
    .select([
      'scans.id',
      'scans.at',
      'scans.action',
      'scans.outcome',
      'venues.name as venue',
      'scans.item_count',
      'scans.redeemed_count',
      'scans.titles',
    ])
    .where('scans.user_id', '=', userId)
    .$if(venueId !== undefined, (query) => query.where('scans.venue_id', '=', venueId ?? 0))
    .orderBy('scans.at', 'desc')
    .orderBy('scans.id', 'desc')
    .limit(limit)
    .execute();
}

export interface ScanCounts {
  readonly scans: number;
  readonly redeemed_items: number;
  readonly refused: number;
}

export async function selectScanCounts(
  db: Db,
  userId: bigint,
  { since, venueId }: { readonly since: Date; readonly venueId: number | undefined },
): Promise<ScanCounts> {
  const { rows } = await sql<ScanCounts>`
    select (count(*) filter (where action = 'scan'))::integer as scans,
      coalesce(sum(redeemed_count), 0)::integer as redeemed_items,
      (count(*) filter (where outcome <> 'ok'))::integer as refused
    from scans
    where user_id = ${userId} and at >= ${since}
      and (${venueId ?? null}::integer is null or venue_id = ${venueId ?? null}::integer)`.execute(
    db,
  );
  return rows[0] ?? { scans: 0, redeemed_items: 0, refused: 0 };
}
