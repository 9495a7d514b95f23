/** Statements on the entries of logs. */
import { sql } from 'kysely';
import type { OFFLINE_OUTCOMES } from '@athos/contract/scanner/offline';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';
import type { HashedEntry } from './judge-entry.ts';

export interface ItemOutcome {
  readonly item_id: number;
  readonly outcome: (typeof OFFLINE_OUTCOMES)[number];
}

interface KnownEntry {
  readonly hash: Buffer;
  readonly state: 'booked' | 'kept' | 'settled' | 'left';
  readonly itemIds: string[];
  readonly outcomes: readonly ItemOutcome[];
}

/** Those of these entries that the server has. */
export const selectKnownEntries = (
  tx: Tx,
  logId: string,
  hashes: readonly Buffer[],
): Promise<KnownEntry[]> =>
  tx
    .selectFrom('offline_entries')
    .select([
      'entry_hash as hash',
      'state',
      'item_ids as itemIds',
      sql<readonly ItemOutcome[]>`outcomes`.as('outcomes'),
    ])
    .where('log_id', '=', logId)
    .where('entry_hash', 'in', hashes)
    .execute();

/** What one sync of a log told of. */
export interface EarlierCall {
  readonly atMs: number;
  readonly itemCount: number;
  readonly valueAthHundredths: number;
}

/** The syncs of a log after a time. What was booked by a person counts no more. */
export async function selectCallsAfter(
  tx: Tx,
  logId: string,
  after: Date,
): Promise<readonly EarlierCall[]> {
  const { rows } = await sql<EarlierCall>`
    select extract(epoch from entry.received_at)::float8 * 1000 as "atMs", count(*)::int as "itemCount",
           coalesce(sum(least(line.price_ath_hundredths, offer.price_ath_hundredths)), 0)::float8 as "valueAthHundredths"
      from offline_entries entry
      cross join lateral unnest(entry.item_ids) as shown(id)
      left join purchase_items item on item.id = shown.id
      left join purchase_lines line on line.purchase_id = item.purchase_id and line.line = item.line
      left join offers offer on offer.id = line.offer_id
     where entry.log_id = ${logId}::uuid and entry.state = 'booked' and entry.received_at > ${after}::timestamptz
     group by entry.received_at`.execute(tx);
  return rows;
}

export async function countKept(db: Db | Tx, logId: string): Promise<number> {
  const { count } = await db
    .selectFrom('offline_entries')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('log_id', '=', logId)
    .where('state', '=', 'kept')
    .executeTakeFirstOrThrow();
  return count;
}

export interface NewEntry {
  readonly entry: HashedEntry;
  readonly state: 'booked' | 'kept' | 'settled' | 'left';
  readonly fault: string | null;
  readonly holderUserId: bigint | null;
  readonly redemptionId: bigint | null;
  readonly outcomes: readonly ItemOutcome[];
}

/** An entry that was kept before is replaced by what became of it. */
export async function insertEntries(
  tx: Tx,
  logId: string,
  entries: readonly NewEntry[],
  at: Date,
): Promise<void> {
  if (entries.length === 0) return;
  await tx
    .insertInto('offline_entries')
    .values(
      entries.map(({ entry, state, fault, holderUserId, redemptionId, outcomes }) => ({
        log_id: logId,
        entry_hash: entry.hash,
        seq: BigInt(entry.seq),
        state,
        fault,
        at_ms: BigInt(entry.at_ms),
        received_at: at,
        staff_uuid: entry.staff_uuid,
        venue_id: entry.venue_id,
        previous_hash: Buffer.from(entry.previous_hash, 'base64url'),
        signature: Buffer.from(entry.signature, 'base64url'),
        code: entry.code,
        item_ids: sql<string[]>`${`{${entry.item_ids.join(',')}}`}::bigint[]`,
        holder_user_id: holderUserId,
        redemption_id: redemptionId,
        outcomes: JSON.stringify(outcomes),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['log_id', 'entry_hash']).doUpdateSet((row) => ({
        state: row.ref('excluded.state'),
        fault: row.ref('excluded.fault'),
        signature: row.ref('excluded.signature'),
        holder_user_id: row.ref('excluded.holder_user_id'),
        redemption_id: row.ref('excluded.redemption_id'),
        outcomes: row.ref('excluded.outcomes'),
      })),
    )
    .execute();
}

/** What waits for a person, in the order of the log. */
export const selectKept = (tx: Tx, logId: string) =>
  tx
    .selectFrom('offline_entries')
    .select([
      sql<number>`seq::float8`.as('seq'),
      sql<number>`at_ms::float8`.as('atMs'),
      'fault',
      'staff_uuid as staffUuid',
      'venue_id as venueId',
      'previous_hash as previousHash',
      'signature',
      'code',
      'item_ids as itemIds',
    ])
    .where('log_id', '=', logId)
    .where('state', '=', 'kept')
    .orderBy('seq')
    .orderBy('at_ms')
    .execute();

/** Forgets the codes of an erased holder: they hold the beginning of the holder's id. */
export async function eraseEntries(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('offline_entries')
    .set({ code: null, holder_user_id: null })
    .where('holder_user_id', '=', userId)
    .execute();
}

export const deleteOldEntries = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'offline_entries', sql`received_at <= ${before}`);
