/** GET payment_intent/{id}: what the browser polls after the card was entered. */
import { setTimeout as pause } from 'node:timers/promises';
import { m } from '@athos/messages/messages';
import { dateOf, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { claimLook, selectOrder, selectOrderOfUser, type OrderRow } from './payment.sql.ts';
import { lookAndSettle, type SettleDeps } from './settle.ts';
import { withDeadline } from './with-deadline.ts';

/** Design of card payments, section 8: how often one order is asked about. */
const LOOK_INTERVAL_MS = 1_500;
/** The provider allows 25 reads a second for the whole account; jobs and new orders need some of them. */
const LOOKS_PER_SECOND_MAX = 15;
/** Below the 10 s of the client: then the last known state is the answer. */
const ANSWER_WITHIN_MS = 6_000;

interface PaymentStatus {
  readonly status: 0 | 1 | 2;
  readonly error: string | null;
}

const PENDING: PaymentStatus = { status: 0, error: null };

/** At most so many looks in one second of the clock, over all users of this process. */
function createLookBudget(clock: Clock): () => boolean {
  let second = 0;
  let lookCount = 0;
  return () => {
    const now = Math.floor(clock.nowMs() / 1000);
    if (now !== second) lookCount = 0;
    second = now;
    lookCount += 1;
    return lookCount <= LOOKS_PER_SECOND_MAX;
  };
}

function statusOf(order: OrderRow): PaymentStatus {
  switch (order.state) {
    case 'credited':
      return { status: 1, error: null };
    case 'canceled':
      return { status: 2, error: m.buy_payment_canceled() };
    case 'creating':
    case 'open':
    case 'review':
      return order.error_message === null ? PENDING : { status: 2, error: order.error_message };
  }
}

const isWaiting = (order: OrderRow): boolean =>
  order.state === 'creating' || order.state === 'open';

/** Reads a payment's state for its owner. Throws `not_found` for anybody else. */
type ReadStatus = (userId: bigint, orderId: string) => Promise<PaymentStatus>;

export function createStatusReader(deps: SettleDeps): ReadStatus {
  const { db, clock, log } = deps;
  const takeLook = createLookBudget(clock);

  /** Asks the provider unless somebody just did. One that cannot be reached teaches nothing. */
  async function look(order: OrderRow): Promise<void> {
    if (order.intent_id === null) return;
    const now = dateOf(clock);
    const before = new Date(now.getTime() - LOOK_INTERVAL_MS);
    if (!takeLook() || !(await claimLook(db, order.id, { now, before }))) return;
    try {
      await withDeadline(lookAndSettle(deps, order.intent_id), ANSWER_WITHIN_MS);
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 503) throw error;
      log.warn({ err: error, orderId: order.id }, 'a payment could not be looked at');
    }
  }

  /** A failed attempt is news only if it was seen after the question: by now the same form may have succeeded. */
  async function waitForTurn(order: OrderRow): Promise<void> {
    if (order.error_message === null || order.look_claimed_at === null) return;
    const turnMs = order.look_claimed_at.getTime() + LOOK_INTERVAL_MS - clock.nowMs();
    if (turnMs > 0) await pause(Math.min(turnMs, LOOK_INTERVAL_MS));
  }

  return async (userId, orderId) => {
    const askedAt = dateOf(clock);
    const order = await selectOrderOfUser(db, orderId, userId);
    if (order === undefined) throw new AppError('not_found');
    if (!isWaiting(order)) return statusOf(order);
    await waitForTurn(order);
    await look(order);
    const seen = await selectOrder(db, orderId);
    if (seen === undefined) throw new AppError('not_found');
    const isOldNews = seen.observed_at === null || seen.observed_at < askedAt;
    if (isWaiting(seen) && isOldNews) return PENDING;
    return statusOf(seen);
  };
}
