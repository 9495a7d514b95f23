/** The door of tickets: signing, scanning and redeeming QR codes. */
import type { Capability } from '../../capability.ts';
import { scanTimeline } from './scan-timeline.ts';
import { eraseScans } from './scans.sql.ts';
import { registerRedemptionConsole } from './redemptions.console.routes.ts';
import { reverseAction } from './reverse-redemption.ts';
import { redemptionEvents } from './redeem.ts';
import { registerTicketRoutes } from './tickets.routes.ts';
import { ticketCrontab, createTicketTasks } from './tickets.tasks.ts';
import { redemptionStats } from './redemption-stats.sql.ts';
import type {} from './tables.ts';

export type { SeenVenues } from './venues/seen-venues.ts';
export { selectVenueNames } from './venues/venues.sql.ts';

export const tickets = {
  registerRoutes: registerTicketRoutes,
  registerConsoleRoutes: registerRedemptionConsole,
  actions: [reverseAction],
  createTasks: createTicketTasks,
  crontab: ticketCrontab,
  timeline: scanTimeline,
  liveEvents: redemptionEvents,
  stats: redemptionStats,
  eraseUser: eraseScans,
} satisfies Capability;
