import type { HistorySource } from '../../capability.ts';
import { TransferKind } from '../../ledger/index.ts';
import { presentMovement } from '../transfers/index.ts';

/** Rewards, and the opening balances of the demo, which are shown as rewards. */
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
