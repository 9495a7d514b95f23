/** Refunds what is not redeemed of a line of a purchase to the buyer's balance, and voids its items. */
import { z } from 'zod';
import {
  athHundredths,
  microAthFromHundredths,
  priceOfItems,
  usdOfTokens,
} from '@athos/domain/money';
import type { Action } from '../../../capability.ts';
import {
  systemAccountId,
  TransferKind,
  userAccountId,
  type Ledger,
} from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { lockUsers } from '../../identity/index.ts';
import { selectCurrentRate } from '../../rate/index.ts';
import { pay, type RefusalWords } from '../../transfers/index.ts';
import {
  lockLineItems,
  lockOfferOfLine,
  returnStock,
  selectLineItems,
  selectPurchase,
  voidItems,
} from './refund.sql.ts';

export interface RefundLineDeps {
  readonly ledger: Ledger;
  readonly clock: Clock;
}

const lineRefund = z.object({ purchaseId: z.int(), line: z.int(), isStockReturned: z.boolean() });
type LineRefund = z.output<typeof lineRefund>;

const WORDS: RefusalWords = {
  nothing: 'Nothing was refunded.',
  refusals: {
    insufficient: { advice: 'The account of the shop does not hold as much.' },
    unknown_account: { code: 'not_found', advice: 'The account is closed.' },
    key_reused: {},
  },
};

/** What is left of the line to refund. Throws `not_found`, and `not_refundable` if nothing is. */
async function readRefundable(tx: Tx, { purchaseId, line }: LineRefund) {
  const purchase = await selectPurchase(tx, purchaseId);
  if (purchase === undefined || purchase.closedAt !== null) throw new AppError('not_found');
  const items = (await selectLineItems(tx, purchaseId)).filter((item) => item.line === line);
  const open = items.filter(({ redeemedAt, voidedAt }) => redeemedAt === null && voidedAt === null);
  const [first] = open;
  if (items.length === 0) throw new AppError('not_found');
  if (first === undefined) {
    throw new AppError('not_refundable', { detail: 'Every item is redeemed or refunded.' });
  }
  const price = priceOfItems(athHundredths(first.priceAthHundredths), open.length);
  return { purchase, open, offerId: first.offerId, amount: microAthFromHundredths(price) };
}

export const refundLineAction: Action<RefundLineDeps, LineRefund> = {
  name: 'purchase.refund',
  subjectType: 'purchase',
  permission: 'purchases.refund',
  policy: 'purchaseRefundPolicy',
  unit: 'ATH',
  payload: lineRefund,
  async lock(_deps, tx, { payload }) {
    const purchase = await selectPurchase(tx, payload.purchaseId);
    if (purchase === undefined) throw new AppError('not_found');
    await lockUsers(tx, [purchase.userId]);
    await lockLineItems(tx, payload.purchaseId, payload.line);
    if (payload.isStockReturned) await lockOfferOfLine(tx, payload.purchaseId, payload.line);
  },
  async preview(_deps, tx, { payload }) {
    const { purchase, open, amount } = await readRefundable(tx, payload);
    const rate = await selectCurrentRate(tx);
    const itemIds = open.map(({ id }) => id.toString());
    return {
      subjectId: payload.purchaseId.toString(),
      version: itemIds.join(' '),
      customer: { userId: purchase.userId, uuid: purchase.uuid, email: purchase.email },
      amount: { asset: 'ATH', units: amount },
      measured: amount,
      ...(rate !== undefined && { usdCents: usdOfTokens(amount, rate) }),
      before: { line: payload.line, open_items: itemIds },
      after: { voided_items: itemIds, is_stock_returned: payload.isStockReturned },
    };
  },
  async execute({ ledger, clock }, tx, { id, payload }) {
    const { purchase, open, offerId, amount } = await readRefundable(tx, payload);
    const itemIds = open.map((item) => item.id);
    await voidItems(tx, itemIds, dateOf(clock));
    if (payload.isStockReturned) await returnStock(tx, offerId, open.length);
    const transfer = {
      debitAccountId: systemAccountId('merchant', 'ATH'),
      creditAccountId: userAccountId(purchase.userId, 'ATH'),
      amountUnits: amount,
      kind: TransferKind.PurchaseRefund,
      key: id,
      line: 0,
    };
    await pay(tx, ledger, [transfer], WORDS);
  },
};
