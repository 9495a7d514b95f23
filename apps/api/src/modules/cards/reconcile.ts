/** Compensates for lost webhooks: looks up open orders, lists events and compares both books. */
import { dateOf } from '../../platform/clock.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { CardIntent } from './card-provider.ts';
import { deleteOldEvents, selectNewestEventTime } from './events.sql.ts';
import { endOrder } from './intents.ts';
import {
  selectCreditedOrders,
  selectExpiredOrders,
  selectOpenOrdersBefore,
  selectOrder,
  type OrderRow,
} from './orders.sql.ts';
import { receiveEvent } from './provider-events.ts';
import { environmentName, lookAndSettle, settle, type SettleDeps } from './settle.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Newer orders are polled by their own browser. */
const OPEN_ORDER_AGE_MIN_MS = 2 * MINUTE_MS;
/** The provider allows 25 reads/s. The oldest orders come first, the rest in the next round. */
const ORDERS_PER_ROUND_MAX = 500;
/** Few attempts are enough, since the next round asks again anyway. */
const LOOK_ATTEMPT_COUNT_MAX = 3;
/** The provider keeps events for 30 days. */
const EVENTS_AGE_MAX_MS = 30 * 24 * HOUR_MS;
/** Longer than the 30 days for which the provider lists events, so a deleted event never arrives again. */
const EVENTS_KEPT_MS = 90 * 24 * HOUR_MS;
const EVENTS_OVERLAP_MS = 2 * HOUR_MS;
const COMPARED_MS = 48 * HOUR_MS;

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

export async function cancelExpiredOrders(deps: SettleDeps): Promise<void> {
  const orders = await selectExpiredOrders(deps.db, dateOf(deps.clock), ORDERS_PER_ROUND_MAX);
  await enqueuePerOrder(deps, 'payment_end', orders);
}

const canBePaid = (order: OrderRow | undefined): order is OrderRow =>
  order?.state === 'open' || order?.state === 'creating';

/** Looks up an open order. Without a stored intent nobody can have paid, since the owner has not received its secret. */
export async function lookAtOrder(deps: SettleDeps, orderId: string): Promise<void> {
  const order = await selectOrder(deps.db, orderId);
  if (canBePaid(order) && order.intent_id !== null) await lookAndSettle(deps, order.intent_id);
}

export async function endExpiredOrder(deps: SettleDeps, orderId: string): Promise<void> {
  const order = await selectOrder(deps.db, orderId);
  if (canBePaid(order) && order.expires_at <= dateOf(deps.clock)) await endOrder(deps, order);
}

/** Stores the events that no webhook delivered, going back to before the newest stored one. */
export async function takeListedEvents(deps: SettleDeps & EventDeps): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const newest = await selectNewestEventTime(deps.db);
  const sinceMs = Math.min(newest?.getTime() ?? 0, nowMs) - EVENTS_OVERLAP_MS;
  const from = new Date(Math.max(sinceMs, nowMs - EVENTS_AGE_MAX_MS));
  for await (const event of deps.cardProvider.listEvents({ from })) await receiveEvent(deps, event);
}

export const forgetOldEvents = ({ db, clock }: SettleDeps): Promise<void> =>
  deleteOldEvents(db, new Date(clock.nowMs() - EVENTS_KEPT_MS));

/** How a credited order differs from what the provider says now, including refunds and disputes. */
function differenceOf(order: OrderRow, intent: CardIntent): string | undefined {
  if (intent.status !== 'succeeded') return `credited, but the intent is ${intent.status}`;
  if (intent.amountReceivedUsdCents !== order.total_usd_cents) {
    return `credited for ${order.total_usd_cents} cents, received ${intent.amountReceivedUsdCents}`;
  }
  if (intent.charge?.isRefunded === true) return 'credited, but refunded at the provider';
  return intent.charge?.isDisputed === true ? 'credited, but disputed at the provider' : undefined;
}

/**
 * Compares the last 48 h in both directions: every payment must be credited, and every credit must be paid. A missing credit is
 * settled; a credit without payment raises an alarm. So does a payment that cannot be compared; the others are still compared,
 * and the function throws at the end, so that the job is retried.
 */
export async function compareBooks(deps: SettleDeps): Promise<void> {
  const { db, clock, log, cardProvider } = deps;
  const lookedAt = dateOf(clock);
  const from = new Date(lookedAt.getTime() - COMPARED_MS);
  const intents = new Map<string, CardIntent>();
  let faultCount = 0;
  const compare = async (intentId: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      faultCount += 1;
      log.error(
        { alarm: 'payment_not_compared', intentId, err: error },
        'a payment could not be compared',
      );
    }
  };
  for await (const intent of cardProvider.listIntents({ from })) {
    if (intent.metadata['env'] !== environmentName(deps.config)) continue;
    intents.set(intent.intentId, intent);
    await compare(intent.intentId, () => settle(deps, intent, lookedAt));
  }
  for (const order of await selectCreditedOrders(db, from)) {
    const intentId = order.intent_id ?? '';
    await compare(intentId, async () => {
      const intent = intents.get(intentId) ?? (await cardProvider.retrieveIntent(intentId));
      const reason = differenceOf(order, intent);
      if (reason === undefined) return;
      log.error({ alarm: 'payment_difference', orderId: order.id, reason }, 'the books differ');
    });
  }
  if (faultCount > 0) throw new Error(`${faultCount} payments could not be compared`);
}
