import type { MicroAth } from '@athos/domain/money';
import {
  campaignAccountId,
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
} from '../../ledger/index.ts';

/** What a campaign may give out comes into being at once and lies in the campaign's own account. */
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

/** A reward in the books. The campaign pays, so the key is the claim's own and not the user's. */
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
