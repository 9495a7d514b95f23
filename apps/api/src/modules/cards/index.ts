/** The door of cards: buying tokens by card, from the order to the credit. */
import type { Capability } from '../../capability.ts';
import { registerCardRoutes } from './cards.routes.ts';
import { cardCrontab, createCardTasks } from './cards.tasks.ts';
import { eraseCards, requireNoOpenOrder } from './erase.sql.ts';
import { cardLiveEvents, cardHistory } from './history.ts';
import type {} from './tables.ts';

export { createCardProvider, type CardProvider } from './provider/card-provider.ts';

export const cards = {
  registerRoutes: registerCardRoutes,
  createTasks: createCardTasks,
  crontab: cardCrontab,
  history: cardHistory,
  liveEvents: cardLiveEvents,
  deletionGuard: requireNoOpenOrder,
  eraseUser: eraseCards,
} satisfies Capability;
