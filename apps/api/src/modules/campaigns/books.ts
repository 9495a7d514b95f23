/** How rewards appear in the books and in the history. */
import type { MicroAth } from '@athos/domain/money';
import type { HistorySource, TransferObjects } from '../../capability.ts';
import {
  campaignAccountId,
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
} from '../../ledger/index.ts';
import { presentMovement } from '../transfers/index.ts';

/** Issues the whole budget at once, into the campaign's own account. */
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

/** The claim's id is the transfer's key. */
export const rewardObjects: TransferObjects = {
  kinds: [TransferKind.Reward],
  find: (_db, transfers) =>
    Promise.resolve(
      new Map(
        transfers.map(({ transferId, key }) => [transferId, { type: 'reward_claim', id: key }]),
      ),
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
