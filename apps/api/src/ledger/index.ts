/**
 * The door of the ledger, and the only code that moves value. Every movement is one transfer between two accounts of one asset,
 * stored once however often it is requested. No balance falls below its floor, and every acknowledged transfer is durable.
 */
import type { QueryExecutorProvider } from 'kysely';
import { TOKEN_ASSETS, TRANSFER_MICRO_MAX, type Units } from '@athos/domain/money';
import { isUuid } from '@athos/domain/uuid';
import { connectTo } from '../platform/database/address.ts';
import { HISTORY_POOL_SIZE } from '../platform/database/database.ts';
import { FollowingPool } from '../platform/database/pool.ts';
import type { Log } from '../platform/log/log.ts';
import type { LedgerMetrics } from '../platform/metrics/metrics.ts';
import {
  assetOfAccount,
  campaignAccountId,
  merchantAccountId,
  userAccountId,
  type LedgerAccountId,
} from './accounts.ts';
import { BalanceReader } from './balance-reader.ts';
import {
  lockHead,
  selectAccountState,
  updateAccountState,
  updateHeldMovements,
  type AccountState,
  type HeldMovement,
} from './account-states.ts';
import { clawBack, raiseFloor } from './claw-back.ts';
import { closeUserAccounts, type CloseOutcome } from './close-accounts.ts';
import { GroupCommit } from './group-commit.ts';
import { HistoryReplica } from './history-replica.ts';
import { JournalTail, type PostedFollower } from './journal-tail.ts';
import { countTransactions } from './transfer-counts.ts';
import {
  isKeyUsed,
  lastPostedAt,
  movementsSince,
  transferById,
  walkHistory,
  type HistoryPage,
  type HistoryQuery,
} from './history.ts';
import {
  drawTransferId,
  insertAccounts,
  postInTransaction,
  type LedgerTx,
} from './in-transaction.ts';
import type {
  GroupOutcome,
  GroupTransferRequest,
  JournalTransfer,
  TransferOutcome,
  TransferRequest,
} from './transfer.ts';

export {
  accountCode,
  assetOfAccount,
  campaignAccountId,
  campaignIdOfAccount,
  merchantAccountId,
  systemAccountId,
  userAccountId,
  userIdOfAccount,
  type LedgerAccountId,
  type SystemAccount,
} from './accounts.ts';
export type { Forfeited } from './close-accounts.ts';
export { LedgerUnavailableError } from './errors.ts';
export {
  countJournal,
  readJournal,
  selectAccountsById,
  selectChainHead,
  selectDebts,
  selectNewestBatch,
  selectProgrammeAccounts,
  selectTransferIds,
  selectTransferOfKey,
  selectTransfersByKeys,
  type JournalFilter,
  type LedgerAccount,
} from './explore.ts';
export {
  selectSendStops,
  userAccountStateOf,
  type AccountState,
  type HeldMovement,
} from './account-states.ts';
export {
  countBalances,
  selectAccountIdMax,
  selectFlowsAfter,
  sumDormant,
  type LedgerFlow,
} from './flows.ts';
export { WARM_UP } from './post-batch.ts';
export { BadCursorError, type HistoryPage, type HistoryQuery } from './history.ts';
export {
  replaceLedgerClock,
  RESTORE_LEDGER_CLOCK,
  restoreLedgerClock,
  setPastClock,
} from './past-clock.ts';
export {
  deleteCheckpoints,
  insertCheckpoint,
  selectCheckpointPlaces,
  type CheckpointKeys,
} from './checkpoints.ts';
export { skipLostIds } from './lost-ids.ts';
export { keepPieces, type PieceLimits } from './pieces.ts';
export { selectSendsAfter } from './sends.ts';
export { addTotals, selectBalancesBefore } from './totals.ts';
export {
  TransferKind,
  type GroupTransferRequest,
  type JournalTransfer,
  type TransferOutcome,
  type TransferRefusal,
  type TransferRequest,
} from './transfer.ts';
export { verifyLedger, type LedgerReport } from './verify.ts';
export {
  countRowsBefore,
  selectBatchEndingAt,
  selectBatchesAfter,
  selectPostedAt,
  selectRowTexts,
  type PostedBatch,
} from './whole-batches.ts';

export interface Ledger {
  /**
   * Moves value or refuses. Settles within 5 s even if the database does not respond. Throws `LedgerUnavailableError`; then only
   * a retry with the same key can tell the outcome.
   */
  transfer(request: TransferRequest): Promise<TransferOutcome>;

