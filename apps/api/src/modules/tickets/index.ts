/** The door of tickets: signing, scanning and redeeming QR codes. */
import type { FastifyInstance } from 'fastify';
import type { Capability } from '../../capability.ts';
import { scanTimeline } from './scan-timeline.ts';
import { eraseScans } from './scans.sql.ts';
import { registerRedemptionConsole, type RedemptionDeps } from './redemptions.console.routes.ts';
import { reverseAction } from './reverse-redemption.ts';
import { redemptionEvents } from './redeem.ts';
import { registerTicketRoutes, type TicketDeps } from './tickets.routes.ts';
import { ticketCrontab, createTicketTasks } from './tickets.tasks.ts';
import { redemptionStats } from './redemption-stats.sql.ts';
import { registerConflictConsole } from './gates/conflicts.console.routes.ts';
import { eraseConflicts } from './gates/conflicts.sql.ts';
import { eraseEntries } from './gates/entries.sql.ts';
import { eraseTicketPhones } from './offline/ticket-phones.sql.ts';
import { registerOfflineRoutes } from './offline/offline.routes.ts';
import type {} from './tables.ts';
import {
  registerScannerConsole,
  type ScannerConsoleDeps,
} from './scanners/scanners.console.routes.ts';
import { eraseScanners } from './scanners/scanners.sql.ts';
import { registerScanConsole } from './venues/scans.console.routes.ts';
import { registerVenueConsole, type VenueConsoleDeps } from './venues/venues.console.routes.ts';

export { compileScans, type ScanListRow } from './scan-list.sql.ts';
export { compileRedemptions, countRedemptions, type RedemptionRow } from './redemption-list.sql.ts';
export { readRedemptionFilters, type RedemptionQuery } from './redemptions.console.routes.ts';
export { countScans, readScanFilters, type ScanQuery } from './venues/scans.console.routes.ts';
export { endTicketPhone } from './offline/ticket-phones.sql.ts';
export type { AttemptDeps } from './attempt.ts';
export { createReadFacts } from './read-facts.ts';
export { redeemItems } from './redeem.ts';
export { scanCode } from './scan.ts';
export { venuesSeenBy } from './venues/seen-venues.ts';

export { selectVenuesById } from './redemption-stats.sql.ts';

export const tickets = {
  registerRoutes(app: FastifyInstance, deps: TicketDeps) {
    registerTicketRoutes(app, deps);
    registerOfflineRoutes(app, deps);
  },
  registerConsoleRoutes(
    app: FastifyInstance,
    deps: RedemptionDeps & VenueConsoleDeps & ScannerConsoleDeps,
  ) {
    registerRedemptionConsole(app, deps);
    registerVenueConsole(app, deps);
    registerScanConsole(app, deps);
    registerScannerConsole(app, deps);
    registerConflictConsole(app, deps);
  },
  actions: [reverseAction],
  createTasks: createTicketTasks,
  crontab: ticketCrontab,
  timeline: scanTimeline,
  liveEvents: redemptionEvents,
  stats: redemptionStats,
  async eraseUser(tx, userId) {
    await eraseScans(tx, userId);
    await eraseScanners(tx, userId);
    await eraseTicketPhones(tx, userId);
    await eraseEntries(tx, userId);
    await eraseConflicts(tx, userId);
  },
} satisfies Capability;
