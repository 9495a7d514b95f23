/** The provider's events: each is stored once, acknowledged, and processed by a job if it needs one. */
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import {
  attemptSubject,
  countAttempts,
  HOUR_MS,
} from '../../../platform/limits/attempt-counters.sql.ts';
import type { ProviderEvent } from '../provider/card-provider.ts';
import { countDecline } from '../orders/limits.ts';
import { insertEvent, selectEvent, updateEventProcessed, type EventRow } from './events.sql.ts';
import { selectOrderOfIntent } from '../orders/orders.sql.ts';
import type { DisputeDeps } from '../disputes/debts.ts';
import { refreshDispute, refreshWarning } from '../disputes/refresh-disputes.ts';
import { listTransactions } from '../reconciliation/transactions.ts';
import { environmentName } from '../orders/order-metadata.ts';
import type { SettleDeps } from '../orders/settle-deps.ts';
import { fetchAndSettle } from '../orders/settle.ts';
import { refreshProviderRefund, refreshRefundsOf } from '../refunds/refresh-refunds.ts';

type Work = 'settle' | 'refund' | 'refunds' | 'dispute' | 'warning' | 'payout';

/** The work for each type of event. An event's content may be outdated, so the work retrieves the object from the provider. */
const WORK_OF_TYPE: Readonly<Record<string, Work | undefined>> = {
  'payment_intent.succeeded': 'settle',
  'payment_intent.payment_failed': 'settle',
  'payment_intent.canceled': 'settle',
  'payment_intent.processing': 'settle',
  'payment_intent.requires_action': 'settle',
  'charge.updated': 'settle',
  // This event tells that a charge was refunded, but not by which refund.
  'charge.refunded': 'refunds',
  'refund.created': 'refund',
  'refund.updated': 'refund',
  'refund.failed': 'refund',
  'charge.refund.updated': 'refund',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.funds_withdrawn': 'dispute',
  'charge.dispute.funds_reinstated': 'dispute',
  'charge.dispute.closed': 'dispute',
  'radar.early_fraud_warning.created': 'warning',
  'radar.early_fraud_warning.updated': 'warning',
  'payout.paid': 'payout',
  'payout.failed': 'payout',
  'payout.canceled': 'payout',
  'payout.reconciliation_completed': 'payout',
};

/** Events that are not about an order, or only repeat another event. */
const IDLE_TYPES: readonly string[] = [
  'payment_intent.created',
  'charge.succeeded',
  'charge.failed',
  'charge.pending',
  'balance.available',
  'payout.created',
  'payout.updated',
];

type EventDeps = Pick<SettleDeps, 'db' | 'clock' | 'log' | 'config'> & {
  readonly config: {
    readonly hashingKeys: readonly string[];
    readonly stripe: { readonly secretKey: string };
  };
};

type EventFacts = Pick<ProviderEvent, 'type' | 'objectId' | 'intentId'>;

/** The work of an event and the object that it is about; `undefined` if there is nothing to do. */
function workOf(event: EventFacts): { work: Work; subject: string } | undefined {
  const work = WORK_OF_TYPE[event.type];
  if (work === undefined) return undefined;
  const subject = work === 'settle' || work === 'refunds' ? event.intentId : event.objectId;
  return subject === undefined ? undefined : { work, subject };
}

const isKnown = (type: string): boolean =>
  WORK_OF_TYPE[type] !== undefined || IDLE_TYPES.includes(type);

/** Whether the event belongs to our mode and, if it names a system, to this one or to an order of this one. */
async function isForUs({ db, log, config }: EventDeps, event: ProviderEvent): Promise<boolean> {
  const isLive = config.stripe.secretKey.includes('_live_');
  if (event.isLive !== isLive) {
    log.error({ alarm: 'webhook_mode', eventId: event.eventId }, 'an event is of the other mode');
    return false;
  }
  const { environment, intentId } = event;
  if (environment === undefined || environment === environmentName(config)) return true;
  return intentId !== undefined && (await selectOrderOfIntent(db, intentId)) !== undefined;
}

/** Whether the event has an unknown type and is the first of that type within an hour. */
async function isNewRiddle(
  { clock, config }: EventDeps,
  tx: Tx,
  { type }: ProviderEvent,
): Promise<boolean> {
  if (isKnown(type)) return false;
  const subject = attemptSubject(config.hashingKeys, `provider event ${type}`);
  const [counted] = await countAttempts(tx, [{ subject, windowMs: HOUR_MS }], dateOf(clock));
  return counted?.attemptCount === 1;
}

/** Stores an event together with its job, if it needs one. Ignores an event that is already stored. */
export async function receiveEvent(deps: EventDeps, event: ProviderEvent): Promise<void> {
  if (!(await isForUs(deps, event))) return;
  const { eventId, type, objectId, intentId, chargeId, createdAt } = event;
  const hasJob = workOf(event) !== undefined;
  const now = dateOf(deps.clock);
  const isRiddle = await deps.db.transaction().execute(async (tx) => {
    const isNew = await insertEvent(tx, {
      id: eventId,
      type,
      object_id: objectId ?? null,
      intent_id: intentId ?? null,
      charge_id: chargeId ?? null,
      created_at: createdAt,
      received_at: now,
      processed_at: hasJob ? null : now,
    });
    if (isNew && hasJob) await enqueueJob(tx, 'payment_event', { eventId });
    return isNew && (await isNewRiddle(deps, tx, event));
  });
  if (!isRiddle) return;
  deps.log.error(
    { alarm: 'event_unknown', eventId, eventType: type },
    'nothing understands this type of event; further ones are counted for an hour',
  );
}

/** Counts a decline from its event, since the intent shows only the last of several declines. */
async function countDeclineOf(deps: SettleDeps, event: EventRow): Promise<void> {
  const { intent_id: intentId, charge_id: chargeId } = event;
  if (event.type !== 'payment_intent.payment_failed') return;
  if (intentId === null || chargeId === null) return;
  await deps.db.transaction().execute(async (tx) => {
    const order = await selectOrderOfIntent(tx, intentId);
    if (order !== undefined) await countDecline(deps, tx, { order, chargeId });
  });
}

async function work(deps: DisputeDeps, event: EventRow): Promise<void> {
  const { type, object_id: objectId, intent_id: intentId } = event;
  const due = workOf({ type, objectId: objectId ?? undefined, intentId: intentId ?? undefined });
  switch (due?.work) {
    case 'settle':
      await fetchAndSettle(deps, due.subject);
      return;
    case 'refund':
      return refreshProviderRefund(deps, due.subject);
    case 'refunds':
      return refreshRefundsOf(deps, due.subject);
    case 'dispute':
      return refreshDispute(deps, due.subject);
    case 'warning':
      return refreshWarning(deps, due.subject);
    case 'payout':
      // The payout's transaction has everything that the books need.
      await listTransactions(deps);
      return;
    case undefined:
      return;
  }
}

/** Processes a stored event. Its content may be outdated, so the object is retrieved again. */
export async function processEvent(deps: DisputeDeps, eventId: string): Promise<void> {
  const event = await selectEvent(deps.db, eventId);
  if (event === undefined || event.processed_at !== null) return;
  await work(deps, event);
  await countDeclineOf(deps, event);
  await updateEventProcessed(deps.db, eventId, dateOf(deps.clock));
}
