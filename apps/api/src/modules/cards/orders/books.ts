import { microAth, usdCents, type UsdCents } from '@athos/domain/money';
import {
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
} from '../../../ledger/index.ts';
import type { OrderRow } from './orders.sql.ts';

/** Money that was received but not credited stays in suspense until staff decide. */
export const suspenseTransfer = (orderId: string, amount: UsdCents): GroupTransferRequest => ({
  key: orderId,
  line: 0,
  kind: TransferKind.CardMoney,
  debitAccountId: systemAccountId('card_provider', 'USD'),
  creditAccountId: systemAccountId('suspense', 'USD'),
  amountUnits: amount,
});

/**
 * The transfers of a settled order, with the order's id as key (docs/cards.md, "Books"). The token transfer comes first, because
 * it is the one that appears in the history.
 */
export function creditTransfers(order: OrderRow): GroupTransferRequest[] {
  const cardMoney = {
    key: order.id,
    debitAccountId: systemAccountId('card_provider', 'USD'),
  };
  return [
    {
      key: order.id,
      line: 0,
      kind: TransferKind.CardCredit,
      debitAccountId: systemAccountId('issuance', 'ATH'),
      creditAccountId: userAccountId(order.user_id, 'ATH'),
      amountUnits: microAth(order.amount_micro_ath),
    },
    {
      ...cardMoney,
      line: 1,
      kind: TransferKind.CardMoney,
      creditAccountId: systemAccountId('token_sales', 'USD'),
      amountUnits: usdCents(order.price_usd_cents),
    },
    {
      ...cardMoney,
      line: 2,
      kind: TransferKind.CardFee,
      creditAccountId: systemAccountId('programme_fee', 'USD'),
      amountUnits: usdCents(order.product_fee_usd_cents),
    },
    {
      ...cardMoney,
      line: 3,
      kind: TransferKind.CardFee,
      creditAccountId: systemAccountId('processing_fee', 'USD'),
      amountUnits: usdCents(order.processing_fee_usd_cents),
    },
  ];
}
