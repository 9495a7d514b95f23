/** The movements of a send that can be undone. The id of its row is the key of the only movement out of `in_transit`. */
import { tokenUnits } from '@athos/domain/money';
import {
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
} from '../../../ledger/index.ts';
import { invariant } from '../../../platform/errors.ts';
import type { HeldSendRow } from './held-sends.sql.ts';

/** The movement from the sender to `in_transit`, under the key of the request. */
export const holdTransfer = (row: HeldSendRow): GroupTransferRequest => ({
  debitAccountId: userAccountId(row.sender_id, row.asset),
  creditAccountId: systemAccountId('in_transit', row.asset),
  amountUnits: tokenUnits(row.amount_units),
  kind: TransferKind.SendHeld,
  key: row.key,
  line: 0,
});

/**
 * The movement out of `in_transit`: on to the receiver or back to the sender. The ledger accepts only one of them, whatever else goes
 * wrong.
 */
export function settlingTransfer(row: HeldSendRow): GroupTransferRequest {
  invariant(row.state !== 'held', 'a send is settled before its amount moves on');
  const isPosted = row.state === 'posted';
  return {
    debitAccountId: systemAccountId('in_transit', row.asset),
    creditAccountId: userAccountId(isPosted ? row.recipient_id : row.sender_id, row.asset),
    amountUnits: tokenUnits(row.amount_units),
    kind: isPosted ? TransferKind.SendPosted : TransferKind.SendReturned,
    key: row.id,
    line: 0,
  };
}
