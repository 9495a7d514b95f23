/** The door of cards: buying tokens by card, from the order to the credit. */
import type { Capability } from '../../capability.ts';
import { registerPaymentRoutes } from './cards.routes.ts';
import { paymentCrontab, paymentTasks } from './cards.tasks.ts';
import { erasePaymentsOf, requireNoOpenOrder } from './erase.sql.ts';
import { paymentEvents, paymentHistory } from './history.ts';

export { createCardProvider, type CardProvider } from './card-provider.ts';

export const cards = {
  registerRoutes: registerPaymentRoutes,
  createTasks: paymentTasks,
  crontab: paymentCrontab,
  history: paymentHistory,
  liveEvents: paymentEvents,
  deletionGuard: requireNoOpenOrder,
  eraseUser: erasePaymentsOf,
} satisfies Capability;
