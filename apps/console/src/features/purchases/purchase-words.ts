/** The words for purchases, their items and refunds. */
import type { ApprovalState } from '@athos/contract/console/approvals';
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import type { Tone } from '../../kit/badge.tsx';
import type { RefundLine } from '../../kit/item-choice.tsx';

export type Purchase = AdminAnswer<'purchaseDetail'>;
export type Line = Purchase['lines'][number];
export type Item = Line['items'][number];

/** The items of a line that a refund takes. */
export type Goods = 'unredeemed' | 'redeemed';

type ItemState = 'open' | 'redeemed' | 'refunded';

export const stateOf = ({ redeemedAt, voidedAt }: Item): ItemState => {
  if (voidedAt !== null) return 'refunded';
  return redeemedAt === null ? 'open' : 'redeemed';
};

export const ITEM_STATES: Readonly<
  Record<ItemState, { readonly tone: Tone; readonly title: () => string }>
> = {
  open: { tone: 'info', title: m.sales_open },
  redeemed: { tone: 'success', title: m.sales_redeemed },
  refunded: { tone: 'neutral', title: m.sales_refunded },
};

/** The number of items of a line that can be refunded. */
const refundableCount = ({ items }: Line, goods: Goods): number =>
  items.filter((item) => stateOf(item) === (goods === 'redeemed' ? 'redeemed' : 'open')).length;

/** The lines with at least one refundable item. */
export const refundLines = ({ lines }: Purchase, goods: Goods): readonly RefundLine[] =>
  lines.flatMap((one) => {
    const maxCount = refundableCount(one, goods);
    const { line, title, price } = one;
    return maxCount === 0 ? [] : [{ line, title, price, maxCount }];
  });

export const REFUND_TITLES: Readonly<Record<ApprovalState, () => string>> = {
  pending: m.sales_refund_pending,
  executed: m.sales_refund_executed,
  rejected: m.sales_refund_rejected,
  withdrawn: m.sales_refund_withdrawn,
  expired: m.sales_refund_expired,
  stale: m.sales_refund_stale,
  failed: m.sales_refund_failed,
};
