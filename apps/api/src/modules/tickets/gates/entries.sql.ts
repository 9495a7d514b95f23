/** Statements on the entries of logs. */
import { sql } from 'kysely';
import type { OFFLINE_OUTCOMES } from '@athos/contract/scanner/offline';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';
import { openHolder } from '../scans.sql.ts';
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

/** Selects those of these entries that the server already has. */
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

/** The redemptions in one sync of a log. */
export interface EarlierCall {
  readonly atMs: number;
  readonly itemCount: number;
  readonly valueAthHundredths: number;
}

/** The syncs of a log after a time. Entries that a person booked no longer count. */
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

/** The holder as named in a code: the number and bytes of a ticket, or the holder's address. */
export interface CodeNames {
  readonly number: number | null;
  readonly ticket: Buffer | null;
  readonly uuid: string | null;
}

interface CodeHolder {
  readonly userId: bigint | null;
  /** Whether the ticket's holder was erased. */
  readonly isErased: boolean;
}

/** The holders of codes, in the same order. */
export async function selectHoldersOfCodes(
  tx: Tx,
  codes: readonly CodeNames[],
): Promise<readonly CodeHolder[]> {
  const given = codes.map(
    ({ number, ticket, uuid }, place) =>
      sql`(${place}::integer, ${number}::bigint, ${ticket}::bytea, ${uuid}::uuid)`,
  );
  const { rows } = await sql<CodeHolder>`
    select case when ticket.ticket = given.ticket then phone.user_id else named.id end as "userId",
           coalesce(phone.id is not null and phone.user_id is null, false) as "isErased"
      from (values ${sql.join(given)}) given (place, number, ticket, uuid)
      left join tickets ticket on ticket.id = given.number
      left join ticket_phones phone on phone.id = ticket.phone_id
      left join users named on named.uuid = given.uuid
     order by given.place`.execute(tx);
  return rows;
}

export interface NewEntry {
  readonly entry: HashedEntry;
  readonly state: 'booked' | 'kept' | 'settled' | 'left';
  readonly fault: string | null;
  readonly holderUserId: bigint | null;
  readonly redemptionId: bigint | null;
  readonly outcomes: readonly ItemOutcome[];
}

/** The code, unless its holder's account is closed: nothing new is stored about a deleted user. */
const codeOf = ({ code, holderUserId }: Pick<StoredEntry, 'code' | 'holderUserId'>) =>
  holderUserId === null
    ? code
    : sql<string | null>`case when exists ${openHolder(holderUserId)} then ${code}::text end`;

interface StoredEntry extends NewEntry {
  /** Null if it was erased. */
  readonly code: string | null;
}

/** Inserts entries. An entry that was kept before is replaced by its outcome. A code that was erased is not stored again. */
export async function insertEntries(
  tx: Tx,
  logId: string,
  entries: readonly StoredEntry[],
  at: Date,
): Promise<void> {
  await tx
    .insertInto('offline_entries')
    .values(
      entries.map(({ entry, redemptionId, outcomes, ...stored }) => ({
        log_id: logId,
        entry_hash: entry.hash,
        seq: BigInt(entry.seq),
        state: stored.state,
        fault: stored.fault,
        at_ms: BigInt(entry.at_ms),
        received_at: at,
        staff_uuid: entry.staff_uuid,
        venue_id: entry.venue_id,
        previous_hash: Buffer.from(entry.previous_hash, 'base64url'),
        signature: Buffer.from(entry.signature, 'base64url'),
        code: codeOf(stored),
        item_ids: sql<string[]>`${`{${entry.item_ids.join(',')}}`}::bigint[]`,
        holder_user_id: sql<bigint | null>`${openHolder(stored.holderUserId)}`,
        redemption_id: redemptionId,
        outcomes: JSON.stringify(outcomes),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['log_id', 'entry_hash']).doUpdateSet((row) => ({
        state: row.ref('excluded.state'),
        fault: row.ref('excluded.fault'),
        signature: row.ref('excluded.signature'),
        code: sql<string | null>`case when excluded.code is not null then offline_entries.code end`,
        // Tickets are deleted before entries, so the holder of a kept entry may be found only in its row.
        holder_user_id: sql<
          bigint | null
        >`coalesce(offline_entries.holder_user_id, excluded.holder_user_id)`,
        redemption_id: row.ref('excluded.redemption_id'),
        outcomes: row.ref('excluded.outcomes'),
      })),
    )
    .execute();
}

/** The entries that wait for a person, in the order of the log. */
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

/** Erases the codes of a holder: they contain the first part of the holder's id. */
export async function eraseEntries(tx: Tx, userId: bigint): Promise<void> {
  await tx
    .updateTable('offline_entries')
    .set({ code: null, holder_user_id: null })
    .where('holder_user_id', '=', userId)
    .execute();
}

export const deleteOldEntries = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'offline_entries', sql`received_at <= ${before}`);
