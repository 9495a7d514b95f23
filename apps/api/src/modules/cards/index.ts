/** The door of cards: buying tokens by card, from the order to the credit. */
import type { Capability } from '../../capability.ts';
import { registerCardRoutes } from './cards.routes.ts';
import { cardCrontab, createCardTasks } from './cards.tasks.ts';
import {
  bookingAction,
  refundAtCostAction,
  refundToCardAction,
  reviewAction,
  writeOffAction,
} from './console/card-money.actions.ts';
import { registerCardConsole } from './console/card-money.routes.ts';
import { eraseCards, requireNoOpenMoney } from './erase.sql.ts';
import { cardLiveEvents, cardHistory, cardObjects } from './history.ts';
import type {} from './tables.ts';

export { findOrder } from './orders/orders.sql.ts';
export { resendReceipt } from './orders/receipt.ts';
export { approveRefund, requestRefund } from './refunds/request-refund.ts';
export { createCardProvider, type CardProvider } from './provider/card-provider.ts';

export const cards = {
  registerRoutes: registerCardRoutes,
  registerConsoleRoutes: registerCardConsole,
  createTasks: createCardTasks,
  crontab: cardCrontab,
  actions: [refundToCardAction, refundAtCostAction, reviewAction, writeOffAction, bookingAction],
  history: cardHistory,
  transferObjects: cardObjects,
  liveEvents: cardLiveEvents,
  deletionGuard: requireNoOpenMoney,
  eraseUser: eraseCards,
} satisfies Capability;
