/** How staff handle a customer whose lost second step is about to be removed (decision 0072). */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { consoleApi } from '@athos/contract/console/calls';
import { RECOVERY_HOURS_MIN } from '@athos/contract/console/recoveries';
import type { Action } from '../../capability.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import { consoleEndpoint } from '../../platform/console/console-endpoint.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { HOUR_MS } from '../../platform/limits/attempt-counters.sql.ts';
import { perform, selectPendingOf, type PerformDeps } from '../approvals/index.ts';
import {
  forgetRecovery,
  lockUsers,
  selectUserByUuid,
  selectWaiting,
  shortenRecovery,
} from '../identity/index.ts';
import type { ActDeps } from './acts.routes.ts';
import { requireCustomer } from './acts.ts';

const shortening = z.object({ uuid: z.string(), hours: z.int().min(RECOVERY_HOURS_MIN) });
type Shortening = z.output<typeof shortening>;

/** Throws `not_found` for an unknown or closed account, and for one without a wait. */
async function requireWaiting(tx: Tx, uuid: string) {
  const user = await selectUserByUuid(tx, uuid);
  const waiting = user === undefined ? undefined : await selectWaiting(tx, user.id);
  if (user === undefined || user.closed_at !== null || waiting === undefined) {
    throw new AppError('not_found');
  }
  return { user, waiting };
}

/** The hours count from the vote, so that the owner always has that time to stop the recovery. */
const endOf = (clock: Clock, { hours }: Shortening): Date =>
  new Date(dateOf(clock).getTime() + hours * HOUR_MS);

export const shortenAction: Action<{ readonly clock: Clock }, Shortening> = {
  name: 'recovery.shorten',
  subjectType: 'customer',
  permission: 'customers.release',
  policy: 'recoveryPolicy',
  unit: 'ATH',
  payload: shortening,
  async lock(_deps, tx, { payload }) {
    const user = await selectUserByUuid(tx, payload.uuid);
    if (user === undefined) throw new AppError('not_found');
    await lockUsers(tx, [user.id]);
  },
  /**
   * Nothing is measured, so the action needs a vote whatever the policy says. The version distinguishes a wait from one that began later.
   */
  async preview({ clock }, tx, { payload }) {
    const { user, waiting } = await requireWaiting(tx, payload.uuid);
    if (endOf(clock, payload) >= waiting.endsAt) {
      throw new AppError('recovery_ends_sooner', { detail: 'Nothing was changed.' });
    }
    const before = { begun_at: waiting.begunAt, ends_at: waiting.endsAt };
    return {
      subjectId: payload.uuid,
      version: JSON.stringify(before),
      customer: { userId: user.id, uuid: payload.uuid, email: user.email },
      before,
      after: { begun_at: waiting.begunAt, hours_after_the_vote: payload.hours },
    };
  },
  async execute({ clock }, tx, { payload }) {
    const { user } = await requireWaiting(tx, payload.uuid);
    const end = { userId: user.id, endsAt: endOf(clock, payload) };
    if (!(await shortenRecovery(tx, clock, end))) throw new AppError('recovery_ends_sooner');
  },
};

/** The wait of a customer, with the request to shorten it; null without a wait. */
export async function presentRecovery(db: Db, { id, uuid }: { id: bigint; uuid: string }) {
  const waiting = await selectWaiting(db, id);
  if (waiting === undefined) return null;
  const requests = await selectPendingOf(db, shortenAction.name);
  return {
    begun_at: waiting.begunAt.toISOString(),
    ends_at: waiting.endsAt.toISOString(),
    reminded_at: waiting.remindedAt?.toISOString() ?? null,
    approval_id: requests.get(uuid) ?? null,
  };
}

export function registerRecoveryActs(app: FastifyInstance, deps: ActDeps & PerformDeps): void {
  consoleEndpoint(app, deps, consoleApi.refuseRecovery, async ({ params, body, ...act }) => {
    const { id: userId } = await requireCustomer(act, params.uuid);
    if (!(await forgetRecovery(act.tx, deps.clock, userId, 'refused'))) {
      throw new AppError('not_found');
    }
    await act.record({ subjectId: params.uuid, after: { reason: body.reason } });
    return { success: true } as const;
  });

  consoleEndpoint(app, deps, consoleApi.shortenRecovery, (act) => {
    const { params, body } = act;
    const payload = { uuid: params.uuid, hours: body.hours };
    return perform(deps, act, shortenAction, { payload, reason: body.reason });
  });
}
