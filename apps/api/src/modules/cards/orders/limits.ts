/** Limits against card testing (docs/cards.md, "Limits"). Honest buyers do not reach them. */
import { userAccountId, type Ledger } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import {
  attemptSubject,
  HOUR_MS,
  takeAttempt,
} from '../../../platform/limits/attempt-counters.sql.ts';
import { countEvent } from '../../../platform/stats/event-counts.sql.ts';
import { requireNotHeld } from '../../holds/index.ts';
import { insertDecline, selectPauseBegin } from './limits.sql.ts';
import type { OrderRow } from './orders.sql.ts';

const MINUTE_MS = 60_000;

interface PauseDeps {
  readonly clock: Clock;
  readonly config: { readonly limits: { readonly declinesPerHour: number } };
}

interface LimitDeps extends PauseDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly config: {
    readonly hashingKeys: readonly string[];
    readonly limits: {
      readonly paymentsPerMinute: number;
      readonly paymentsPerHour: number;
      readonly declinesPerHour: number;
    };
  };
}

const secondsUntil = (clock: Clock, timeMs: number): number =>
  Math.max(1, Math.ceil((timeMs - clock.nowMs()) / 1000));

/**
 * Counts one call, even if it is refused later. Replays are counted separately: each of them calls the provider, but new calls must not
 * keep a finished one from its answer. Throws `too_many_requests`.
 */
export async function takePost(
  { db, clock, config: { hashingKeys, limits } }: LimitDeps,
  userId: bigint,
  isReplay: boolean,
): Promise<void> {
  const what = isReplay ? 'replays of card orders' : 'card orders';
  const ofMinute = {
    subject: attemptSubject(hashingKeys, `${what} of a minute ${userId}`),
    windowMs: MINUTE_MS,
    countMax: limits.paymentsPerMinute,
  };
  const ofHour = {
    subject: attemptSubject(hashingKeys, `${what} of an hour ${userId}`),
    windowMs: HOUR_MS,
    countMax: limits.paymentsPerHour,
  };
  await takeAttempt(db, [ofMinute, ofHour], dateOf(clock), 'too_many_requests');
}

/** The end of the pause after too many declines, in ms; `undefined` if there is none. */
async function pauseEndMs(
  { clock, config }: PauseDeps,
  tx: Tx | Db,
  userId: bigint,
): Promise<number | undefined> {
  const beganAt = await selectPauseBegin(tx, {
    userId,
    count: config.limits.declinesPerHour,
    now: dateOf(clock),
  });
  return beganAt === undefined ? undefined : beganAt.getTime() + HOUR_MS;
}

/** Throws `account_restricted` or `buying_paused`. */
export async function requireMayBuy(deps: LimitDeps, userId: bigint): Promise<void> {
  const state = await deps.ledger.accountState(deps.db, userAccountId(userId, 'ATH'));
  // A hold on outgoing value does not stop buying tokens.
  if (state !== 'open' && state !== 'held') throw new AppError('account_restricted');
  await requireNotHeld(deps.db, { userId, kind: 'top_up', nothing: 'Nothing was charged.' });
  const endMs = await pauseEndMs(deps, deps.db, userId);
  if (endMs === undefined) return;
  throw new AppError('buying_paused', {
    detail: 'Several cards were declined. Buying is possible again later.',
    retryAfterSeconds: secondsUntil(deps.clock, endMs),
  });
}

/**
 * Counts a declined charge once. If it reaches the hourly limit, the user's open orders are canceled as well: otherwise their
 * forms could keep trying cards while new orders are refused.
 */
export async function countDecline(
  { clock, config }: PauseDeps,
  tx: Tx,
  { order, chargeId, reason }: { order: OrderRow; chargeId: string; reason?: string | undefined },
): Promise<void> {
  const declinedAt = dateOf(clock);
  const isNew = await insertDecline(tx, {
    chargeId,
    orderId: order.id,
    userId: order.user_id,
    declinedAt,
  });
  if (!isNew) return;
  await countEvent(tx, { event: 'declined', dimension: reason ?? 'unknown', at: declinedAt });
  if ((await pauseEndMs({ clock, config }, tx, order.user_id)) === undefined) return;
  await enqueueJob(tx, 'payment_cancel_open', { userId: order.user_id.toString() });
}
