/** The door of adjustments: value that staff move by hand, and how it appears to customers. */
import { userIdOfAccount, TransferKind } from '../../ledger/index.ts';
import type { Capability, HistorySource } from '../../capability.ts';
import { presentMovement } from '../transfers/index.ts';
import { registerAdjustmentRoutes } from './adjustments.routes.ts';
import { creditAction, debitAction, fundGoodwillAction } from './by-hand.ts';

/** The reason that a customer sees for the movement. */
const reasonOf = (kind: TransferKind) => {
  if (kind === TransferKind.Hold) return 'held';
  return kind === TransferKind.Release ? 'released' : 'adjustment';
};

const history: HistorySource = {
  kinds: [
    { kind: TransferKind.Hold, paid: 'Send' },
    { kind: TransferKind.Release, received: 'Receive' },
    { kind: TransferKind.Goodwill, received: 'Receive' },
  ],
  present: (_db, userId, transfers) =>
    Promise.resolve(
      transfers.map((transfer) => ({
        type: userIdOfAccount(transfer.debitAccountId) === userId ? 'Send' : 'Receive',
        data: { ...presentMovement(transfer, null), reason: reasonOf(transfer.kind) },
      })),
    ),
};

export const adjustments = {
  registerConsoleRoutes: registerAdjustmentRoutes,
  history,
  actions: [creditAction, debitAction, fundGoodwillAction],
} satisfies Capability<Parameters<typeof registerAdjustmentRoutes>[1]>;
