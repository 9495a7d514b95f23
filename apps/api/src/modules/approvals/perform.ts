/** Carries out an action at once if its policy allows that, and otherwise stores a request for a vote (decision 0022). */
import { createHash } from 'node:crypto';
import type { Action, ActionCall, ActionPreview } from '../../capability.ts';
import { appendAudit } from '../../platform/audit/audit.sql.ts';
import type { Clock } from '../../platform/clock.ts';
import { dateOf } from '../../platform/clock.ts';
import type { ActInput } from '../../platform/console/act.ts';
import { requireOthersAccount } from '../../platform/console/signed-in-staff.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { insertApproval, lockActiveStaff, selectRisks, selectSums } from './approvals.sql.ts';
import { votesNeeded } from './policy.ts';

export interface PerformDeps {
  readonly clock: Clock;
  readonly programme: ReadProgramme;
  /** The actions of all capabilities: the limits of a policy count all actions that share it. */
  readonly actions: readonly Pick<Action, 'name' | 'policy'>[];
}

/** The requester of requests that no member of staff makes. Such requests name nobody; no row of `staff` has this id. */
export const THE_PROGRAMME: ActionCall<unknown>['requestedBy'] = {
  staffId: '00000000-0000-0000-0000-000000000000',
  organisation: 'provider',
  walletUuid: null,
};

/** The parts of a console call's input that an action needs. */
type PerformingAct = Pick<ActInput, 'staff' | 'tx' | 'key' | 'record'>;

/** The outcome, in the form of `policyOutcome` of the contract. */
type Performed =
  | { readonly outcome: 'done' }
  | {
      readonly outcome: 'requested';
      readonly approval_id: string;
      readonly expires_at: string;
      readonly votes_needed: number;
    };

const HOUR_MS = 60 * 60 * 1000;
/** Long enough for a weekend, and no longer, because held value is missing from a balance. */
const EXPIRES_AFTER_MS = 72 * HOUR_MS;

/** The SHA-256 of the stored payload, which is executed later. */
export const digestOf = (payload: string): Buffer => createHash('sha256').update(payload).digest();

/** Decides by the policy how many votes the act needs, from its preview and from earlier acts. */
async function judge<D, Payload>(
  { clock, programme, actions }: PerformDeps,
  { tx, call }: { readonly tx: Tx; readonly call: ActionCall<Payload> },
  action: Action<D, Payload>,
  preview: ActionPreview,
) {
  const policy = (await programme())[action.policy];
  const about = {
    action: action.name,
    customerId: preview.customer?.userId,
    staffId: call.requestedBy.staffId,
    measured: preview.measured,
    now: dateOf(clock),
  };
  const together = actions.filter((other) => other.policy === action.policy);
  const sums = await selectSums(tx, { ...about, actions: together.map(({ name }) => name) });
  const neededCount = votesNeeded(policy, action.unit, preview, sums);
  const risks = neededCount === 0 ? [] : await selectRisks(tx, about);
  return { policy, neededCount, risks };
}

/** Writes the row of the act. Throws `idempotency_key_reused` if the id is known. */
async function insertAct<D, Payload>(
  { clock }: Pick<PerformDeps, 'clock'>,
  tx: Tx,
  {
    action,
    call,
    preview,
    judgement,
  }: {
    readonly action: Action<D, Payload>;
    readonly call: ActionCall<Payload>;
    readonly preview: ActionPreview;
    readonly judgement: Awaited<ReturnType<typeof judge>>;
  },
): Promise<{ readonly digest: Buffer; readonly expiresAt: Date }> {
  const now = dateOf(clock);
  const { neededCount, policy, risks } = judgement;
  const isRequest = neededCount > 0;
  const isProgramme = call.requestedBy === THE_PROGRAMME;
  const payload = JSON.stringify(call.payload);
  const digest = digestOf(payload);
  const expiresAt = new Date(now.getTime() + EXPIRES_AFTER_MS);
  const isNew = await insertApproval(tx, {
    id: call.id,
    action: action.name,
    subject_type: action.subjectType,
    subject_id: preview.subjectId,
    subject_version: preview.version,
    customer_id: preview.customer?.userId ?? null,
    payload,
    digest,
    before: JSON.stringify(preview.before),
    after: JSON.stringify(preview.after),
    asset: preview.amount?.asset ?? null,
    amount_units: preview.amount?.units ?? null,
    usd_cents: preview.usdCents ?? null,
    measured: preview.measured ?? null,
    risks,
    reason: call.reason,
    requested_by: isProgramme ? null : call.requestedBy.staffId,
    organisation: isProgramme ? null : call.requestedBy.organisation,
    requested_at: now,
    expires_at: expiresAt,
    votes_needed: neededCount,
    voters: policy.voters,
    state: isRequest ? 'pending' : 'executed',
    ended_at: isRequest ? null : now,
    failure: null,
    is_held: isRequest && action.hold !== undefined,
    holds_customers_value: action.isCustomersValueHeld ?? false,
  });
  if (!isNew) throw new AppError('idempotency_key_reused');
  return { digest, expiresAt };
}

