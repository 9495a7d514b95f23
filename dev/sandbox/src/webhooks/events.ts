import type Stripe from 'stripe';
import { takeOne } from '../control/controls.ts';
import { createId } from '../ids.ts';
import type { Cause, Sandbox } from '../sandbox.ts';

/** The API version that the SDK pins; events are created in it. */
export const apiVersion = '2026-10-28.endive';

const retentionSeconds = 30 * 86_400;

/**
 * Stores an event and its deliveries, to registered endpoints and the one from the settings, in the caller's transaction.
 * Losses planned through the control plane happen here.
 */
export function emit(
  sandbox: Sandbox,
  cause: Cause | null,
  happened: { type: Stripe.Event.Type; object: object; previous?: object },
): void {
  const { type, object, previous } = happened;
  const { controls, clock, store } = sandbox;
  if (takeOne(controls.webhooks, 'loseCount', type)) {
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
    // The SDK's union ties each event type to its object, which cannot be checked for two separate arguments.
  } as unknown as Stripe.Event;
  store.insert('event', event);
  for (const endpoint of listEndpoints(sandbox)) {
    if (isWanted(endpoint.enabled_events, type)) enqueue(sandbox, event, endpoint.id);
  }
  sandbox.wake();
}

function listEndpoints(sandbox: Sandbox): Stripe.WebhookEndpoint[] {
  return sandbox.store.list('webhook_endpoint', { limit: 100 }).data;
}

function isWanted(enabled: readonly string[], type: string): boolean {
  return enabled.includes('*') || enabled.includes(type);
}

function enqueue(sandbox: Sandbox, event: Stripe.Event, endpointId: string): void {
  const { webhooks } = sandbox.controls;
  if (takeOne(webhooks, 'dropCount', event.type)) {
    sandbox.controls.save();
    return;
  }
  const windowMs = webhooks.order === 'as_made' ? 0 : webhooks.windowMs;
  const dueMs = sandbox.clock.nowMs() + webhooks.delayMs + windowMs;
  const insert = sandbox.store.db.prepare(
    `insert into outbox (event_id, endpoint_id, attempt_count, due_ms, state)
     values (?, ?, 0, ?, 'waiting')`,
  );
  for (let copy = 0; copy < webhooks.copies; copy += 1) insert.run(event.id, endpointId, dueMs);
}

/** Sets the number of pending deliveries of an event. It is computed on reading and not stored. */
export function withPendingCount(sandbox: Sandbox, event: Stripe.Event): Stripe.Event {
  const row = sandbox.store.db
    .prepare(`select count(*) as n from outbox where event_id = ? and state = 'waiting'`)
    .get(event.id);
  return { ...event, pending_webhooks: Number(row?.['n'] ?? 0) };
}

/** The time of the oldest events still listed: they are kept for 30 days. */
export function oldestEventSeconds(sandbox: Sandbox): number {
  return sandbox.clock.nowSeconds() - retentionSeconds;
}

/** Deletes older events and their finished deliveries. */
export function pruneEvents(sandbox: Sandbox): void {
  const oldest = oldestEventSeconds(sandbox);
  sandbox.store.db.prepare(`delete from objects where kind = 'event' and created < ?`).run(oldest);
  sandbox.store.db.exec(
    `delete from outbox where state <> 'waiting' and event_id not in (select id from objects)`,
  );
}
