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
import { environmentName, isOurs, lookAndSettle, type SettleDeps } from '../orders/settle.ts';
import { lookAtProviderRefund, lookAtRefundsOf } from '../refunds/look-at-refunds.ts';

/** Events that may change the state of an order. */
const SETTLING_TYPES: readonly string[] = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'charge.updated',
];

/** Events about one refund. */
const REFUND_TYPES: readonly string[] = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
];

/** Says of a charge that it was refunded, not by which refund. */
const CHARGE_REFUNDED = 'charge.refunded';

/** Events by which a payment is taken back, or may be, by how their type begins. Nothing is booked yet: a person decides. */
const ALARMS = [
  ['charge.dispute.', 'payment_disputed'],
  ['radar.early_fraud_warning.', 'payment_fraud_warning'],
] as const;

/** Events that say nothing about an order, or only what a settling event says as well. */
const IDLE_TYPES: readonly string[] = [
  'payment_intent.created',
  'charge.succeeded',
  'charge.failed',
  'charge.pending',
  'balance.available',
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.reconciliation_completed',
];

type EventDeps = Pick<SettleDeps, 'db' | 'clock' | 'log' | 'config'> & {
  readonly config: {
    readonly hashingKey: string;
    readonly stripe: { readonly secretKey: string };
  };
};

const alarmOf = (type: string) => ALARMS.find(([beginning]) => type.startsWith(beginning))?.[1];

/** What an event is about, by its type; `undefined` if it needs no work. */
function workOf({
  type,
  objectId,
  intentId,
}: WorkFacts): 'settle' | 'refund' | 'refunds' | 'alarm' | undefined {
  if (SETTLING_TYPES.includes(type)) return intentId === undefined ? undefined : 'settle';
  if (REFUND_TYPES.includes(type)) return objectId === undefined ? undefined : 'refund';
  if (type === CHARGE_REFUNDED) return intentId === undefined ? undefined : 'refunds';
  return alarmOf(type) === undefined ? undefined : 'alarm';
}

type WorkFacts = Pick<ProviderEvent, 'type' | 'objectId' | 'intentId'>;

const isKnown = (type: string): boolean =>
  [SETTLING_TYPES, REFUND_TYPES, IDLE_TYPES].some((types) => types.includes(type)) ||
  type === CHARGE_REFUNDED ||
  alarmOf(type) !== undefined;

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

/** Whether the event is of a type that nothing here understands, and the first of its type within an hour. */
async function isNewRiddle(
  { clock, config }: EventDeps,
  tx: Tx,
  { type }: ProviderEvent,
): Promise<boolean> {
  if (isKnown(type)) return false;
  const subject = attemptSubject(config.hashingKey, `provider event ${type}`);
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

/** Counts a decline from its event, since the intent shows only the last of several. */
async function countDeclineOf(deps: SettleDeps, event: EventRow): Promise<void> {
  const { intent_id: intentId, charge_id: chargeId } = event;
  if (event.type !== 'payment_intent.payment_failed') return;
  if (intentId === null || chargeId === null) return;
  await deps.db.transaction().execute(async (tx) => {
    const order = await selectOrderOfIntent(tx, intentId);
    if (order !== undefined) await countDecline(deps, tx, { order, chargeId });
  });
}

/**
 * Raises the alarm of an event, with the order by the provider's record if our own is lost. It comes from a job, so that it is
 * raised even if the process ends right after the event was acknowledged.
 */
async function raiseAlarm(deps: SettleDeps, event: EventRow, alarm: string): Promise<void> {
  const { id: eventId, type: eventType, intent_id: intentId, charge_id: chargeId } = event;
  let orderId: string | undefined;
  if (intentId !== null) {
    orderId = (await selectOrderOfIntent(deps.db, intentId))?.id;
    if (orderId === undefined) {
      const intent = await deps.cardProvider.retrieveIntent(intentId);
      if (!isOurs(deps, intent)) return;
      orderId = intent.metadata['order_id'];
    }
  }
  deps.log.error(
    { alarm, orderId, eventId, eventType, intentId, chargeId },
    'the provider takes a payment back, or may',
  );
}

async function work(deps: SettleDeps, event: EventRow): Promise<void> {
  const { type, object_id: objectId, intent_id: intentId } = event;
  switch (workOf({ type, objectId: objectId ?? undefined, intentId: intentId ?? undefined })) {
    case 'settle':
      await lookAndSettle(deps, intentId ?? '');
      return;
    case 'refund':
      return lookAtProviderRefund(deps, objectId ?? '');
    case 'refunds':
      return lookAtRefundsOf(deps, intentId ?? '');
    case 'alarm':
      return raiseAlarm(deps, event, alarmOf(type) ?? '');
    case undefined:
      return;
  }
}

/** Processes a stored event. Its content may be outdated, so the object is retrieved again. */
export async function processEvent(deps: SettleDeps, eventId: string): Promise<void> {
  const event = await selectEvent(deps.db, eventId);
  if (event === undefined || event.processed_at !== null) return;
  await work(deps, event);
  await countDeclineOf(deps, event);
  await updateEventProcessed(deps.db, eventId, dateOf(deps.clock));
}
