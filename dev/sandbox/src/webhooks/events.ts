import type Stripe from 'stripe';
import { takeOne } from '../control/controls.ts';
import { createId } from '../ids.ts';
import type { Cause, Sandbox } from '../sandbox.ts';

/** The SDK's pin: events are written in this version. */
export const apiVersion = '2026-10-28.endive';

const retentionSeconds = 30 * 86_400;

/**
 * Writes an event and its deliveries in the caller's transaction. Endpoints are those registered
 * and the one of the settings. Planned losses (control plane) happen here.
 */
export function emit(
  sandbox: Sandbox,
  cause: Cause | null,
  happened: { type: Stripe.Event.Type; object: object; previous?: object },
): void {
  const { type, object, previous } = happened;
  const { controls, clock, store } = sandbox;
  if (takeOne(controls.webhooks, 'loseCount')) {
    controls.save();
    return;
  }
  const event = {
    id: createId('evt_'),
    object: 'event',
    api_version: apiVersion,
    created: clock.nowSeconds(),
    data: {
      object,
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 0,
    request: { id: cause?.requestId ?? null, idempotency_key: cause?.idempotencyKey ?? null },
    type,
    // The SDK's union ties every type to its object; here both come in together.
  } as unknown as Stripe.Event;
  store.insert('event', event);
  for (const endpoint of listEndpoints(sandbox)) {
    if (isWanted(endpoint.enabled_events, type)) enqueue(sandbox, event.id, endpoint.id);
  }
  sandbox.wake();
}

function listEndpoints(sandbox: Sandbox): Stripe.WebhookEndpoint[] {
  return sandbox.store.list('webhook_endpoint', { limit: 100 }).data;
}

function isWanted(enabled: readonly string[], type: string): boolean {
  return enabled.includes('*') || enabled.includes(type);
}

function enqueue(sandbox: Sandbox, eventId: string, endpointId: string): void {
  const { webhooks } = sandbox.controls;
  if (takeOne(webhooks, 'dropCount')) {
    sandbox.controls.save();
    return;
  }
  const windowMs = webhooks.order === 'as_made' ? 0 : webhooks.windowMs;
  const dueMs = sandbox.clock.nowMs() + webhooks.delayMs + windowMs;
  const insert = sandbox.store.db.prepare(
    `insert into outbox (event_id, endpoint_id, attempt_count, due_ms, state)
     values (?, ?, 0, ?, 'waiting')`,
  );
  for (let copy = 0; copy < webhooks.copies; copy += 1) insert.run(eventId, endpointId, dueMs);
}

/** How many deliveries of an event are still owed: worked out at reading. */
export function withPendingCount(sandbox: Sandbox, event: Stripe.Event): Stripe.Event {
  const row = sandbox.store.db
    .prepare(`select count(*) as n from outbox where event_id = ? and state = 'waiting'`)
    .get(event.id);
  return { ...event, pending_webhooks: Number(row?.['n'] ?? 0) };
}

/** Events are kept for 30 days: the oldest second that is still shown. */
export function oldestEventSeconds(sandbox: Sandbox): number {
  return sandbox.clock.nowSeconds() - retentionSeconds;
}

/** Forgets older events and the finished deliveries of them. */
export function pruneEvents(sandbox: Sandbox): void {
  const oldest = oldestEventSeconds(sandbox);
  sandbox.store.db.prepare(`delete from objects where kind = 'event' and created < ?`).run(oldest);
  sandbox.store.db.exec(
    `delete from outbox where state <> 'waiting' and event_id not in (select id from objects)`,
  );
}
