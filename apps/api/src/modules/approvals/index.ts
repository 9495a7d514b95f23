/** The door of approvals: acts of staff that a policy allows at once or sends to a vote. */
import type { FastifyInstance } from 'fastify';
import type { Capability, TransferObjects } from '../../capability.ts';
import { TransferKind } from '../../ledger/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { eraseRequests, holdsValueOf, selectActs } from './approvals.sql.ts';
import {
  approvalsWaiting,
  registerApprovalRoutes,
  type ApprovalRouteDeps,
} from './approvals.routes.ts';
import { settingAction } from './change-setting.ts';
import { endExpired, giveBack, withdrawAllOf } from './end.ts';
import type { ActionsDeps } from './known-actions.ts';
import { releaseAction } from './brakes.ts';
import {
  registerBrakeRoutes,
  registerProgrammeRoutes,
  type ProgrammeDeps,
} from './brakes.routes.ts';
import { registerSettingRoutes, type SettingRouteDeps } from './settings.routes.ts';
import type {} from './tables.ts';
import type { Clock } from '../../platform/clock.ts';

export {
  compileApprovals,
  countApprovals,
  type ApprovalFilters,
  type ApprovalListRow,
} from './approvals-list.sql.ts';
export { askForDecision, perform, type PerformDeps } from './perform.ts';
export { selectOwnRequest, selectPendingOf } from './approvals.sql.ts';
export { endOwnRequest } from './end.ts';

type TaskDeps = ActionsDeps & { readonly db: Db; readonly clock: Clock };

async function requireNoHeldValue(tx: Tx, userId: bigint): Promise<void> {
  if (await holdsValueOf(tx, userId))
    throw new AppError('value_held', { detail: 'Nothing was deleted.' });
}

/** Movements by staff have the id of their request as their key. An act that was done without a vote is identified by its subject. */
const movedByStaff: TransferObjects = {
  kinds: [
    TransferKind.Hold,
    TransferKind.Release,
    TransferKind.Goodwill,
    TransferKind.Adjustment,
    TransferKind.Booking,
    TransferKind.PurchaseRefund,
    TransferKind.Settlement,
  ],
  async find(db, transfers) {
    const acts = await selectActs(
      db,
      transfers.map(({ key }) => key),
    );
    return new Map(
      transfers.flatMap(({ transferId, key }) => {
        const act = acts.get(key);
        if (act === undefined) return [];
        const { id, votes_needed: votesNeeded, subject_type: type, subject_id: subjectId } = act;
        const subject = { type, id: subjectId };
        return [[transferId, votesNeeded > 0 ? { type: 'approval', id } : subject] as const];
      }),
    );
  },
};

export const approvals = {
  registerRoutes: registerProgrammeRoutes,
  registerConsoleRoutes(app: FastifyInstance, deps: ApprovalRouteDeps & SettingRouteDeps) {
    registerApprovalRoutes(app, deps);
    registerSettingRoutes(app, deps);
    registerBrakeRoutes(app, deps);
  },
  createTasks: (deps: TaskDeps) => ({
    money: {
      approvals_end_expired: () => endExpired(deps),
      approvals_give_back: (payload: unknown) => giveBack(deps, (payload as { id: string }).id),
    },
  }),
  crontab: `
* * * * * approvals_end_expired ?jobKey=approvals_end_expired&max=3
`,
  waiting: [approvalsWaiting],
  transferObjects: movedByStaff,
  deletionGuard: requireNoHeldValue,
  eraseUser: eraseRequests,
  endStaffWork: withdrawAllOf,
  actions: [settingAction, releaseAction],
} satisfies Capability<ApprovalRouteDeps & SettingRouteDeps & ProgrammeDeps & TaskDeps>;
