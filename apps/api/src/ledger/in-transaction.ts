/** Movements inside the caller's transaction: they commit with its other rows or not at all. */
import { sql, type QueryExecutorProvider } from 'kysely';
import { commitEarly } from '../platform/database/early-commit.ts';
import { prepared } from '../platform/database/prepared.ts';
import { invariant } from '../platform/errors.ts';
import type { LedgerAccountId } from './accounts.ts';
import { decodeBatch, encodeBatch, type BatchRow } from './post-batch.ts';
import { countOutcomes, postedInTransaction } from './transfer-counts.ts';
import type {
  GroupOutcome,
  GroupTransferRequest,
  PostedTransfer,
  TransferOutcome,
  TransferRefusal,
} from './transfer.ts';

/** The caller's Kysely transaction, typed over any tables. */
export type LedgerTx = QueryExecutorProvider & { readonly isTransaction: boolean };

/**
 * A process that stops between its posting and its commit holds the ledger's lock. The server ends its transaction after a second, so
 * other requests stall for at most 1.5 s. A test server may set a longer limit; an empty one counts as none.
 */
export const ENDS_IDLE_SOON = sql`set_config('idle_in_transaction_session_timeout',
  coalesce(nullif(current_setting('ledger.idle_while_posting', true), ''), '1s'), true)`;

export async function postInTransaction(
  tx: LedgerTx,
  entries: readonly GroupTransferRequest[],
): Promise<GroupOutcome> {
  invariant(tx.isTransaction, 'transferInTx is called in a transaction');
  const [accounts, debits, credits, amounts, keys, lines, kinds] = encodeBatch(entries, true);
  const { rows } = await prepared(
    'post_in_transaction',
    sql<Record<'codes' | 'ids' | 'debit_afters' | 'credit_afters', string>>`
    select codes::text, ids::text, debit_afters::text, credit_afters::text, ${ENDS_IDLE_SOON}
      from post_batch(${accounts}::bigint[], ${debits}::int[], ${credits}::int[], ${amounts}::bigint[],
                      ${keys}::uuid[], ${lines}::smallint[], ${kinds}::smallint[], true)`,
  ).execute(tx);
  const row = rows[0];
  const texts: BatchRow | undefined = row && [
    row.codes,
    row.ids,
    row.debit_afters,
    row.credit_afters,
  ];
  const outcomes = decodeBatch(texts, entries.length);
  const group = groupOutcome(outcomes);
  const counts = countOutcomes(group.outcome === 'refused' ? [group.refusal] : outcomes);
  await commitEarly(tx, () => postedInTransaction.tell(counts));
  return group;
}

/** With p_all_or_none, post_batch has written everything if all outcomes are done, and nothing otherwise. */
function groupOutcome(outcomes: readonly TransferOutcome[]): GroupOutcome {
  const posted: PostedTransfer[] = [];
  for (const [index, result] of outcomes.entries()) {
    if (!isPosted(result)) return { outcome: 'refused', index, refusal: result };
    const { transferId, debitAfterUnits, creditAfterUnits } = result;
    posted.push({ transferId, debitAfterUnits, creditAfterUnits });
  }
  const replayedCount = outcomes.filter(({ outcome }) => outcome === 'replayed').length;
  if (replayedCount === 0) return { outcome: 'done', transfers: posted };
  if (replayedCount === outcomes.length) return { outcome: 'replayed', transfers: posted };
  // Only some lines were posted under this key before, so the key belongs to another group.
  const index = outcomes.findIndex(({ outcome }) => outcome === 'done');
  return { outcome: 'refused', index, refusal: { outcome: 'key_reused' } };
}

const isPosted = (result: TransferOutcome): result is Exclude<TransferOutcome, TransferRefusal> =>
  result.outcome === 'done' || result.outcome === 'replayed';

export async function insertAccounts(
  tx: LedgerTx,
  accounts: readonly { id: LedgerAccountId; asset: string; code?: string }[],
): Promise<void> {
  const ids = `{${accounts.map(({ id }) => id).join(',')}}`;
  const assets = `{${accounts.map(({ asset }) => asset).join(',')}}`;
  const codes = `{${accounts.map(({ code }) => code ?? 'null').join(',')}}`;
  await sql`
    select ledger_open_accounts(${ids}::bigint[], ${assets}::text[], ${codes}::text[])`.execute(tx);
}

/** Draws the first id of a new block: greater than every id drawn before, and never the id of a transfer. */
export async function drawTransferId(tx: LedgerTx): Promise<bigint> {
  invariant(tx.isTransaction, 'drawTransferId is called in a transaction');
  const { rows } = await sql<{ id: string }>`
    select (nextval('ledger_transfer_blocks') * 1024)::text as id`.execute(tx);
  return BigInt(rows[0]?.id ?? 0);
}
