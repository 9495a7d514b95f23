/** The door of cards: buying tokens by card, from the order to the credit. */
import type { FastifyInstance } from 'fastify';
import type { Capability } from '../../capability.ts';
import { registerCardRoutes } from './cards.routes.ts';
import { cardCrontab, createCardTasks } from './cards.tasks.ts';
import { bookAction, bookTransactionAction } from './console/booking.actions.ts';
import {
  refundAtCostAction,
  refundByBankAction,
  refundToCardAction,
  reviewAction,
  writeOffAction,
} from './console/card-money.actions.ts';
import { cardsWaiting } from './console/card-waiting.sql.ts';
import { registerDebts } from './console/debts.routes.ts';
import { registerDisputes, registerEvidence } from './console/disputes.routes.ts';
import { registerPayments, type CardConsoleDeps } from './console/payments.routes.ts';
import { registerProviderMoney } from './console/provider-money.routes.ts';
import { registerReconciliation } from './console/reconciliation.routes.ts';
import { registerRefunds } from './console/refunds.routes.ts';
import { eraseCards, requireNoOpenMoney } from './erase.sql.ts';
import { cardLiveEvents, cardHistory, cardObjects } from './history.ts';
import { cardStats } from './orders/card-stats.sql.ts';
import type {} from './tables.ts';

export {
  compileDisputes,
  countDisputes,
  type DisputeFilters,
  type ListedDispute,
} from './console/dispute-lists.sql.ts';
export {
  compilePayments,
  compileRefunds,
  countPayments,
  countRefunds,
  type ListedRefund,
  type PaymentFilters,
  type PaymentRow,
  type RefundFilters,
} from './console/payments.sql.ts';
export { beginOrder } from './orders/begin-order.ts';
export { cancelAndSettle, fetchAndSettle } from './orders/settle.ts';
export { findDebt } from './disputes/debts.ts';
export { findOrderToGather, saveGathered } from './disputes/gathered-evidence.ts';
export { refreshWarning } from './disputes/refresh-disputes.ts';
export { selectEventCounts } from './events/events.sql.ts';
export { findOrder } from './orders/orders.sql.ts';
export { comparePaymentsOfCopy } from './reconciliation/compare-copy.ts';
export { selectNewestDay } from './reconciliation/totals.sql.ts';
export { resendReceipt } from './orders/receipt.ts';
export { approveRefund, requestRefund } from './refunds/request-refund.ts';
export { createCardProvider, type CardProvider } from './provider/card-provider.ts';

export const cards = {
  registerRoutes: registerCardRoutes,
  registerConsoleRoutes(app: FastifyInstance, deps: CardConsoleDeps) {
    registerPayments(app, deps);
    registerRefunds(app, deps);
    registerDisputes(app, deps);
    registerEvidence(app, deps);
    registerDebts(app, deps);
    registerProviderMoney(app, deps);
    registerReconciliation(app, deps);
  },
  createTasks: createCardTasks,
  crontab: cardCrontab,
  actions: [
    refundToCardAction,
    refundAtCostAction,
    refundByBankAction,
    reviewAction,
    writeOffAction,
    bookTransactionAction,
    bookAction,
  ],
  waiting: cardsWaiting,
  history: cardHistory,
  transferObjects: cardObjects,
  liveEvents: cardLiveEvents,
  stats: cardStats,
  deletionGuard: requireNoOpenMoney,
  eraseUser: eraseCards,
} satisfies Capability;
