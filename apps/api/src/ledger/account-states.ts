/** States of accounts. post_batch reads the state together with the balance; a state changes only under the ledger's lock. */
import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { TOKEN_ASSETS, type TokenAsset } from '@athos/domain/money';
import { invariant } from '../platform/errors.ts';
import { userAccountId, userAccountIdOf, type LedgerAccountId } from './accounts.ts';
import { ENDS_IDLE_SOON, type LedgerTx } from './in-transaction.ts';

/** The states in the order of their numbers in `ledger_accounts`. */
const WHOLE_STATES = ['open', 'restricted', 'frozen', 'closed'] as const;
type WholeState = (typeof WHOLE_STATES)[number];
/** `held`: holds stop some movements. */
export type AccountState = WholeState | 'held';

/** A held state is 16 plus the bits of the stopped movements. */
const HELD_BITS = { send: 1, spend: 2, receive: 4 } as const;
/** `send` stops sends, held ones included, `spend` purchases and tips, `receive` sends, tips and rewards to the account. */
export type HeldMovement = keyof typeof HELD_BITS;
const HELD = 16;

export const stateName = sql`ledger_state_name(state)`;

/** Take this lock before reading anything that a batch could change. It waits for a batch under way to commit. */
export async function lockHead(tx: LedgerTx): Promise<void> {
  await sql`select ${ENDS_IDLE_SOON}, ledger_lock()`.execute(tx);
}

/** Throws RangeError for an unknown account. */
export async function updateAccountState(
  tx: LedgerTx,
  accountId: LedgerAccountId,
  state: WholeState,
): Promise<void> {
  invariant(tx.isTransaction, 'setAccountState is called in a transaction');
  await lockHead(tx);
  const { rows } = await sql<{ count: number }>`
    select ledger_set_state(array[${accountId.toString()}::bigint], ${WHOLE_STATES.indexOf(state)}::smallint,
                            false) as count`.execute(tx);
  if (rows[0]?.count !== 1) throw new RangeError(`no ledger account ${accountId}`);
}

/** Changes only open and held accounts. */
export async function updateHeldMovements(
  tx: LedgerTx,
  userId: bigint,
  held: readonly HeldMovement[],
): Promise<void> {
  invariant(tx.isTransaction, 'setHeldMovements is called in a transaction');
  const mask = new Set(held).values().reduce((bits, movement) => bits + HELD_BITS[movement], 0);
  const ids = `{${TOKEN_ASSETS.map((asset) => userAccountId(userId, asset)).join(',')}}`;
  await lockHead(tx);
  await sql`
    select ledger_set_state(${ids}::bigint[], ${mask === 0 ? 0 : HELD + mask}::smallint, true)`.execute(
    tx,
  );
}

/** Throws RangeError for an unknown account. */
export async function selectAccountState(
  executor: QueryExecutorProvider,
  accountId: LedgerAccountId,
): Promise<AccountState> {
  const { rows } = await sql<{ state: AccountState }>`
    select ${stateName} as state from ledger_accounts where id = ${accountId.toString()}::bigint`.execute(
    executor,
  );
  const [row] = rows;
  if (row === undefined) throw new RangeError(`no ledger account ${accountId}`);
  return row.state;
}

/** How the state of an account restricts sends. */
interface SendStops {
  readonly isSendingStopped: boolean;
  readonly receivingStop: 'closed' | 'held' | undefined;
}

/** Selects the accounts whose sending or receiving is restricted. Accounts without a restriction are omitted. */
export async function selectSendStops(
  executor: QueryExecutorProvider,
  accountIds: readonly LedgerAccountId[],
): Promise<ReadonlyMap<LedgerAccountId, SendStops>> {
  const { rows } = await sql<{ id: string; state: number }>`
    select id::text as id, state from ledger_accounts
     where id = any(${`{${accountIds.join(',')}}`}::bigint[]) and state <> 0`.execute(executor);
  return new Map(
    rows.map(({ id, state }) => {
      const isHeld = state >= HELD;
      const receiving = isHeld && (state & HELD_BITS.receive) !== 0 ? 'held' : undefined;
      return [
        BigInt(id) as LedgerAccountId,
        {
          isSendingStopped: !isHeld || (state & HELD_BITS.send) !== 0,
          receivingStop: WHOLE_STATES[state] === 'closed' ? 'closed' : receiving,
        },
      ];
    }),
  );
}

/** SQL for the state of a user's account, given a column with the user's id; null if there is no account. */
export const userAccountStateOf = (
  userId: RawBuilder<unknown>,
  asset: TokenAsset,
): RawBuilder<AccountState | null> => sql`ledger_account_state(${userAccountIdOf(userId, asset)})`;
