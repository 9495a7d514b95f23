/** The door of staff: the people who run the programme, their console sessions, and the audit. */
import type { FastifyInstance } from 'fastify';
import { brand } from '@athos/brand/brand';
import { consoleApi } from '@athos/contract/console/calls';
import type { Capability } from '../../capability.ts';
import { consoleEndpoint } from '../../platform/console/console-endpoint.ts';
import { relyingPartyOf } from '../../platform/factors/passkeys.ts';
import type {} from '../../platform/http/docs.ts';
import { registerAuditRoutes } from './audit/audit.routes.ts';
import { staffTimeline } from './audit/staff-timeline.ts';
import {
  changeRoleAction,
  createRoleAction,
  inviteAction,
  rolesAction,
} from './people/role-actions.ts';
import { registerMeRoutes } from './routes/me.routes.ts';
import { registerPeopleRoutes, type PeopleDeps } from './routes/people.routes.ts';
import { registerSignInRoutes } from './routes/sign-in.routes.ts';
import { registerViewRoutes } from './views/views.routes.ts';
import { createStaffTasks, staffCrontab } from './staff.tasks.ts';
import type {} from './tables.ts';

export {
  compileEntries,
  countEntries,
  type AuditFilters,
  type AuditRow,
} from './audit/audit-list.sql.ts';
export { ensureDemoStaff, requireNoDemoStaff } from './demo-staff.ts';
export { inviteCommand } from './invites/invite-command.ts';
export { makeInvite } from './invites/invites.ts';
export { selectVenueIds } from './people/people.sql.ts';
export { createStaffSessions, openStaffSession } from './sessions/staff-sessions.ts';
export { lockStaff } from './people/people.sql.ts';
export { actorOf } from './people/role-actions.ts';
export { updateProof } from './sessions/staff-sessions.sql.ts';

type RouteDeps = Omit<PeopleDeps, 'relyingParty'>;

function registerConsoleRoutes(app: FastifyInstance, given: RouteDeps): void {
  const name = `${brand.programmeName} Console`;
  const deps = { ...given, relyingParty: relyingPartyOf(given.config.console.origin, name) };
  consoleEndpoint(
    app,
    deps,
    consoleApi.consoleDocument,
    () => app.consoleDocument() as Record<string, unknown>,
  );
  registerSignInRoutes(app, deps);
  registerMeRoutes(app, deps);
  registerPeopleRoutes(app, deps);
  registerAuditRoutes(app, deps);
  registerViewRoutes(app, deps);
}

export const staff = {
  registerConsoleRoutes,
  timeline: staffTimeline,
  createTasks: createStaffTasks,
  crontab: staffCrontab,
  actions: [inviteAction, rolesAction, createRoleAction, changeRoleAction],
} satisfies Capability;
