/** How rewards appear in the books and in the history. */
import type { MicroAth } from '@athos/domain/money';
import type { HistorySource, TransferObject, TransferObjects } from '../../capability.ts';
import {
  campaignAccountId,
  campaignIdOfAccount,
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
  type JournalTransfer,
} from '../../ledger/index.ts';
import { invariant } from '../../platform/errors.ts';
import { presentMovement } from '../transfers/index.ts';

/** Issues a budget into the campaign's own account. */
export const budgetTransfer = (
  campaignId: number,
  budget: MicroAth,
  key: string,
): GroupTransferRequest => ({
  debitAccountId: systemAccountId('issuance', 'ATH'),
  creditAccountId: campaignAccountId(campaignId),
  amountUnits: budget,
  kind: TransferKind.RewardBudget,
  key,
  line: 0,
});

/** Returns the remaining budget. The key is the campaign's own, so that the ledger makes the transfer only once. */
export const returnTransfer = (
  { id, key }: { readonly id: number; readonly key: string },
  left: MicroAth,
): GroupTransferRequest => ({
  debitAccountId: campaignAccountId(id),
  creditAccountId: systemAccountId('issuance', 'ATH'),
  amountUnits: left,
  kind: TransferKind.BudgetReturn,
  key,
  line: 0,
});

/** The campaign pays, so the transfer's key is the claim's own and not the user's. */
export const claimTransfer = ({
  id,
  campaignId,
  userId,
  amount,
}: {
  id: string;
  campaignId: number;
  userId: bigint;
  amount: MicroAth;
}): GroupTransferRequest => ({
  debitAccountId: campaignAccountId(campaignId),
  creditAccountId: userAccountId(userId, 'ATH'),
  amountUnits: amount,
  kind: TransferKind.Reward,
  key: id,
  line: 0,
});

/** A reward's key is the id of its claim; a budget belongs to the campaign whose account received or returned it. */
function objectOf({ kind, key, debitAccountId, creditAccountId }: JournalTransfer): TransferObject {
  if (kind === TransferKind.Reward) return { type: 'reward_claim', id: key };
  const id = campaignIdOfAccount(creditAccountId) ?? campaignIdOfAccount(debitAccountId);
  invariant(id !== undefined, 'a budget moves into or out of the account of a campaign');
  return { type: 'campaign', id: id.toString() };
}

export const campaignTransfers: TransferObjects = {
  kinds: [TransferKind.Reward, TransferKind.RewardBudget, TransferKind.BudgetReturn],
  find: (_db, transfers) =>
    Promise.resolve(
      new Map(transfers.map((transfer) => [transfer.transferId, objectOf(transfer)])),
    ),
};

/** Rewards, and the demo's opening balances, which appear as rewards. */
export const rewardHistory: HistorySource = {
  kinds: [
    { kind: TransferKind.Reward, received: 'Reward' },
    { kind: TransferKind.Seed, received: 'Reward' },
  ],
  present: (_db, _userId, transfers) =>
    Promise.resolve(
      transfers.map((transfer) => ({ type: 'Reward', data: presentMovement(transfer, null) })),
    ),
};
