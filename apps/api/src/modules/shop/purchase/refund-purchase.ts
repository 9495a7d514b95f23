/**
 * Refunds items of a purchase to the buyer's balance, and voids them. Unredeemed items are refunded within the policy by staff who may
 * refund; goods already handed out need a separate permission.
 */
import { z } from 'zod';
import {
  addMicroAth,
  athHundredths,
  microAth,
  microAthFromHundredths,
  priceOfItems,
  usdOfTokens,
} from '@athos/domain/money';
import type { Action } from '../../../capability.ts';
import { TransferKind, userAccountId, type Ledger } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { lockUsers } from '../../identity/index.ts';
import { selectCurrentRate } from '../../rate/index.ts';
import { refusalError, type RefusalWords } from '../../transfers/index.ts';
import { insertMove, selectLeft, updateLeft } from '../stock/stock.sql.ts';
import { sellerAccountId } from './books.ts';
import { lockOffers } from './offers.sql.ts';
import {
  lockItemsOfPurchase,
  selectLineItems,
  selectPurchase,
  voidItems,
  type LineItem,
} from './refund.sql.ts';

export interface RefundDeps {
  readonly ledger: Ledger;
  readonly clock: Clock;
}

const refund = z.object({
  purchaseId: z.int(),
  lines: z.array(z.object({ line: z.int(), itemCount: z.int() })),
  isStockReturned: z.boolean(),
});
type Refund = z.output<typeof refund>;

const WORDS: RefusalWords = {
  nothing: 'Nothing was refunded.',
  refusals: {
    insufficient: { advice: 'The account of the shop does not hold as much.' },
    unknown_account: { code: 'not_found', advice: 'The account is closed.' },
    key_reused: {},
  },
};

/** Which items of a line each action can refund. */
const canRefund = {
  unredeemed: ({ redeemedAt, voidedAt }: LineItem) => redeemedAt === null && voidedAt === null,
  redeemed: ({ redeemedAt, voidedAt }: LineItem) => redeemedAt !== null && voidedAt === null,
};
type Goods = keyof typeof canRefund;

/**
 * Takes refundable items of the line, those that were never handed out first. Throws `not_found`, and `not_refundable` if there are not
 * enough.
 */
function takeItems(
  items: readonly LineItem[],
  goods: Goods,
  { line, itemCount }: Refund['lines'][number],
) {
  const own = items.filter((item) => item.line === line);
  const [first] = own;
  if (first === undefined) throw new AppError('not_found');
  const left = own
    .filter(canRefund[goods])
    .toSorted((one, other) => one.reversedCount - other.reversedCount);
  if (left.length < itemCount) {
    throw new AppError('not_refundable', {
      detail: `Of line ${line}, ${left.length} ${goods} items are left to refund.`,
    });
  }
  const price = priceOfItems(athHundredths(first.priceAthHundredths), itemCount);
  return {
    line,
    offerId: first.offerId,
    merchantId: first.merchantId,
    itemIds: left.slice(0, itemCount).map(({ id }) => id),
    isOfReversed: left.slice(0, itemCount).some(({ reversedCount }) => reversedCount > 0),
    amount: microAthFromHundredths(price),
  };
}

async function readRefundable(tx: Tx, { purchaseId, lines }: Refund, goods: Goods) {
  const purchase = await selectPurchase(tx, purchaseId);
  if (purchase === undefined || purchase.closedAt !== null) throw new AppError('not_found');
  const items = await selectLineItems(tx, purchaseId);
  return { purchase, parts: lines.map((line) => takeItems(items, goods, line)) };
}

type Part = ReturnType<typeof takeItems>;

const itemIdsOf = (parts: readonly Part[]): bigint[] => parts.flatMap(({ itemIds }) => itemIds);

/** Returns the items to the stock, if it is limited. A cart has one line for each offer. */
async function returnStock(
  tx: Tx,
  parts: readonly Part[],
  by: { readonly staffId: string; readonly at: Date },
): Promise<void> {
  const counts = new Map(parts.map(({ offerId, itemIds }) => [offerId, itemIds.length]));
  for (const [offerId, before] of await selectLeft(tx, [...counts.keys()])) {
    const count = counts.get(offerId) ?? 0;
    if (before === null) continue;
    await updateLeft(tx, offerId, before + count);
    await insertMove(tx, {
      offer_id: offerId,
      kind: 'refund',
      before,
      after: before + count,
      staff_id: by.staffId,
      reason: '',
      at: by.at,
    });
  }
}

const refundAction = (
  goods: Goods,
  named: Pick<Action, 'name' | 'permission'>,
): Action<RefundDeps, Refund> => ({
  ...named,
  subjectType: 'purchase',
  policy: 'purchaseRefundPolicy',
  unit: 'ATH',
  payload: refund,
  async lock(_deps, tx, { payload }) {
    const purchase = await selectPurchase(tx, payload.purchaseId);
    if (purchase === undefined) throw new AppError('not_found');
    await lockUsers(tx, [purchase.userId]);
    await lockItemsOfPurchase(tx, payload.purchaseId);
    if (!payload.isStockReturned) return;
    const items = await selectLineItems(tx, payload.purchaseId);
    await lockOffers(
      tx,
      items.map(({ offerId }) => offerId),
    );
  },
  async preview(_deps, tx, { payload }) {
    const { purchase, parts } = await readRefundable(tx, payload, goods);
    const amount = parts.reduce((sum, part) => addMicroAth(sum, part.amount), microAth(0n));
    const rate = await selectCurrentRate(tx);
    const itemIds = itemIdsOf(parts).map(String);
    // Refunding items whose redemption was reversed always needs a vote: otherwise a reversal and a refund together would refund goods that
    // were handed out.
    const isDirect = goods === 'redeemed' || !parts.some(({ isOfReversed }) => isOfReversed);
    return {
      subjectId: payload.purchaseId.toString(),
      version: itemIds.join(' '),
      customer: { userId: purchase.userId, uuid: purchase.uuid, email: purchase.email },
      amount: { asset: 'ATH', units: amount },
      ...(isDirect && { measured: amount }),
      ...(rate !== undefined && { usdCents: usdOfTokens(amount, rate) }),
      before: { lines: parts.map(({ line }) => line), [`${goods}_items`]: itemIds },
      after: { voided_items: itemIds, is_stock_returned: payload.isStockReturned },
    };
  },
  async execute({ ledger, clock }, tx, { id, payload, requestedBy }) {
    const { purchase, parts } = await readRefundable(tx, payload, goods);
    const at = dateOf(clock);
    await voidItems(tx, itemIdsOf(parts), at);
    if (payload.isStockReturned) {
      await returnStock(tx, parts, { staffId: requestedBy.staffId, at });
    }
    const transfers = parts.map(({ line, amount, merchantId }) => ({
      debitAccountId: sellerAccountId(merchantId),
      creditAccountId: userAccountId(purchase.userId, 'ATH'),
      amountUnits: amount,
      kind: TransferKind.PurchaseRefund,
      key: id,
      line,
    }));
    // A merchant that was already settled owes the amount: the customer must not wait for its next sales (decision 0035).
    const posted = await ledger.clawBackInTx(tx, transfers);
    if (posted.outcome === 'refused') throw refusalError(posted.refusal.outcome, WORDS);
  },
});

export const refundPurchaseAction = refundAction('unredeemed', {
  name: 'purchase.refund',
  permission: 'purchases.refund',
});

export const refundRedeemedAction = refundAction('redeemed', {
  name: 'purchase.refund_redeemed',
  permission: 'purchases.refund_redeemed',
});
