/** The door of activity: the history and the live events of a user. */
import type { FastifyInstance } from 'fastify';
import type { Capability } from '../../capability.ts';
import {
  registerConsoleEventRoutes,
  type ConsoleEventDeps,
} from './events/console-events.routes.ts';
import { registerEventRoutes } from './events/events.routes.ts';
import { registerHistoryRoutes } from './history/history.routes.ts';

import { eraseNotes } from './history/notes.sql.ts';
import type {} from './tables.ts';

export { readNotes } from './history/notes.ts';
export { indexHistory, type HistoryIndex } from './history/history-index.ts';
export { createHistoryTimeline } from './history/history-timeline.ts';
export { findOwnTransfer } from './history/own-transfer.ts';

type ActivityDeps = Parameters<typeof registerEventRoutes>[1] &
  Parameters<typeof registerHistoryRoutes>[1];

export const activity = {
  registerRoutes(app: FastifyInstance, deps: ActivityDeps) {
    registerHistoryRoutes(app, deps);
    registerEventRoutes(app, deps);
  },
  registerConsoleRoutes(app: FastifyInstance, deps: ConsoleEventDeps) {
    registerConsoleEventRoutes(app, deps);
  },
  eraseUser: eraseNotes,
} satisfies Capability;
