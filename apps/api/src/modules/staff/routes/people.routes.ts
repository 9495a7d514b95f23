/** The calls that manage staff and roles. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import type { Contributions } from '../../../capability.ts';
import { dateOf } from '../../../platform/clock.ts';
import { consoleEndpoint } from '../../../platform/console/console-endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import {
  changeDuties,
  endSessionsOf,
  endStaff,
  inviteAgain,
  inviteStaff,
  reactivateStaff,
  resetStaff,
  setWallet,
  suspendStaff,
} from '../people/manage-people.ts';
import { changeRole, createRole, presentRole, removeRole } from '../people/manage-roles.ts';
import { countPeople, selectPeople } from '../people/people-list.sql.ts';
import { presentMember, presentSummary } from '../people/present-people.ts';
import { selectRoleDetails } from '../people/roles.sql.ts';
import type { StaffDeps } from '../staff-deps.ts';

const DONE = { outcome: 'done' } as const;

export type PeopleDeps = StaffDeps & Pick<Contributions, 'staffEndings'>;

function registerListRoutes(app: FastifyInstance, deps: PeopleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.staffList, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('staff', query);
    return listCursors.answer('staff', query, {
      rows: await selectPeople(db, query, { limit, after }),
      count: count ?? (await countPeople(db, query)),
      positionOf: ({ name, email }) => [name, email],
      present: presentSummary,
    });
  });

  consoleEndpoint(app, deps, consoleApi.staffMember, ({ params, staff }) =>
    presentMember(db, params.id, { times: deps, currentId: staff.sessionId }),
  );
}

function registerInviteRoutes(app: FastifyInstance, deps: PeopleDeps): void {
  const { clock } = deps;

  consoleEndpoint(app, deps, consoleApi.inviteStaff, async ({ staff, tx, body, record }) => {
    const { email, name, organisation, role_ids: roleIds, venue_ids: venueIds, reason } = body;
    const invitation = { email, name, organisation, roleIds, venueIds };
    const id = await inviteStaff(tx, { staff, clock }, invitation);
    const { email: _email, ...after } = invitation;
    await record({ subjectId: id, after: { ...after, reason } });
    return { ...DONE, id };
  });

  consoleEndpoint(app, deps, consoleApi.inviteAgain, async ({ staff, tx, params, record }) => {
    await inviteAgain(tx, { staff, clock }, params.id);
    await record({ subjectId: params.id });
    return DONE;
  });
}

/** Calls that take a reason, change the person's state and record the previous one. */
function registerStateRoutes(app: FastifyInstance, deps: PeopleDeps): void {
  const { clock, staffEndings: endWork } = deps;

  consoleEndpoint(
    app,
    deps,
    consoleApi.suspendStaff,
    async ({ staff, tx, params, body, record }) => {
      const before = await suspendStaff(tx, { staff, clock, endWork }, params.id);
      const after = { state: 'suspended', ...body };
      await record({ subjectId: params.id, before: { state: before }, after });
      return DONE;
    },
  );

  consoleEndpoint(
    app,
    deps,
    consoleApi.reactivateStaff,
    async ({ staff, tx, params, body, record }) => {
      const state = await reactivateStaff(tx, { staff, clock }, params.id);
      await record({
        subjectId: params.id,
        before: { state: 'suspended' },
        after: { state, ...body },
      });
      return DONE;
    },
  );

  consoleEndpoint(app, deps, consoleApi.endStaff, async ({ staff, tx, params, body, record }) => {
    const before = await endStaff(tx, { staff, clock, endWork }, params.id);
    const after = { state: 'left', ...body };
    await record({ subjectId: params.id, before: { state: before }, after });
    return DONE;
  });

  consoleEndpoint(app, deps, consoleApi.resetStaff, async ({ staff, tx, params, body, record }) => {
    await resetStaff(tx, { staff, clock, endWork }, params.id);
    const after = { state: 'invited', ...body };
    await record({ subjectId: params.id, before: { state: 'active' }, after });
    return DONE;
  });
}

function registerChangeRoutes(app: FastifyInstance, deps: PeopleDeps): void {
  const { clock } = deps;

  consoleEndpoint(app, deps, consoleApi.changeStaffRoles, async (input) => {
    const { staff, tx, params, body, version: seen, record } = input;
    const duties = { roleIds: body.role_ids, venueIds: body.venue_ids };
    const change = { staffId: params.id, version: seen, ...duties };
    const present = () => presentMember(tx, params.id, { times: deps, currentId: staff.sessionId });
    const { before, version } = await changeDuties(tx, { staff, clock }, change, present);
    const after = { ...duties, reason: body.reason };
    await record({ subjectId: params.id, before, after });
    return { ...DONE, version };
  });

  consoleEndpoint(
    app,
    deps,
    consoleApi.setStaffWallet,
    async ({ staff, tx, params, body, record }) => {
      const before = await setWallet(tx, staff, params.id, body.wallet_uuid);
      await record({ subjectId: params.id, before: { wallet_uuid: before }, after: body });
      return DONE;
    },
  );

  consoleEndpoint(app, deps, consoleApi.endStaffSession, async ({ staff, tx, params, record }) => {
    const { id: staffId, session_id: sessionId } = params;
    const endedCount = await endSessionsOf(tx, staff, { staffId, sessionId });
    if (endedCount === 0) throw new AppError('not_found');
    await record({ subjectId: staffId, before: { session_id: sessionId } });
    return DONE;
  });

  consoleEndpoint(app, deps, consoleApi.endStaffSessions, async ({ staff, tx, params, record }) => {
    const endedCount = await endSessionsOf(tx, staff, { staffId: params.id });
    await record({ subjectId: params.id, before: { session_count: endedCount } });
    return DONE;
  });
}

function registerRoleRoutes(app: FastifyInstance, deps: PeopleDeps): void {
  const { db, clock } = deps;

  consoleEndpoint(app, deps, consoleApi.roleList, async () => ({
    items: (await selectRoleDetails(db)).map(presentRole),
  }));

  consoleEndpoint(app, deps, consoleApi.createRole, async ({ staff, tx, body, record }) => {
    const { reason, ...role } = body;
    await createRole(tx, { staff, now: dateOf(clock) }, role);
    await record({ subjectId: role.id, after: { ...role, reason } });
    return DONE;
  });

  consoleEndpoint(app, deps, consoleApi.changeRole, async (input) => {
    const { staff, tx, params, body, version: seen, record } = input;
    const { reason, ...role } = body;
    const changed = await changeRole(tx, staff, { id: params.id, version: seen, ...role });
    const { title, grants } = changed.before;
    await record({ subjectId: params.id, before: { title, grants }, after: { ...role, reason } });
    return { ...DONE, version: changed.version };
  });

  consoleEndpoint(app, deps, consoleApi.deleteRole, async ({ tx, params, record }) => {
    const { title, grants } = await removeRole(tx, params.id);
    await record({ subjectId: params.id, before: { title, grants } });
    return DONE;
  });
}

export function registerPeopleRoutes(app: FastifyInstance, deps: PeopleDeps): void {
  registerListRoutes(app, deps);
  registerInviteRoutes(app, deps);
  registerStateRoutes(app, deps);
  registerChangeRoutes(app, deps);
  registerRoleRoutes(app, deps);
}
