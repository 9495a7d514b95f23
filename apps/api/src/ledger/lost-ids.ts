/**
 * Keeps the ids of transfers that a restore to the past took away from being used again: they stand in receipts and anchors. The restore
 * sets the sequence of ids back with everything else (docs/operating.md, "Restoring to the past").
 */
import { sql } from 'kysely';
import { invariant } from '../platform/errors.ts';
import type { LedgerTx } from './in-transaction.ts';

/**
 * Makes ids go on far above the transfer that the last anchor of all names. May be repeated, and never goes back. Returns an id that no
 * later one is below. Whoever calls it is a member of the ledger's owner; programs are refused.
 */
export async function skipLostIds(tx: LedgerTx, anchoredId: bigint): Promise<bigint> {
  invariant(tx.isTransaction, 'skipLostIds is called in a transaction');
  // It may make a piece of the journal, which must belong to the ledger's owner. A database without the roles has one owner for all.
  await sql`
    select set_config('role', 'athos_ledger', true) where to_regrole('athos_ledger') is not null`.execute(
    tx,
  );
  const { rows } = await sql<{ id: string }>`
    select ledger_skip_lost_ids(${anchoredId.toString()}::bigint)::text as id`.execute(tx);
  const [row] = rows;
  invariant(row !== undefined, 'ledger_skip_lost_ids answers one row');
  return BigInt(row.id);
}