/**
 * Carries the action out, or stores a request and holds its value. Writes the audit entry itself, so the caller must not. Posts to the
 * ledger, so it must come last in the transaction.
 */
export async function perform<D extends PerformDeps, Payload>(
  deps: D,
  act: PerformingAct,
  action: Action<D, Payload>,
  { payload, reason }: { readonly payload: Payload; readonly reason: string },
): Promise<Performed> {
  const { staff, tx, key, record } = act;
  await action.lockFirst?.(tx, payload, [staff.staffId]);
  if (!(await lockActiveStaff(tx, staff.staffId))) throw new AppError('session_ended');
  const call: ActionCall<Payload> = { id: key, payload, reason, requestedBy: staff, isHeld: false };
  await action.lock(deps, tx, call);
  const preview = await action.preview(deps, tx, call, (await deps.programme())[action.policy]);
  if (preview.customer !== undefined) requireOthersAccount(staff, preview.customer);
  const judgement = await judge(deps, { tx, call }, action, preview);
  const { digest, expiresAt } = await insertAct(deps, tx, { action, call, preview, judgement });
  const isRequest = judgement.neededCount > 0;
  await record({
    subjectId: preview.subjectId,
    before: preview.before,
    after: { change: preview.after, reason, payload_digest: digest.toString('hex') },
    outcome: isRequest ? 'requested' : 'done',
    approvalId: key,
    ledgerKey: key,
    // A request is approved by others, so it does not count against the requester's proof of presence.
    movedUsdCents: isRequest ? undefined : preview.usdCents,
  });
  if (!isRequest) {
    await action.execute(deps, tx, call);
    return { outcome: 'done' };
  }
  await action.hold?.(deps, tx, call);
  return {
    outcome: 'requested',
    approval_id: key,
    expires_at: expiresAt.toISOString(),
    votes_needed: judgement.neededCount,
  };
}

/**
 * Requests a decision of staff in the programme's own name, inside the caller's transaction. The action must always need a vote and must
 * not hold value. Its `lock` is not called: the caller has taken the locks.
 */
export async function askForDecision<D extends Omit<PerformDeps, 'actions'>, Payload>(
  deps: D,
  tx: Tx,
  action: Action<D, Payload>,
  { id, payload, reason }: Pick<ActionCall<Payload>, 'id' | 'payload' | 'reason'>,
): Promise<void> {
  const call = { id, payload, reason, requestedBy: THE_PROGRAMME, isHeld: false };
  const preview = await action.preview(deps, tx, call, (await deps.programme())[action.policy]);
  const judgement = await judge({ ...deps, actions: [action] }, { tx, call }, action, preview);
  invariant(judgement.neededCount > 0 && action.hold === undefined, 'nobody acts alone here');
  const { digest } = await insertAct(deps, tx, { action, call, preview, judgement });
  await appendAudit(tx, {
    at: dateOf(deps.clock),
    requestId: action.name,
    action: action.name,
    subject: { type: action.subjectType, id: preview.subjectId },
    outcome: 'requested',
    approvalId: id,
    before: preview.before,
    after: { change: preview.after, reason, payload_digest: digest.toString('hex') },
  });
}
