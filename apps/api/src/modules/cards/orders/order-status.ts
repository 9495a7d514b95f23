/** GET payment_intent/{id}, which the browser polls once the card has been entered. */
import { setTimeout as pause } from 'node:timers/promises';
import { m } from '@athos/messages/messages';
import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { withDeadline } from '../provider/provider-errors.ts';
import { claimLook, selectOrder, selectOrderOfUser, type OrderRow } from './orders.sql.ts';
import type { SettleDeps } from './settle-deps.ts';
import { fetchAndSettle } from './settle.ts';

/** The minimum interval between lookups of one order at the provider (docs/cards.md, "Limits"). */
const LOOK_INTERVAL_MS = 1_500;
/** Below the client's timeout of 10 s. After it, the last known state is returned. */
const ANSWER_WITHIN_MS = 6_000;

export interface OrderStatus {
  readonly status: 0 | 1 | 2;
  readonly error: string | null;
}

const PENDING: OrderStatus = { status: 0, error: null };

export function statusOf(order: OrderRow): OrderStatus {
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

/** Whether the order can still be paid. */
export const isWaiting = (order: OrderRow): boolean =>
  order.state === 'creating' || order.state === 'open';

/** Returns a payment's state to its owner. Throws `not_found` for other users. */
type ReadStatus = (userId: bigint, orderId: string) => Promise<OrderStatus>;

export function createStatusReader(deps: SettleDeps): ReadStatus {
  const { db, clock, log } = deps;

  /**
   * Retrieves the intent from the provider unless another request has just done so, or the lookups of this second are used up. Changes
   * nothing if the provider cannot be reached.
   */
  async function look(order: OrderRow): Promise<void> {
    if (order.intent_id === null) return;
    const now = dateOf(clock);
    const before = new Date(now.getTime() - LOOK_INTERVAL_MS);
    if (!(await claimLook(db, order.id, { now, before }))) return;
    try {
      await withDeadline(fetchAndSettle(deps, order.intent_id), ANSWER_WITHIN_MS);
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 503) throw error;
      log.warn({ err: error, orderId: order.id }, 'a payment could not be looked at');
    }
  }

  /** Waits until a failed order may be looked up again: the stored failure may be outdated, since the form allows retries. */
  async function waitForTurn(order: OrderRow): Promise<void> {
    if (order.error_message === null || order.look_claimed_at === null) return;
    const turnAtMs = order.look_claimed_at.getTime() + LOOK_INTERVAL_MS;
    // A timer counts from the last turn of the event loop, so it may fire early; the second pause waits for the rest.
    for (let pauses = 0; pauses < 2; pauses++) {
      const leftMs = turnAtMs - clock.nowMs();
      if (leftMs <= 0) return;
      await pause(Math.min(leftMs, LOOK_INTERVAL_MS));
    }
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
