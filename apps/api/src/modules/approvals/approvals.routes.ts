import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { mayDecide } from '@athos/contract/console/permissions';
import type { WaitingSource } from '../../capability.ts';
import { dateOf } from '../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import type { SignedInStaff } from '../../platform/console/signed-in-staff.ts';
import { AppError } from '../../platform/errors.ts';
import {
  countApprovals,
  selectApprovals,
  selectIsBound,
  type ApprovalListRow,
  type Reader,
} from './approvals-list.sql.ts';
import {
  selectApproval,
  selectCustomer,
  selectStaffName,
  type ApprovalRow,
} from './approvals.sql.ts';
import { selectConcerned } from './concerned-staff.sql.ts';
import { approve, obstacleFor, reject, withdraw, type VoteDeps } from './vote.ts';
import { selectVotes } from './votes.sql.ts';

export interface ApprovalRouteDeps extends ConsoleDeps, VoteDeps {
  readonly listCursors: ListCursors;
}

const presentSummary = (row: ApprovalRow, requesterName: string | null, votesGiven: number) => ({
  id: row.id,
  action: row.action,
  subject: { type: row.subject_type, id: row.subject_id },
  state: row.state,
  amount:
    row.asset === null || row.amount_units === null
      ? null
      : { asset: row.asset, units: row.amount_units.toString() },
  requested_by:
    row.requested_by === null || row.organisation === null
      ? null
      : { id: row.requested_by, name: requesterName ?? '', organisation: row.organisation },
  requested_at: row.requested_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  votes_needed: row.votes_needed,
  votes_given: votesGiven,
});

const readerOf = (
  { actions, clock }: Pick<ApprovalRouteDeps, 'actions' | 'clock'>,
  staff: SignedInStaff,
): Reader => ({
  staff,
  decidable: actions
    .filter(({ permission }) => mayDecide(staff.grants[permission]))
    .map(({ name }) => name),
  now: dateOf(clock),
});

/** The number of other active people who may decide on any action. */
async function countOtherDeciders(
  { staffSessions, actions }: Pick<ApprovalRouteDeps, 'staffSessions' | 'actions'>,
  { staffId }: SignedInStaff,
): Promise<number> {
  const people = await staffSessions.activeStaff();
  const deciders = people.filter(({ grants }) =>
    actions.some(({ permission }) => mayDecide(grants[permission])),
  );
  return deciders.filter((person) => person.staffId !== staffId).length;
}

async function presentApproval(deps: ApprovalRouteDeps, staff: SignedInStaff, id: string) {
  const { db } = deps;
  const row = await selectApproval(db, id);
  if (row === undefined || row.votes_needed === 0) throw new AppError('not_found');
  const votes = await selectVotes(db, id);
  const customer = row.customer_id === null ? undefined : await selectCustomer(db, row.customer_id);
  const concerned = await selectConcerned(db, row);
  const obstacleOf = (person: Parameters<typeof obstacleFor>[1]) =>
    obstacleFor(deps, person, {
      row,
      customer,
      concerned,
      hasVoted: votes.some(({ staffId }) => staffId === person.staffId),
    });
  const obstacle = obstacleOf(staff);
  const isOwn = row.requested_by === staff.staffId;
  if (!isOwn && obstacle !== undefined && (await selectIsBound(db, staff))) {
    throw new AppError('not_found');
  }
  const people = await deps.staffSessions.activeStaff();
  const voters = people.filter((person) => obstacleOf(person) === undefined);
  const permission = deps.actions.find(({ name }) => name === row.action)?.permission;
  const standing = votes.filter(
    ({ staffId, is_approved: isApproved }) =>
      isApproved &&
      (row.state !== 'pending' ||
        people.some(
          ({ grants, ...person }) =>
            person.staffId === staffId && permission !== undefined && mayDecide(grants[permission]),
        )),
  );
  return {
    ...presentSummary(
      row,
      row.requested_by === null ? null : await selectStaffName(db, row.requested_by),
      standing.length,
    ),
    customer_uuid: customer?.uuid ?? null,
    reason: row.reason,
    before: row.before,
    after: row.after,
    usd_cents: row.usd_cents === null ? null : parseInt(row.usd_cents.toString(), 10),
    risks: row.risks,
    is_value_held: row.is_held,
    voters: row.voters,
    votes: votes.map(({ staffId, name, is_approved: isApproved, at, reason }) => ({
      staff: { id: staffId, name },
      is_approved: isApproved,
      at: at.toISOString(),
      reason,
    })),
    ended_at: row.ended_at?.toISOString() ?? null,
    failure: row.failure,
    obstacle: obstacle ?? null,
    voter_count: voters.length,
  };
}

/** The requests on which the person may decide. */
export const approvalsWaiting: WaitingSource<Pick<ApprovalRouteDeps, 'db' | 'actions' | 'clock'>> =
  {
    kind: 'approvals',
    permission: 'approvals.read',
    async count(deps, staff) {
      const filters = { view: 'decide', sort: 'oldest' } as const;
      const { value, is_at_least } = await countApprovals(deps.db, filters, readerOf(deps, staff));
      return { count: value, isAtLeast: is_at_least };
    },
  };

function registerVoteRoutes(app: FastifyInstance, deps: ApprovalRouteDeps): void {
  consoleEndpoint(app, deps, consoleApi.approveRequest, ({ staff, tx, params, record, request }) =>
    approve(deps, { staff, tx, record, requestId: request.id }, params.id),
  );
  consoleEndpoint(
    app,
    deps,
    consoleApi.rejectRequest,
    ({ staff, tx, params, body, record, request }) =>
      reject(deps, { staff, tx, record, requestId: request.id }, { id: params.id, ...body }),
  );
  consoleEndpoint(app, deps, consoleApi.withdrawRequest, ({ staff, tx, params, record }) =>
    withdraw(deps, { staff, tx, record }, params.id),
  );
}

export function registerApprovalRoutes(app: FastifyInstance, deps: ApprovalRouteDeps): void {
  const { db, listCursors } = deps;
  consoleEndpoint(app, deps, consoleApi.approvals, async ({ query, staff }) => {
    // The list depends on the person, so its cursors belong to the person.
    const list = `approvals ${staff.staffId}`;
    const { limit, after, count } = listCursors.readPage(list, query);
    const reader = readerOf(deps, staff);
    const [rows, total, others] = await Promise.all([
      selectApprovals(db, query, reader, { limit, after }),
      count ?? countApprovals(db, query, reader),
      countOtherDeciders(deps, staff),
    ]);
    const page = listCursors.answer(list, query, {
      rows,
      count: total,
      positionOf: ({ requested_at: at, id }: ApprovalListRow) => [at.toISOString(), id],
      present: (row: ApprovalListRow) => presentSummary(row, row.requesterName, row.votesGiven),
    });
    return { ...page, other_decider_count: others };
  });
  consoleEndpoint(app, deps, consoleApi.approval, ({ params, staff }) =>
    presentApproval(deps, staff, params.id),
  );
  registerVoteRoutes(app, deps);
}
