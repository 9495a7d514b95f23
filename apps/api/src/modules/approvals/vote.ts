/** Votes on requests. The last vote needed also carries the request out, in the same transaction (decision 0022). */
import { sql } from 'kysely';
import type { ApprovalState, VoteObstacle } from '@athos/contract/console/approvals';
import { mayAct, mayDecide } from '@athos/contract/console/permissions';
import type { ActionCall } from '../../capability.ts';
import { appendAudit, lockAudit } from '../../platform/audit/audit.sql.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { ActInput } from '../../platform/console/act.ts';
import type { SignedInStaff, StaffSessions } from '../../platform/console/signed-in-staff.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import {
  lockApproval,
  selectApproval,
  selectCustomer,
  updateApproval,
  type ApprovalRow,
} from './approvals.sql.ts';
import { selectConcerned } from './concerned-staff.sql.ts';
import { endRequest } from './end.ts';
import { actionOf, callOf, type ActionsDeps } from './known-actions.ts';
import { countApproving, insertVote, lockVoter, selectVotes } from './votes.sql.ts';

export interface VoteDeps extends ActionsDeps {
  readonly staffSessions: StaffSessions;
  readonly clock: Clock;
  readonly programme: ReadProgramme;
}

export type VotingAct = Pick<ActInput, 'staff' | 'tx' | 'record'> & { readonly requestId: string };

interface Decided {
  readonly state: ApprovalState;
  readonly votes_given: number;
}

interface Facts {
  readonly row: ApprovalRow;
  readonly customer: { readonly uuid: string; readonly email: string | null } | undefined;
  /** Staff whose own permissions the request may change (`selectConcerned`). */
  readonly concerned: ReadonlySet<string>;
  readonly hasVoted: boolean;
}

/** The reason why this person may not decide on the request; `undefined` if they may. */
export function obstacleFor(
  { actions, clock }: ActionsDeps & { readonly clock: Clock },
  staff: Pick<SignedInStaff, 'staffId' | 'email' | 'organisation' | 'walletUuid' | 'grants'>,
  { row, customer, concerned, hasVoted }: Facts,
): VoteObstacle | undefined {
  const permission = actions.find(({ name }) => name === row.action)?.permission;
  if (row.state !== 'pending' || row.expires_at.getTime() <= clock.nowMs()) return 'ended';
  if (row.requested_by === staff.staffId) return 'own_request';
  if (permission === undefined || !mayDecide(staff.grants[permission])) return 'permission_missing';
  if (concerned.has(staff.staffId)) return 'own_account';
  if (customer?.uuid === staff.walletUuid || customer?.email?.toLowerCase() === staff.email) {
    return 'own_account';
  }
  if (!isVoter(row, staff.organisation)) return 'foreign_organisation';
  return hasVoted ? 'already_voted' : undefined;
}

function isVoter({ voters, organisation }: ApprovalRow, own: string): boolean {
  switch (voters) {
    case 'anyone':
      return true;
    case 'provider':
    case 'brand':
      return own === voters;
    case 'other':
      return own !== organisation;
  }
}

function refusalOf(obstacle: VoteObstacle, permission: string): AppError {
  switch (obstacle) {
    case 'ended':
      return new AppError('request_ended');
    case 'permission_missing':
      return new AppError('permission_missing', { extra: { permission } });
    case 'own_request':
    case 'own_account':
    case 'foreign_organisation':
    case 'already_voted':
      return new AppError(obstacle);
  }
}

interface Opened {
  readonly row: ApprovalRow;
  readonly call: ActionCall<unknown>;
  readonly action: ReturnType<typeof actionOf>;
}

/** Takes the locks in order and checks that this person may decide. Throws `not_found` and the refusals above. */
async function openRequest(deps: VoteDeps, { staff, tx }: VotingAct, id: string): Promise<Opened> {
  const known = await selectApproval(tx, id);
  if (known === undefined || known.votes_needed === 0) throw new AppError('not_found');
  // The payload of an ended request may have been erased.
  if (known.state !== 'pending') throw new AppError('request_ended');
  const action = actionOf(deps, known.action);
  const call = await callOf(tx, action, known);
  const voter = { voterId: staff.staffId, requesterId: known.requested_by };
  const people = [staff.staffId, ...(known.requested_by === null ? [] : [known.requested_by])];
  await action.lockFirst?.(tx, call.payload, people);
  if (!(await lockVoter(tx, voter))) throw new AppError('session_ended');
  await action.lock(deps, tx, call);
  const row = await lockApproval(tx, id);
  invariant(row !== undefined, 'requests stay');
  const votes = await selectVotes(tx, id);
  const obstacle = obstacleFor(deps, staff, {
    row,
    customer: row.customer_id === null ? undefined : await selectCustomer(tx, row.customer_id),
    concerned: await selectConcerned(tx, row),
    hasVoted: votes.some(({ staffId }) => staffId === staff.staffId),
  });
  if (obstacle !== undefined) throw refusalOf(obstacle, action.permission);
  return { row, call, action };
}

/** Runs `work` under a savepoint. A refusal undoes it and releases its locks; locks taken before are kept. Returns the refusal. */
async function inSavepoint(tx: Tx, work: () => Promise<void>): Promise<AppError | undefined> {
  await sql`savepoint decided`.execute(tx);
  try {
    await work();
    await sql`release savepoint decided`.execute(tx);
    return undefined;
  } catch (error) {
    // An internal error or an unknown outcome also rolls the vote back.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await sql`rollback to savepoint decided`.execute(tx);
    return error;
  }
}