  /**
   * Moves value inside the caller's transaction (read committed), all or none. Call it last: it locks the ledger until the
   * caller commits. After `refused` the ledger has written nothing, so the caller may commit or roll back.
   */
  transferInTx(tx: LedgerTx, requests: readonly GroupTransferRequest[]): Promise<GroupOutcome>;

  /** Opens the user's accounts, one in each token. Idempotent. */
  openAccounts(tx: LedgerTx, userId: bigint): Promise<void>;

  /** Opens the account that holds the budget of a reward campaign. Idempotent. */
  openCampaignAccount(tx: LedgerTx, campaignId: number): Promise<void>;

  /** Opens the account for the sales of a merchant. Idempotent. */
  openMerchantAccount(tx: LedgerTx, merchantId: number): Promise<void>;

  /**
   * Takes value back, below 0 if necessary. Like `transferInTx`, but the floors of the paying accounts of users and merchants are lowered
   * as far as needed, and holds, restrictions and freezes stay in place without stopping it. A closed account refuses. Call it last.
   */
  clawBackInTx(tx: LedgerTx, requests: readonly GroupTransferRequest[]): Promise<GroupOutcome>;

  /**
   * Raises the floor of an account of a user or merchant to its balance, but at most to 0, and returns it. Takes the ledger's lock, so call it last.
   * Throws RangeError for an unknown account.
   */
  restoreFloorInTx(tx: LedgerTx, accountId: LedgerAccountId): Promise<Units>;

  /** `restricted`, `frozen` and `closed` block payments out; `closed` also blocks payments in. Throws RangeError for an unknown account. */
  setAccountState(
    tx: LedgerTx,
    accountId: LedgerAccountId,
    state: Exclude<AccountState, 'held'>,
  ): Promise<void>;

  /**
   * Stops exactly these movements of the user's accounts; an empty list opens the accounts. Restricted, frozen and closed accounts stay
   * as they are, since these states stop more. Takes the ledger's lock, so call it last.
   */
  setHeldMovements(tx: LedgerTx, userId: bigint, held: readonly HeldMovement[]): Promise<void>;

  /**
   * Moves the user's balances to breakage under `key` and closes the accounts permanently. Writes nothing unless `closed`.
   * Call it last, like `transferInTx`.
   */
  closeAccounts(tx: LedgerTx, userId: bigint, key: string): Promise<CloseOutcome>;

  /** Throws RangeError for an unknown account. */
  accountState(executor: QueryExecutorProvider, accountId: LedgerAccountId): Promise<AccountState>;

  /**
   * Draws an id for an entry that moved nothing but has a place among the transfers in the history, such as a canceled card
   * order. No transfer ever gets the same id.
   */
  drawTransferId(tx: LedgerTx): Promise<bigint>;

  /** Committed balances. Unknown accounts are omitted. Many callers share one query. */
  balances(accountIds: readonly LedgerAccountId[]): Promise<ReadonlyMap<LedgerAccountId, Units>>;

  walkHistory(query: HistoryQuery): Promise<HistoryPage>;

  transferById(transferId: bigint): Promise<JournalTransfer | undefined>;

  /**
   * The movements of an account down to and including the given transfer, newest first. `undefined` if there are more than
   * `rowCountMax`.
   */
  movementsSince(
    executor: QueryExecutorProvider,
    accountId: LedgerAccountId,
    range: { sinceId: bigint; rowCountMax: number },
  ): Promise<readonly JournalTransfer[] | undefined>;

  /** Locks the ledger until the transaction ends, so that data read from it stays valid until the transaction posts. */
  lockInTx(tx: LedgerTx): Promise<void>;

  /**
   * Whether the user has made a transfer under this key that is not part of a group, so that `transfer` can only replay or refuse it. An
   * outcome must still be taken from `transfer`: a replay is acknowledged by a write.
   */
  isKeyUsed(userId: bigint, key: string): Promise<boolean>;

  /** The time of the last batch. The journal's times never decrease, so the next batch has no earlier one. */
  postedAt(): Promise<Date | undefined>;

  /** Tells the follower about movements that any process has posted. Await `ready` before relying on it. */
  followPosted(follower: PostedFollower): Pick<JournalTail, 'ready' | 'stop'>;

