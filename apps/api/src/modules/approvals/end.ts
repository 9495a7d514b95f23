/**
 * Ends requests without executing them. A job returns the value that they held: the subject's locks come before the request's, so the
 * transaction that ends a request can no longer take them.
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

/** Ends a pending request, which the caller has locked. */
export async function endRequest(tx: Tx, { id, state, at, failure }: End): Promise<void> {
  await updateApproval(tx, id, { state, ended_at: at, failure: failure ?? null });
  await enqueueGivingBack(tx, id);
}

const enqueueGivingBack = (tx: Tx | Db, id: string): Promise<void> =>
  enqueueJob(tx, 'approvals_give_back', { id }, { key: `approvals_give_back:${id}` });

interface GiveBackDeps extends ActionsDeps {
  readonly db: Db;
}

/** How the request ended for its subject, which treats `stale` and `failed` like a rejection. */
const stateOfEnd = (state: ApprovalState): 'rejected' | 'withdrawn' | 'expired' =>
  state === 'withdrawn' || state === 'expired' ? state : 'rejected';

/** Returns the value that the request held. Does nothing if it was already returned or paid out. */
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

/** Far more requests than are ever open. The remaining ones follow a minute later. */
const PER_RUN_MAX = 500;
/** The job normally runs within seconds. */
const GIVE_BACK_AGAIN_AFTER_MS = 10 * 60_000;

/** Ends expired requests, each in its own transaction, and returns held value whose job did not run. */
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

/** Ends an open request of the programme itself that is no longer needed. */
export async function endOwnRequest(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  id: string,
): Promise<void> {
  const row = await lockApproval(tx, id);
  if (row?.state !== 'pending') return;
  const at = dateOf(clock);
  await endRequest(tx, { id, state: 'stale', at });
  await appendAudit(tx, {
    at,
    requestId: row.action,
    action: 'approval.end',
    subject: { type: 'approval', id },
    outcome: 'done',
    approvalId: id,
  });
}

/** Withdraws the open requests of a person who is suspended or leaves. */
export async function withdrawAllOf(tx: Tx, staffId: string, at: Date): Promise<void> {
  for (const id of await lockPendingOf(tx, staffId)) {
    await endRequest(tx, { id, state: 'withdrawn', at });
  }
}
