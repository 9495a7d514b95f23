/**
 * Keeps the ids of transfers that a restore to the past removed from being used again: receipts and anchors contain them. The restore
 * sets the sequence of ids back with everything else (docs/operating.md, "Restoring to the past").
 */
import { sql } from 'kysely';
import { invariant } from '../platform/errors.ts';
import type { LedgerTx } from './in-transaction.ts';

/**
 * Moves the sequence of ids far above the transfer that the last anchor names. May be repeated, and never moves it back. Returns a lower
 * bound of all later ids. The caller must be a member of the ledger's owner; the programs' roles are refused.
 */
export async function skipLostIds(tx: LedgerTx, anchoredId: bigint): Promise<bigint> {
  invariant(tx.isTransaction, 'skipLostIds is called in a transaction');
  // The call may create a piece of the journal, which must belong to the ledger's owner. A database without the roles has one owner for
  // everything.
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