  /** Refuses new requests, lets those in progress settle and closes the connections. */
  close(): Promise<void>;
}

export interface LedgerOptions {
  databaseUrl: string;
  /** The address of a standby, from which history pages with a cursor are read if it has replayed enough. */
  replicaUrl?: string | undefined;
  historyConnectionsMax?: number;
  log: Log;
  metrics?: LedgerMetrics;
}

/** Connects in the background and reconnects as needed. Create one per process: two would split the batches. */
export function createLedger(options: LedgerOptions): Ledger {
  const { databaseUrl, replicaUrl, log, metrics } = options;
  const batches = new GroupCommit({ databaseUrl, log, metrics });
  const pool = openHistoryPool(options);
  const replica =
    replicaUrl === undefined ? undefined : new HistoryReplica({ replicaUrl, log, metrics });
  const onUp = (lostAtMs: number): void => {
    pool.dropConnections(lostAtMs);
    replica?.noteConnected();
  };
  const reader = new BalanceReader({ databaseUrl, log, onUp });
  const endCounting = metrics && countTransactions(metrics);
  return {
    async transfer(request) {
      requireSound(request);
      if (!isPostable(request.amountUnits)) return { outcome: 'bad_amount' };
      return batches.post({ ...request, line: 0 });
    },
    transferInTx: async (tx, requests) => refusedShape(requests) ?? postInTransaction(tx, requests),
    clawBackInTx: async (tx, requests) => refusedShape(requests) ?? clawBack(tx, requests),
    restoreFloorInTx: raiseFloor,
    openAccounts: (tx, userId) =>
      insertAccounts(
        tx,
        TOKEN_ASSETS.map((asset) => ({ id: userAccountId(userId, asset), asset })),
      ),
    openCampaignAccount: (tx, campaignId) =>
      insertAccounts(tx, [
        { id: campaignAccountId(campaignId), asset: 'ATH', code: `campaign_${campaignId}` },
      ]),
    openMerchantAccount: (tx, merchantId) =>
      insertAccounts(tx, [
        { id: merchantAccountId(merchantId), asset: 'ATH', code: `merchant_${merchantId}` },
      ]),
    setAccountState: updateAccountState,
    setHeldMovements: updateHeldMovements,
    closeAccounts: closeUserAccounts,
    accountState: selectAccountState,
    drawTransferId,
    balances: (accountIds) => reader.read(accountIds),
    async walkHistory(query) {
      const { cursor } = query;
      const page = cursor === undefined ? undefined : await replica?.walk({ ...query, cursor });
      return page ?? walkHistory(pool, query);
    },
    transferById: (transferId) => transferById(pool, transferId),
    movementsSince,
    lockInTx: lockHead,
    isKeyUsed: (userId, key) => isKeyUsed(pool, userId, key),
    postedAt: () => lastPostedAt(pool),
    followPosted: (follower) => new JournalTail(pool, log, follower),
    async close() {
      await batches.close();
      await reader.close();
      await replica?.close();
      await pool.end();
      endCounting?.();
    },
  };
}

const openHistoryPool = ({
  databaseUrl,
  historyConnectionsMax = HISTORY_POOL_SIZE,
  log,
}: LedgerOptions): FollowingPool =>
  new FollowingPool(
    {
      ...connectTo(databaseUrl),
      application_name: 'athos-ledger-history',
      max: historyConnectionsMax,
    },
    log,
  );

/** post_batch refuses other amounts too, but some of them do not even parse as a bigint there. */
const isPostable = (amountUnits: Units): boolean =>
  amountUnits > 0n && amountUnits <= TRANSFER_MICRO_MAX;

function refusedShape(requests: readonly GroupTransferRequest[]): GroupOutcome | undefined {
  for (const request of requests) requireSound(request);
  const index = requests.findIndex(({ amountUnits }) => !isPostable(amountUnits));
  return index < 0 ? undefined : { outcome: 'refused', index, refusal: { outcome: 'bad_amount' } };
}

/** Throws for faults of the calling code, which no user can cause. One such request would fail its whole batch. */
function requireSound({ debitAccountId, creditAccountId, key }: TransferRequest): void {
  if (!isUuid(key)) throw new RangeError('the key of a transfer is a UUID');
  if (assetOfAccount(debitAccountId) !== assetOfAccount(creditAccountId)) {
    throw new RangeError('both accounts of a transfer have one asset');
  }
}
