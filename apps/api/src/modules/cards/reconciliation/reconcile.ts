/** Compensates for lost webhooks: looks up open orders, ends expired ones and lists events. */
import { dateOf } from '../../../platform/clock.ts';
import { isRetryableDatabaseError } from '../../../platform/database/database.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { endOrder } from '../orders/intents.ts';
import {
  selectOpenOrdersBefore,
  selectOrder,
  selectOrdersToEnd,
  type OrderRow,
} from '../orders/orders.sql.ts';
import { receiveEvent } from '../events/provider-events.ts';
import type { SettleDeps } from '../orders/settle-deps.ts';
import { fetchAndSettle } from '../orders/settle.ts';
import { storeProviderList } from './provider-list.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Newer orders are polled by their own browser. */
const OPEN_ORDER_AGE_MIN_MS = 2 * MINUTE_MS;
/** The provider allows 25 reads/s. The oldest orders come first, the rest in the next round. */
const ORDERS_PER_ROUND_MAX = 500;
/** Few attempts are enough, since the next round looks the order up again anyway. */
const LOOK_ATTEMPT_COUNT_MAX = 3;
/** The provider keeps events for 30 days. */
const EVENTS_AGE_MAX_MS = 30 * 24 * HOUR_MS;
/** If more events of a slice cannot be stored, the fault is ours and not theirs, and none may be passed over. */
const UNSTORED_COUNT_MAX = 10;
/** Longer than a request for an intent takes. Closing the order while one is in flight would only refuse that request. */
const INTENT_DUE_MS = 30_000;

type EventDeps = Parameters<typeof receiveEvent>[0];

/** Enqueues one job per order, so that a failing one does not delay others. */
async function enqueuePerOrder(
  deps: SettleDeps,
  task: string,
  orders: readonly { readonly id: string }[],
): Promise<void> {
  for (const { id } of orders) {
    await enqueueJob(
      deps.db,
      task,
      { orderId: id },
      { key: `${task}:${id}`, attemptCountMax: LOOK_ATTEMPT_COUNT_MAX },
    );
  }
}

export async function reconcileOpenOrders(deps: SettleDeps): Promise<void> {
  const before = new Date(deps.clock.nowMs() - OPEN_ORDER_AGE_MIN_MS);
  const orders = await selectOpenOrdersBefore(deps.db, before, ORDERS_PER_ROUND_MAX);
  await enqueuePerOrder(deps, 'payment_look', orders);
}

const endTimes = ({ clock }: SettleDeps) => ({
  now: dateOf(clock),
  intentDue: new Date(clock.nowMs() - INTENT_DUE_MS),
});

export async function cancelExpiredOrders(deps: SettleDeps): Promise<void> {
  const limit = ORDERS_PER_ROUND_MAX;
  const orders = await selectOrdersToEnd(deps.db, { ...endTimes(deps), limit });
  await enqueuePerOrder(deps, 'payment_end', orders);
}

const canBePaid = (order: OrderRow | undefined): order is OrderRow =>
  order?.state === 'open' || order?.state === 'creating';

/** Looks up an open order. Without a stored intent nobody can have paid, since the owner has not received its secret. */
export async function refreshOrder(deps: SettleDeps, orderId: string): Promise<void> {
  const order = await selectOrder(deps.db, orderId);
  if (canBePaid(order) && order.intent_id !== null) await fetchAndSettle(deps, order.intent_id);
}

export async function endExpiredOrder(deps: SettleDeps, orderId: string): Promise<void> {
  const order = await selectOrder(deps.db, orderId);
  if (!canBePaid(order)) return;
  const { now, intentDue } = endTimes(deps);
  const isOverdue = order.state === 'creating' && order.created_at <= intentDue;
  if (isOverdue || order.expires_at <= now) await endOrder(deps, order);
}

/** Stores the listed events. One that cannot be stored raises an alarm and does not keep the others waiting. */
async function storeEvents(
  deps: SettleDeps & EventDeps,
  slice: { readonly from: Date; readonly to: Date },
): Promise<void> {
  let unstoredCount = 0;
  for await (const event of deps.cardProvider.listEvents(slice)) {
    try {
      await receiveEvent(deps, event);
    } catch (error) {
      unstoredCount += 1;
      if (isRetryableDatabaseError(error) || unstoredCount > UNSTORED_COUNT_MAX) throw error;
      const { eventId, type: eventType } = event;
      deps.log.error(
        { alarm: 'event_not_stored', eventId, eventType, err: error },
        'a listed event could not be stored',
      );
    }
  }
}

/** Stores the events that no webhook delivered. Without a mark, all that the provider keeps. */
export async function takeListedEvents(deps: SettleDeps & EventDeps): Promise<void> {
  const oldest = new Date(deps.clock.nowMs() - EVENTS_AGE_MAX_MS);
  await storeProviderList(deps, {
    mark: 'card_events_listed',
    missingSince: (mark) => Promise.resolve(mark !== undefined && mark > oldest ? mark : oldest),
    async storeSlice(slice, moveMark) {
      await storeEvents(deps, slice);
      await moveMark(deps.db);
    },
  });
}
