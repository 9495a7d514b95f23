/** The provider's events: each is stored once, acknowledged, and processed by a job. */
import { dateOf } from '../../platform/clock.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import type { ProviderEvent } from './card-provider.ts';
import { countDecline } from './limits.ts';
import { insertEvent, selectEvent, updateEventProcessed, type EventRow } from './events.sql.ts';
import { selectOrderOfIntent } from './orders.sql.ts';
import { environmentName, lookAndSettle, type SettleDeps } from './settle.ts';

/** Events that may change the state of an order. All others are only stored. */
const SETTLING_TYPES: readonly string[] = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'charge.updated',
];

type EventDeps = Pick<SettleDeps, 'db' | 'clock' | 'log' | 'config'> & {
  readonly config: { readonly stripe: { readonly secretKey: string } };
};

/** Whether the event belongs to our mode and, if it names a system, to this one. */
function isOurs({ log, config }: EventDeps, event: ProviderEvent): boolean {
  const isLive = config.stripe.secretKey.includes('_live_');
  if (event.isLive !== isLive) {
    log.error({ alarm: 'webhook_mode', eventId: event.eventId }, 'an event is of the other mode');
    return false;
  }
  return event.environment === undefined || event.environment === environmentName(config);
}

/** Stores an event together with its job, if it needs one. Ignores an event that is already stored. */
export async function receiveEvent(deps: EventDeps, event: ProviderEvent): Promise<void> {
  if (!isOurs(deps, event)) return;
  const isSettling = SETTLING_TYPES.includes(event.type) && event.intentId !== undefined;
  const now = dateOf(deps.clock);
  await deps.db.transaction().execute(async (tx) => {
    const isNew = await insertEvent(tx, {
      id: event.eventId,
      type: event.type,
      intent_id: event.intentId ?? null,
      charge_id: event.type === 'payment_intent.payment_failed' ? (event.chargeId ?? null) : null,
      created_at: event.createdAt,
      received_at: now,
      processed_at: isSettling ? null : now,
    });
    if (isNew && isSettling) await enqueueJob(tx, 'payment_event', { eventId: event.eventId });
  });
}

/** Counts a decline from its event, since the intent shows only the last of several. */
async function countDeclineOf(deps: SettleDeps, event: EventRow): Promise<void> {
  const { intent_id: intentId, charge_id: chargeId } = event;
  if (intentId === null || chargeId === null) return;
  await deps.db.transaction().execute(async (tx) => {
    const order = await selectOrderOfIntent(tx, intentId);
    if (order !== undefined) await countDecline(deps, tx, { order, chargeId });
  });
}

/** Processes a stored event. Its content may be outdated, so the intent is retrieved again. */
export async function processEvent(deps: SettleDeps, eventId: string): Promise<void> {
  const event = await selectEvent(deps.db, eventId);
  if (event === undefined || event.processed_at !== null || event.intent_id === null) return;
  await lookAndSettle(deps, event.intent_id);
  await countDeclineOf(deps, event);
  await updateEventProcessed(deps.db, eventId, dateOf(deps.clock));
}
