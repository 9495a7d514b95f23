/** The door of tickets: scanning and redeeming what codes stand for. */
import type { Capability } from '../../capability.ts';
import { eraseScansOf } from './erase.sql.ts';
import { redemptionEvents } from './live-redemption.ts';
import { registerScannerRoutes } from './tickets.routes.ts';
import { scannerCrontab, scannerTasks } from './tickets.tasks.ts';

export const tickets = {
  registerRoutes: registerScannerRoutes,
  createTasks: scannerTasks,
  crontab: scannerCrontab,
  liveEvents: redemptionEvents,
  eraseUser: eraseScansOf,
} satisfies Capability;
