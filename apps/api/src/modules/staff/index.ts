/** The door of staff: who runs the programme, their sessions in the console, and what the audit says about them. */
import type { Capability } from '../../capability.ts';
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint } from '../../platform/console/console-endpoint.ts';
import { registerAuditRoutes, type AuditRouteDeps } from './audit/audit.routes.ts';
import { createStaffTasks, staffCrontab } from './staff.tasks.ts';
import type {} from './tables.ts';

export { requireNoDemoStaff } from './demo-staff.ts';
export { createStaffSessions, openStaffSession } from './sessions/staff-sessions.ts';
export { updateProof } from './sessions/staff-sessions.sql.ts';

function registerConsoleRoutes(app: FastifyInstance, deps: AuditRouteDeps): void {
  consoleEndpoint(
    app,
    deps,
    consoleApi.consoleDocument,
    () => app.consoleDocument() as Record<string, unknown>,
  );
  registerAuditRoutes(app, deps);
}

export const staff = {
  registerConsoleRoutes,
  createTasks: createStaffTasks,
  crontab: staffCrontab,
} satisfies Capability;
