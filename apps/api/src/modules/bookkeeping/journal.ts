/** Accounts, transfers and trial balances in the shape of the console's answers. */
import {
  LEDGER_ASSETS,
  TRANSFER_KIND_NAMES,
  type TransferKindName,
} from '@athos/contract/console/ledger';
import { findTransferObjects, type TransferObjects } from '../../capability.ts';
import {
  accountCode,
  assetOfAccount,
  selectBalancesBefore,
  userIdOfAccount,
  type JournalTransfer,
  type LedgerAccount,
  type LedgerAccountId,
} from '../../ledger/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import { selectUserUuids } from '../identity/index.ts';

const KIND_NAMES = new Map<number, TransferKindName>(
  Object.entries(TRANSFER_KIND_NAMES).map(([name, kind]) => [kind, name as TransferKindName]),
);

type Uuids = ReadonlyMap<bigint, string>;

/** The public addresses of the users who own some of these accounts. */
function uuidsOf(db: Db, accountIds: readonly LedgerAccountId[]): Promise<Uuids> {
  const userIds = new Set(accountIds.flatMap((id) => userIdOfAccount(id) ?? []));
  return selectUserUuids(db, [...userIds]);
}

const nameAccount = (id: LedgerAccountId, uuids: Uuids) => ({
  id: id.toString(),
  asset: assetOfAccount(id),
  code: accountCode(id) ?? null,
  customer_uuid: uuids.get(userIdOfAccount(id) ?? 0n) ?? null,
});

export async function presentAccounts(db: Db, accounts: readonly LedgerAccount[]) {
  const uuids = await uuidsOf(
    db,
    accounts.map(({ id }) => id),
  );
  return accounts.map((account) => ({
    ...nameAccount(account.id, uuids),
    balance: account.balanceUnits.toString(),
    floor: account.floorUnits.toString(),
    state: account.state,
    last_transfer_id: account.lastTransferId === 0n ? null : account.lastTransferId.toString(),
  }));
}

export async function presentTransfers(
  {
    db,
    transferObjects,
  }: { readonly db: Db; readonly transferObjects: readonly TransferObjects[] },
  transfers: readonly JournalTransfer[],
) {
  const [uuids, objects] = await Promise.all([
    uuidsOf(
      db,
      transfers.flatMap(({ debitAccountId, creditAccountId }) => [debitAccountId, creditAccountId]),
    ),
    findTransferObjects(db, transferObjects, transfers),
  ]);
  return transfers.map((transfer) => ({
    id: transfer.transferId.toString(),
    at: transfer.at.toISOString(),
    kind: KIND_NAMES.get(transfer.kind) ?? ('other' as const),
    amount: transfer.amountUnits.toString(),
    debit: nameAccount(transfer.debitAccountId, uuids),
    credit: nameAccount(transfer.creditAccountId, uuids),
    debit_after: transfer.debitAfterUnits.toString(),
    credit_after: transfer.creditAfterUnits.toString(),
    key: transfer.key,
    line: transfer.line,
    object: objects.get(transfer.transferId) ?? null,
  }));
}

/**
 * The balances of each account of the programme, and of all customers together, just before a time or after the last transfer, by
 * asset. Each journal row has both legs, so the sum is 0 unless a row is wrong, which raises an alarm. `undefined` while the totals
 * are too far behind.
 */
export async function trialBalance(
  { db, log }: { readonly db: Db | Tx; readonly log: Log },
  until: Date | 'end',
) {
  const balances = await selectBalancesBefore(db, until);
  if (balances === undefined) return undefined;
  const byAsset = Map.groupBy(balances.programme, ([id]) => assetOfAccount(id));
  return LEDGER_ASSETS.map((asset) => {
    const accounts = byAsset.get(asset) ?? [];
    const customersUnits = balances.customers.get(asset) ?? 0n;
    const sumUnits = accounts.reduce((sum, [, units]) => sum + units, customersUnits as bigint);
    if (sumUnits !== 0n) {
      log.error(
        { alarm: 'ledger_unbalanced', asset, sum: sumUnits.toString(), until },
        'the trial balance does not sum to 0',
      );
    }
    return {
      asset,
      accounts: accounts.map(([id, balanceUnits]) => ({
        id: id.toString(),
        code: accountCode(id) ?? '',
        balance: balanceUnits.toString(),
      })),
      customers: customersUnits.toString(),
      sum: sumUnits.toString(),
    };
  });
}
