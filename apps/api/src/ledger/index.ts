/**
 * The ledger's only door, and the only code that moves value. Every movement is one transfer between two accounts of one
 * asset, stored once however often it is asked for; no balance passes its floor; what is acknowledged is durable.
 */
import type { QueryExecutorProvider } from 'kysely';
import type { Units } from '@athos/domain/money';
import type { LedgerAccountId } from './accounts.ts';
import type {
  GroupOutcome,
  GroupTransferRequest,
  JournalTransfer,
  TransferKind,
  TransferOutcome,
  TransferRequest,
} from './transfer.ts';

export {
  assetOfAccount,
  systemAccountId,
  userAccountId,
  userIdOfAccount,
  type Asset,
  type LedgerAccountId,
  type SystemAccount,
} from './accounts.ts';
export { LedgerUnavailableError } from './errors.ts';
export {
  TransferKind,
  type GroupOutcome,
  type GroupTransferRequest,
  type JournalTransfer,
  type PostedTransfer,
  type TransferOutcome,
  type TransferRefusal,
  type TransferRequest,
} from './transfer.ts';

/** A Kysely transaction of the caller, of whatever tables. */
export type LedgerTx = QueryExecutorProvider & { readonly isTransaction: boolean };

export interface HistoryQuery {
  /** Accounts of one user; their movements are merged, newest first. */
  accountIds: readonly LedgerAccountId[];
  /** 1 to 100. */
  limit: number;
  /** `next` of the page before, for the same accounts in the same order. */
  cursor?: string;
  kinds?: readonly TransferKind[];
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

export interface HistoryPage {
  /** May be shorter than `limit` although `next` is set: a filter that finds little looks at a bounded number of rows. */
  transfers: readonly JournalTransfer[];
  /** Opaque; `undefined` at the end. It opens no row but those of `accountIds`, whatever a caller writes into it. */
  next: string | undefined;
}

/** A user's balance after a committed transfer. Newer news of the same account has a higher `transferId`. */
export interface BalanceChange {
  accountId: LedgerAccountId;
  transferId: bigint;
  balanceUnits: Units;
}

export type AccountState = 'open' | 'restricted' | 'frozen' | 'closed';

export interface Ledger {
  /**
   * Moves value, or says why not. Settles within 5 s whatever the database does (ledger design, section 5).
   * Throws `LedgerUnavailableError`: repeat with the same key.
   */
  transfer(request: TransferRequest): Promise<TransferOutcome>;

  /**
   * The same inside the caller's transaction, all or none. Call it last: it holds the ledger until the caller commits. Read committed only.
   * After `refused` nothing was written by the ledger, so the caller may commit or roll back.
   */
  transferInTx(tx: LedgerTx, requests: readonly GroupTransferRequest[]): Promise<GroupOutcome>;

  /** Opens the user's account in every token. Opening twice changes nothing. */
  openAccounts(tx: LedgerTx, userId: bigint): Promise<void>;

  /** `restricted`, `frozen` and `closed` stop payments out; `closed` also stops payments in. Throws RangeError if there is no such account. */
  setAccountState(tx: LedgerTx, accountId: LedgerAccountId, state: AccountState): Promise<void>;

  /** Committed balances; an account that does not exist is absent. Many callers share one query. */
  balances(accountIds: readonly LedgerAccountId[]): Promise<ReadonlyMap<LedgerAccountId, Units>>;

  walkHistory(query: HistoryQuery): Promise<HistoryPage>;

  transferById(transferId: bigint): Promise<JournalTransfer | undefined>;

  /** Called after commit, also for what other processes post through `transferInTx`. Returns the unsubscribe function. */
  onPosted(listener: (changes: readonly BalanceChange[]) => void): () => void;

  /** Lets what is in flight settle, refuses the rest, closes the connections. */
  close(): Promise<void>;
}
