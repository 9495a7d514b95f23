/** Posts the changes of a dispute, and keeps its row and its order consistent with the ledger. */
import { randomUUID } from 'node:crypto';
import { microAth, usdCents } from '@athos/domain/money';
import {
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
  type Ledger,
} from '../../../ledger/index.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import { NO_SHARES, partOfTokens, returnedAfter, type Part } from '../orders/order-shares.ts';
import { updateOrder, type OrderRow } from '../orders/orders.sql.ts';
import { transfersBetween } from './dispute-books.ts';
import { insertMove, updateDispute, type DisputeRow } from './disputes.sql.ts';

export interface DisputedOrder {
  readonly order: OrderRow;
  readonly dispute: DisputeRow;
  /** Whether the user's account is closed. Nothing can be taken from a closed account, and returned tokens go to breakage. */
  readonly isClosed: boolean;
}

interface Move {
  readonly change: Partial<Omit<DisputeRow, 'evidence'>>;
  readonly kind: TransferKind;
  /** Transfers that are posted together with the change. */
  readonly besides?: readonly GroupTransferRequest[];
}

/**
 * Changes the dispute and posts the difference. Returns the dispute, and the user's balance if tokens were taken. The caller must
 * hold the locks of user, order and dispute.
 */
export async function moveDispute(
  { ledger }: { readonly ledger: Ledger },
  tx: Tx,
  { dispute, isClosed }: Pick<DisputedOrder, 'dispute' | 'isClosed'>,
  { change, kind, besides = [] }: Move,
): Promise<{ dispute: DisputeRow; balanceAfterTaking: bigint | undefined }> {
  const after = { ...dispute, ...change };
  const userAccount = userAccountId(dispute.user_id, 'ATH');
  const holder = isClosed ? systemAccountId('breakage', 'ATH') : userAccount;
  const key = randomUUID();
  const moves = transfersBetween(dispute, after, { key, kind, holder });
  const transfers = [...besides, ...moves];
  await updateDispute(tx, dispute.id, change);
  if (moves.length > 0) await insertMove(tx, key, dispute.id);
  if (transfers.length === 0) return { dispute: after, balanceAfterTaking: undefined };
  const outcome = await ledger.clawBackInTx(tx, transfers);
  invariant(outcome.outcome === 'done', 'the books of a dispute can always be moved');
  const index = transfers.findIndex(({ debitAccountId }) => debitAccountId === userAccount);
  return { dispute: after, balanceAfterTaking: outcome.transfers[index]?.debitAfterUnits };
}

/** Books the tokens of a lost dispute that were available or have been repaid; they reduce the loss. */
export async function bookRecovery(
  deps: { readonly ledger: Ledger },
  tx: Tx,
  { order, dispute, isClosed }: DisputedOrder,
  owedMicroAth: bigint,
): Promise<DisputeRow> {
  const recovered = dispute.is_lost
    ? dispute.taken_micro_ath - owedMicroAth - dispute.written_off_micro_ath
    : 0n;
  if (recovered === dispute.recovered_micro_ath) return dispute;
  const before = { ...order, ...returnedAfter(order, recoveredPart(dispute), -1n) };
  const part: Part =
    recovered === 0n
      ? { amountMicroAth: microAth(0n), ...NO_SHARES }
      : partOfTokens(before, microAth(recovered));
  await updateOrder(tx, order.id, returnedAfter(before, part, 1n));
  const change = {
    recovered_micro_ath: part.amountMicroAth,
    recovered_price_usd_cents: part.priceUsdCents,
    recovered_product_fee_usd_cents: part.productFeeUsdCents,
    recovered_processing_fee_usd_cents: part.processingFeeUsdCents,
  };
  const moved = await moveDispute(
    deps,
    tx,
    { dispute, isClosed },
    { change, kind: TransferKind.Recovery },
  );
  return moved.dispute;
}

const recoveredPart = (dispute: DisputeRow): Part => ({
  amountMicroAth: microAth(dispute.recovered_micro_ath),
  priceUsdCents: usdCents(dispute.recovered_price_usd_cents),
  productFeeUsdCents: usdCents(dispute.recovered_product_fee_usd_cents),
  processingFeeUsdCents: usdCents(dispute.recovered_processing_fee_usd_cents),
});
