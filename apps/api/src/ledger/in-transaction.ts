/** Movements inside the caller's transaction: they commit with its other rows or not at all. */
import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { TokenAsset } from '@athos/domain/money';
import { invariant } from '../platform/errors.ts';
import { userAccountIdOf, type LedgerAccountId } from './accounts.ts';
import { decodeBatch, encodeBatch, type BatchRow } from './group-commit.ts';
import type {
  GroupOutcome,
  GroupTransferRequest,
  PostedTransfer,
  TransferOutcome,
  TransferRefusal,
} from './transfer.ts';

/** The caller's Kysely transaction, typed over any tables. */
export type LedgerTx = QueryExecutorProvider & { readonly isTransaction: boolean };

/** In the order of their numbers in `ledger_accounts`. */
const ACCOUNT_STATES = ['open', 'restricted', 'frozen', 'closed'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

const STATE_NAME = sql`(array[${sql.join(ACCOUNT_STATES.map((state) => sql.lit(state)))}])[state + 1]`;

export async function postInTransaction(
  tx: LedgerTx,
  entries: readonly GroupTransferRequest[],
): Promise<GroupOutcome> {
  invariant(tx.isTransaction, 'transferInTx is called in a transaction');
  const [accounts, debits, credits, amounts, keys, lines, kinds] = encodeBatch(entries, true);
  const { rows } = await sql<Record<'codes' | 'ids' | 'debit_afters' | 'credit_afters', string>>`
    select codes::text, ids::text, debit_afters::text, credit_afters::text
      from post_batch(${accounts}::bigint[], ${debits}::int[], ${credits}::int[], ${amounts}::bigint[],
                      ${keys}::uuid[], ${lines}::smallint[], ${kinds}::smallint[], true)`.execute(
    tx,
  );
  const row = rows[0];
  const texts: BatchRow | undefined = row && [
    row.codes,
    row.ids,
    row.debit_afters,
    row.credit_afters,
  ];
  return groupOutcome(decodeBatch(texts, entries.length));
}

/** With p_all_or_none, post_batch has written everything if all are done and nothing otherwise. */
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
    insert into ledger_accounts (id, asset, code)
    select * from unnest(${ids}::bigint[], ${assets}::text[], ${codes}::text[])
    on conflict (id) do nothing`.execute(tx);
}

/** Throws RangeError for an unknown account. */
export async function updateAccountState(
  tx: LedgerTx,
  accountId: LedgerAccountId,
  state: AccountState,
): Promise<void> {
  invariant(tx.isTransaction, 'setAccountState is called in a transaction');
  // Takes the ledger's lock first, like post_batch: a batch that has read the state commits before the state changes.
  await sql`select from ledger_head for update`.execute(tx);
  const { numAffectedRows } = await sql`
    update ledger_accounts set state = ${ACCOUNT_STATES.indexOf(state)}::smallint
     where id = ${accountId.toString()}::bigint`.execute(tx);
  if (numAffectedRows !== 1n) throw new RangeError(`no ledger account ${accountId}`);
}

/** Throws RangeError for an unknown account. */
export async function selectAccountState(
  executor: QueryExecutorProvider,
  accountId: LedgerAccountId,
): Promise<AccountState> {
  const { rows } = await sql<{ state: AccountState }>`
    select ${STATE_NAME} as state from ledger_accounts where id = ${accountId.toString()}::bigint`.execute(
    executor,
  );
  const [row] = rows;
  if (row === undefined) throw new RangeError(`no ledger account ${accountId}`);
  return row.state;
}

/** The state of a user's account, for a user id in a column of a query; null if there is no account. */
export const userAccountStateOf = (
  userId: RawBuilder<unknown>,
  asset: TokenAsset,
): RawBuilder<AccountState | null> => sql`(
  select ${STATE_NAME} from ledger_accounts where ledger_accounts.id = ${userAccountIdOf(userId, asset)})`;

/** Draws the first id of a new block: greater than every id drawn before, and never the id of a transfer. */
export async function drawTransferId(tx: LedgerTx): Promise<bigint> {
  invariant(tx.isTransaction, 'drawTransferId is called in a transaction');
  const { rows } = await sql<{ id: string }>`
    select (nextval('ledger_transfer_blocks') * 1024)::text as id`.execute(tx);
  return BigInt(rows[0]?.id ?? 0);
}
