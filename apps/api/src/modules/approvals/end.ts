/**
 * Ends requests other than by executing them. What they held goes back in a job, because the transaction that ends a request may
 * not take the locks of its subject any more: those come before that of the request.
 */
import type { ApprovalState } from '@athos/contract/console/approvals';
import { appendAudit } from '../../platform/audit/audit.sql.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import {
  lockApproval,
  lockPendingOf,
  selectApproval,
  selectExpired,
  selectToGiveBack,
  updateApproval,
} from './approvals.sql.ts';
import { actionOf, callOf, type ActionsDeps } from './known-actions.ts';

export type EndState = Exclude<ApprovalState, 'pending' | 'executed'>;

interface End {
  readonly id: string;
  readonly state: EndState;
  readonly at: Date;
  readonly failure?: string;
}

/** The caller holds the lock of the request, which is pending. */
export async function endRequest(tx: Tx, { id, state, at, failure }: End): Promise<void> {
  await updateApproval(tx, id, { state, ended_at: at, failure: failure ?? null });
  await enqueueGivingBack(tx, id);
}

const enqueueGivingBack = (tx: Tx | Db, id: string): Promise<void> =>
  enqueueJob(tx, 'approvals_give_back', { id }, { key: `approvals_give_back:${id}` });

interface GiveBackDeps extends ActionsDeps {
  readonly db: Db;
}

/** Whoever voted on something that had changed did not reject it, but it ends in the same way for its subject. */
const stateOfEnd = (state: ApprovalState): 'rejected' | 'withdrawn' | 'expired' =>
  state === 'withdrawn' || state === 'expired' ? state : 'rejected';

/** Once: what was given back, or was paid on, is not held any more. */
export async function giveBack(deps: GiveBackDeps, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const known = await selectApproval(tx, id);
    if (known === undefined || !known.is_held) return;
    const action = actionOf(deps, known.action);
    const call = await callOf(tx, action, known);
    await action.lock(deps, tx, call);
    const row = await lockApproval(tx, id);
    if (row === undefined || !row.is_held || row.state === 'pending') return;
    await updateApproval(tx, id, { is_held: false });
    await action.giveBack?.(deps, tx, { ...call, state: stateOfEnd(row.state) });
  });
}

/** Far more requests than wait at any time; the rest follows a minute later. */
const PER_RUN_MAX = 500;
/** A job that gives back runs within seconds. */
const GIVE_BACK_AGAIN_AFTER_MS = 10 * 60_000;

/** Ends requests whose time is over, each in a transaction, and gives back what a job of its own did not. */
export async function endExpired(deps: GiveBackDeps & { readonly clock: Clock }): Promise<void> {
  const { db, clock } = deps;
  const now = dateOf(clock);
  for (const id of await selectExpired(db, now, PER_RUN_MAX)) {
    await db.transaction().execute(async (tx) => {
      const row = await lockApproval(tx, id);
      if (row?.state !== 'pending') return;
      await endRequest(tx, { id, state: 'expired', at: now });
      await appendAudit(tx, {
        at: now,
        requestId: 'approvals_end_expired',
        action: 'approval.expire',
        subject: { type: 'approval', id },
        outcome: 'done',
        approvalId: id,
      });
    });
  }
  const endedBefore = new Date(now.getTime() - GIVE_BACK_AGAIN_AFTER_MS);
  for (const id of await selectToGiveBack(db, endedBefore, PER_RUN_MAX)) {
    await enqueueGivingBack(db, id);
  }
}

/** Withdraws the open requests of a person who is suspended or leaves. */
export async function withdrawAllOf(tx: Tx, staffId: string, at: Date): Promise<void> {
  for (const id of await lockPendingOf(tx, staffId)) {
    await endRequest(tx, { id, state: 'withdrawn', at });
  }
}
