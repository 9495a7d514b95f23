/** How sends appear in the history, and the fields that all token movements share there. */
import type { TokenAsset } from '@athos/domain/money';
import type { HistorySource } from '../../capability.ts';
import {
  assetOfAccount,
  TransferKind,
  userIdOfAccount,
  type JournalTransfer,
} from '../../ledger/index.ts';
import { invariant } from '../../platform/errors.ts';
import { selectUserUuids } from '../identity/index.ts';
import { WIRE_STATES } from './held/live-events.ts';
import { selectHeldOfTransfers } from './held/transfer-rows.ts';

const isToken = (asset: TokenAsset | 'USD'): asset is TokenAsset => asset !== 'USD';

/** `counterparty` is the public address of the other user; null if there is none or it stays hidden. */
export function presentMovement(transfer: JournalTransfer, counterparty: string | null) {
  const asset = assetOfAccount(transfer.debitAccountId);
  invariant(isToken(asset), 'users hold tokens');
  return {
    id: Number(transfer.transferId),
    date: transfer.at.toISOString(),
    amount: transfer.amountUnits.toString(),
    asset,
    counterparty,
  };
}

/** Whether the user paid, and the other user's id, which is `undefined` if the other side is an account of the programme. */
function sidesOf({ debitAccountId, creditAccountId }: JournalTransfer, userId: bigint) {
  const payerId = userIdOfAccount(debitAccountId);
  const isPayer = payerId === userId;
  return { isPayer, otherId: isPayer ? userIdOfAccount(creditAccountId) : payerId };
}

/** A send that came back has no second entry: its first entry shows the return. */
export const sendHistory: HistorySource = {
  kinds: [
    { kind: TransferKind.Send, paid: 'Send', received: 'Receive' },
    { kind: TransferKind.SendHeld, paid: 'Send' },
    { kind: TransferKind.SendPosted, received: 'Receive' },
    { kind: TransferKind.Adjustment, paid: 'Send', received: 'Receive' },
  ],
  async present(db, userId, transfers) {
    const held = await selectHeldOfTransfers(db, transfers);
    const sides = transfers.map((transfer) => {
      const { isPayer, otherId } = sidesOf(transfer, userId);
      const row = held.get(transfer.transferId);
      if (row === undefined) return { transfer, isPayer, otherId };
      return { transfer, isPayer, otherId: isPayer ? row.recipient_id : row.sender_id, row };
    });
    const otherIds = new Set(sides.flatMap(({ otherId }) => otherId ?? []));
    const uuids = await selectUserUuids(db, [...otherIds]);
    return sides.map(({ transfer, isPayer, otherId = 0n, row }) => {
      const data = presentMovement(transfer, uuids.get(otherId) ?? null);
      if (!isPayer) return { type: 'Receive', data };
      return { type: 'Send', data: { ...data, ...(row && { state: WIRE_STATES[row.state] }) } };
    });
  },
};
