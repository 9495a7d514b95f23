/** Statements on the log of every scan and redemption (D-086), and on claims, which record the scanner that scanned a code first. */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';
import { earlyCommit, executeEarly } from '../../platform/database/early-commit.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Claim } from './attempt-facts.sql.ts';

/** One attempt and its outcome. */
export interface ScanRecord {
  readonly action: 'scan' | 'redeem';
  readonly userId: bigint;
  readonly at: Date;
  /** The requested venue; stored only if it exists. */
  readonly venueId: number | null;
  readonly outcome: string;
  readonly codeHash: Buffer | null;
  readonly holderUserId: bigint | null;
  readonly itemCount: number;
  readonly redeemedCount: number;
  readonly titles: readonly string[];
}

export const scanColumns = sql`
  user_id, venue_id, at, action, outcome, code_hash, holder_user_id, item_count, redeemed_count, titles`;

/**
 * The holder's id, or null if the account is closed: a code may outlive its account by seconds, and nothing new is stored about a deleted
 * user. The lock waits for a deletion in progress and then checks again; a later deletion waits for this statement, so its erasure job
 * finds the row.
 */
export const openHolder = (userId: bigint | null): RawBuilder<unknown> =>
  sql`(select id from users where id = ${userId}::bigint and closed_at is null for key share)`;

export const scanValues = (scan: ScanRecord): RawBuilder<unknown> => sql`
  ${scan.userId}::bigint, (select id from venues where id = ${scan.venueId}::integer), ${scan.at}::timestamptz,
  ${scan.action}::text, ${scan.outcome}::text, ${scan.codeHash}::bytea,
  ${openHolder(scan.holderUserId)},
  ${scan.itemCount}::smallint, ${scan.redeemedCount}::smallint, ${scan.titles}::text[]`;

export async function insertScan(db: Db, scan: ScanRecord): Promise<void> {
  await sql`insert into scans (${scanColumns}) select ${scanValues(scan)}`.execute(db);
}

/**
 * Logs the repeat of a redemption. Returns `false` if there is no such redemption: after a failover it may be gone. The commit waits, so
 * a redemption that was found lasts.
 */
export async function insertRepeatedScan(db: Db, scan: ScanRecord, key: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into scans (${scanColumns}) select ${scanValues(scan)} from redemptions
     where user_id = ${scan.userId}::bigint and key = ${key}::uuid`.execute(db);
  return numAffectedRows > 0n;
}

interface NewClaim extends Claim {
  readonly codeHash: Buffer;
  readonly at: Date;
}

const claimInsert = ({ codeHash, userId, venueId, at }: NewClaim): RawBuilder<unknown> => sql`
  insert into code_claims (code_hash, user_id, venue_id, claimed_at)
  values (${codeHash}, ${userId}, ${venueId}, ${at}) on conflict (code_hash) do nothing returning code_hash`;

/** Claims a code. Returns `false` if another scanner has claimed it in the meantime. */
export async function insertClaim(db: Db, claim: NewClaim): Promise<boolean> {
  const { rows } = await claimInsert(claim).execute(db);
  return rows.length > 0;
}

/**
 * Inserts a claim and its scan; resolves once both will survive a failover. Returns `false` and inserts neither if another scanner has
 * claimed the code in the meantime.
 */
export async function insertClaimedScan(
  db: Db,
  claim: NewClaim,
  scan: ScanRecord,
): Promise<boolean> {
  const statement = prepared(
    'insert_claimed_scan',
    sql`
    with claim as (${claimInsert(claim)})
    insert into scans (${scanColumns}) select ${scanValues(scan)} from claim returning id, ${earlyCommit}`,
  );
  const rows = await executeEarly(db, statement.compile(db));
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

/**
 * Deletes old log entries. Attempts that redeemed nothing are deleted earlier than the others, together with the answers stored for their
 * replays. The conditions match those of the indexes.
 */
export async function deleteOldScans(
  db: Db,
  { before, idleBefore }: { readonly before: Date; readonly idleBefore: Date },
): Promise<void> {
  await deleteInBatches(db, 'scans', sql`at <= ${before} and redeemed_count > 0`);
  await deleteInBatches(db, 'scans', sql`at <= ${idleBefore} and redeemed_count = 0`);
  await deleteInBatches(
    db,
    'redemptions',
    sql`created_at <= ${idleBefore} and answer ->> 'redeemed_count' = '0'
      and not exists (select from redemption_conflicts where first_redemption_id = redemptions.id)`,
  );
  await deleteInBatches(db, 'refused_scans', sql`hour <= ${idleBefore}`);
}

/** Adds attempts above the limit to the count of their hour. */
export async function addRefusedScans(
  db: Db,
  { userId, at, count }: { readonly userId: bigint; readonly at: Date; readonly count: number },
): Promise<void> {
  await sql`
    insert into refused_scans as known (user_id, hour, attempt_count)
    values (${userId}::bigint, date_trunc('hour', ${at}::timestamptz), ${count}::integer)
    on conflict (user_id, hour) do update set attempt_count = known.attempt_count + excluded.attempt_count`.execute(
    db,
  );
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

const listedScans = (db: Db) =>
  db
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
    ]);

/** The logged attempts of a user since a time, newest first. */
export function selectScans(
  db: Db,
  userId: bigint,
  {
    since,
    limit,
    venueId,
  }: { readonly since: Date; readonly limit: number; readonly venueId: number | undefined },
): Promise<ScanRow[]> {
  return listedScans(db)
    .where('scans.user_id', '=', userId)
    .where('scans.at', '>=', since)
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

/** Counts a user's attempts. Those above the limit are counted by the hour and without a venue. */
export async function selectScanCounts(
  db: Db,
  userId: bigint,
  { since, venueId }: { readonly since: Date; readonly venueId: number | undefined },
): Promise<ScanCounts> {
  const { rows } = await sql<ScanCounts>`
    select (count(*) filter (where action = 'scan'))::integer as scans,
      coalesce(sum(redeemed_count), 0)::integer as redeemed_items,
      ((count(*) filter (where outcome <> 'ok')) + coalesce((
        select sum(attempt_count) from refused_scans
        where user_id = ${userId} and hour > ${since}::timestamptz - interval '1 hour'
          and ${venueId ?? null}::integer is null
      ), 0))::integer as refused
    from scans
    where user_id = ${userId} and at >= ${since}
      and (${venueId ?? null}::integer is null or venue_id = ${venueId ?? null}::integer)`.execute(
    db,
  );
  return rows[0] ?? { scans: 0, redeemed_items: 0, refused: 0 };
}

/**
 * Erases when and where a deleted user showed a code, and ends their role as staff. The scans made by a deleted member of staff stay
 * logged under an id that no longer identifies anybody.
 */
export async function eraseScans(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('scans')
    .set({ holder_user_id: null })
    .where('holder_user_id', '=', userId)
    .execute();
  await tx
    .updateTable('venue_staff')
    .set((row) => ({ revoked_at: row.fn<Date>('now', []) }))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** The scans of a holder's codes, newest first. */
export const selectScansOfHolder = (
  db: Db,
  holderId: bigint,
  { beforeId, limit }: { readonly beforeId: bigint | undefined; readonly limit: number },
): Promise<ScanRow[]> =>
  listedScans(db)
    .where('scans.holder_user_id', '=', holderId)
    .$if(beforeId !== undefined, (query) => query.where('scans.id', '<', beforeId ?? 0n))
    .orderBy('scans.id', 'desc')
    .limit(limit)
    .execute();
