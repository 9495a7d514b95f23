/** The calls that manage staff and roles. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import type { Contributions } from '../../../capability.ts';
import { consoleEndpoint } from '../../../platform/console/console-endpoint.ts';
import { requireVersion } from '../../../platform/console/versions.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { perform, type PerformDeps } from '../../approvals/index.ts';
import type { Action } from '../../../capability.ts';
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
import { changeRole, lockOwnRole, presentRole, removeRole } from '../people/manage-roles.ts';
import { countPeople, selectPeople } from '../people/people-list.sql.ts';
import { presentMember, presentSummary } from '../people/present-people.ts';
import { lockPeople } from '../people/people.sql.ts';
import {
  changeRoleAction,
  createRoleAction,
  givesMuch,
  grantsMore,
  inviteAction,
  rolesAction,
} from '../people/role-actions.ts';
import { selectRoleDetails } from '../people/roles.sql.ts';
import type { StaffDeps } from '../staff-deps.ts';

const DONE = { outcome: 'done' } as const;

/** Requests a vote, which a role that moves money always needs: nothing about it is measured. */
async function asked<Payload>(
  deps: PerformDeps,
  act: Parameters<typeof perform>[1],
  action: Action<PerformDeps, Payload>,
  wanted: { readonly payload: Payload; readonly reason: string },
) {
  const performed = await perform(deps, act, action, wanted);
  invariant(performed.outcome === 'requested', 'no policy lets one person give such a role');
  return performed;
}

export type PeopleDeps = StaffDeps & Pick<Contributions, 'staffEndings' | 'actions'>;

function registerListRoutes(app: FastifyInstance, deps: PeopleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.staffList, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('staff', query);
    const [rows, total] = await Promise.all([
      selectPeople(db, query, { limit, after }),
      count ?? countPeople(db, query),
    ]);
    return listCursors.answer('staff', query, {
      rows,
      count: total,
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

  consoleEndpoint(app, deps, consoleApi.inviteStaff, async (act) => {
    const { staff, tx, body, record } = act;
    const { email, name, organisation, role_ids: roleIds, venue_ids: venueIds, reason } = body;
    const invitation = { email, name, organisation, roleIds, venueIds };
    if (await givesMuch(tx, roleIds)) {
      return asked(deps, act, inviteAction, { payload: invitation, reason });
    }
    await inviteStaff(tx, { staff, clock }, { id: act.key, ...invitation });
    const { email: _email, ...after } = invitation;
    await record({ subjectId: act.key, after: { ...after, reason } });
    return { ...DONE, id: act.key };
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

  consoleEndpoint(app, deps, consoleApi.changeStaffRoles, async (act) => {
    const { staff, tx, params, body, record } = act;
    const { reason, role_ids: roleIds, venue_ids: venueIds } = body;
    const change = { staffId: params.id, roleIds, venueIds };
    await lockPeople(tx, [staff.staffId, params.id]);
    const present = { times: deps, currentId: staff.sessionId };
    requireVersion(act.version, await presentMember(tx, params.id, present));
    if (await givesMuch(tx, roleIds, params.id)) {
      return asked(deps, act, rolesAction, { payload: change, reason });
    }
    const { before, version } = await changeDuties(tx, { staff, clock }, change);
    await record({ subjectId: params.id, before, after: { roleIds, venueIds, reason } });
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
  const { db } = deps;

  consoleEndpoint(app, deps, consoleApi.roleList, async () => ({
    items: (await selectRoleDetails(db)).map(presentRole),
  }));

  consoleEndpoint(app, deps, consoleApi.createRole, (act) => {
    const { reason, ...payload } = act.body;
    return asked(deps, act, createRoleAction, { payload, reason });
  });

  consoleEndpoint(app, deps, consoleApi.changeRole, async (act) => {
    const { staff, tx, params, record } = act;
    const { reason, ...role } = act.body;
    const payload = { id: params.id, ...role };
    requireVersion(act.version, presentRole(await lockOwnRole(tx, params.id)));
    if (await grantsMore(tx, payload)) {
      return asked(deps, act, changeRoleAction, { payload, reason });
    }
    const changed = await changeRole(tx, staff, payload);
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
