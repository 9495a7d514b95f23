/** GET payment_intent/{id}, which the browser polls after the card was entered. */
import { setTimeout as pause } from 'node:timers/promises';
import { m } from '@athos/messages/messages';
import { dateOf, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { withDeadline } from './card-provider.ts';
import { claimLook, selectOrder, selectOrderOfUser, type OrderRow } from './orders.sql.ts';
import { lookAndSettle, type SettleDeps } from './settle.ts';

/** How often the provider is asked about one order (docs/cards.md, "Limits"). */
const LOOK_INTERVAL_MS = 1_500;
/** The provider allows 25 reads a second for the whole account; jobs and new orders need the rest. */
const LOOKS_PER_SECOND_MAX = 15;
/** Below the 10 s of the client. After that the last known state is the answer. */
const ANSWER_WITHIN_MS = 6_000;

interface OrderStatus {
  readonly status: 0 | 1 | 2;
  readonly error: string | null;
}

const PENDING: OrderStatus = { status: 0, error: null };

/** Limits the looks of all users of this process in one second of the clock. */
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

function statusOf(order: OrderRow): OrderStatus {
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
type ReadStatus = (userId: bigint, orderId: string) => Promise<OrderStatus>;

export function createStatusReader(deps: SettleDeps): ReadStatus {
  const { db, clock, log } = deps;
  const takeLook = createLookBudget(clock);

  /** Asks the provider unless somebody just did. If it cannot be reached, nothing changes. */
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

  /** A failed attempt counts only if it was observed after the question: by now the same form may have succeeded. */
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