type Ended =
  | { readonly state: 'executed' }
  | { readonly state: 'stale' }
  | { readonly state: 'failed'; readonly failure: string };

/** Carries the request out after its last vote, unless its subject has changed since the voters saw it. */
async function carryOut(deps: VoteDeps, tx: Tx, { row, call, action }: Opened): Promise<Ended> {
  const policy = (await deps.programme())[action.policy];
  let isStale = false;
  const refusal = await inSavepoint(tx, async () => {
    // The request is executed as an act of its requester, who may have lost the role in the meantime.
    if (row.requested_by !== null) {
      const grants = await deps.staffSessions.grantsOf(tx, row.requested_by);
      if (!mayAct(grants[action.permission])) throw new AppError('permission_missing');
    }
    const { version } = await action.preview(deps, tx, call, policy);
    isStale = version !== row.subject_version;
    if (isStale) return;
    const at = dateOf(deps.clock);
    await updateApproval(tx, row.id, { state: 'executed', ended_at: at, is_held: false });
    await action.execute(deps, tx, call);
  });
  if (refusal !== undefined) return { state: 'failed', failure: refusal.code };
  return isStale ? { state: 'stale' } : { state: 'executed' };
}

const requesterOf = ({ requested_by: staffId, organisation }: ApprovalRow) =>
  staffId === null || organisation === null ? undefined : { staffId, organisation };

/** Records the executed action in the audit as an act of its requester. */
async function recordExecution(
  { clock }: VoteDeps,
  { tx, staff, requestId }: VotingAct,
  { row, action }: Opened,
): Promise<void> {
  await appendAudit(tx, {
    at: dateOf(clock),
    staff: requesterOf(row),
    requestId,
    action: action.name,
    subject: { type: row.subject_type, id: row.subject_id },
    outcome: 'done',
    approvalId: row.id,
    ledgerKey: row.id,
    before: row.before,
    after: { change: row.after, approved_by: staff.staffId },
  });
}

/** The votes for a request by people who may still decide: a vote is valid only as long as its voter's permission. */
async function countStanding(
  { staffSessions }: VoteDeps,
  tx: Tx,
  { row, action }: Opened,
): Promise<number> {
  let count = 0;
  for (const { staffId, is_approved: isApproved } of await selectVotes(tx, row.id)) {
    if (isApproved && mayDecide((await staffSessions.grantsOf(tx, staffId))[action.permission])) {
      count += 1;
    }
  }
  return count;
}

export async function approve(deps: VoteDeps, act: VotingAct, id: string): Promise<Decided> {
  const { tx, staff, record } = act;
  const opened = await openRequest(deps, act, id);
  const { row } = opened;
  const at = dateOf(deps.clock);
  const vote = { approval_id: id, staff_id: staff.staffId, is_approved: true, reason: null, at };
  if (!(await insertVote(tx, vote))) throw new AppError('already_voted');
  const givenCount = await countStanding(deps, tx, opened);
  const facts = { subjectId: id, before: { state: 'pending' }, approvalId: id };
  if (givenCount < row.votes_needed) {
    await record({ ...facts, after: { votes_given: givenCount } });
    return { state: 'pending', votes_given: givenCount };
  }
  // The entry records the outcome, so it is written after the movements. Its lock must still be taken before theirs.
  await lockAudit(tx);
  const ended = await carryOut(deps, tx, opened);
  if (ended.state !== 'executed') await endRequest(tx, { id, at, ...ended });
  await record({
    ...facts,
    after: { votes_given: givenCount, ...ended },
    outcome: ended.state === 'executed' ? 'done' : 'failed',
    ledgerKey: ended.state === 'executed' ? id : undefined,
    movedUsdCents: ended.state === 'executed' ? (row.usd_cents ?? undefined) : undefined,
  });
  if (ended.state === 'executed') await recordExecution(deps, act, opened);
  return { state: ended.state, votes_given: givenCount };
}

/** Ends a request: one vote against it is enough. */
export async function reject(
  deps: VoteDeps,
  act: VotingAct,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<Decided> {
  const { tx, staff, record } = act;
  await openRequest(deps, act, id);
  const at = dateOf(deps.clock);
  const vote = { approval_id: id, staff_id: staff.staffId, is_approved: false, reason, at };
  if (!(await insertVote(tx, vote))) throw new AppError('already_voted');
  await endRequest(tx, { id, state: 'rejected', at });
  const after = { state: 'rejected', reason };
  await record({ subjectId: id, before: { state: 'pending' }, after, approvalId: id });
  return { state: 'rejected', votes_given: await countApproving(tx, id) };
}

/** Withdraws the caller's own request. Throws `not_found` for a request of somebody else. */
export async function withdraw(
  { clock }: Pick<VoteDeps, 'clock'>,
  { tx, staff, record }: Omit<VotingAct, 'requestId'>,
  id: string,
): Promise<Decided> {
  if (!(await lockVoter(tx, { voterId: staff.staffId, requesterId: staff.staffId }))) {
    throw new AppError('session_ended');
  }
  const row = await lockApproval(tx, id);
  if (row?.requested_by !== staff.staffId || row.votes_needed === 0)
    throw new AppError('not_found');
  if (row.state !== 'pending') throw new AppError('request_ended');
  await endRequest(tx, { id, state: 'withdrawn', at: dateOf(clock) });
  const facts = { subjectId: id, before: { state: 'pending' }, after: { state: 'withdrawn' } };
  await record({ ...facts, approvalId: id });
  return { state: 'withdrawn', votes_given: await countApproving(tx, id) };
}
