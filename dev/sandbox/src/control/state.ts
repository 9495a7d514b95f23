import type { Sandbox } from '../sandbox.ts';
import type { Kind } from '../store.ts';

const counted: readonly Kind[] = [
  'payment_intent',
  'payment_method',
  'charge',
  'refund',
  'dispute',
  'radar.early_fraud_warning',
  'file',
  'payout',
  'balance_transaction',
  'event',
  'webhook_endpoint',
];

/** An overview for people and tests: counts, outbox, planned faults, time. Contains no secrets and no card data. */
export function describeState(sandbox: Sandbox): object {
  const { store, controls, clock } = sandbox;
  const { db } = store;
  const groups = (table: string, column: string): Record<string, number> =>
    Object.fromEntries(
      db
        .prepare(`select ${column} as name, count(*) as n from ${table} group by 1 order by 1`)
        .all()
        .map((row) => [String(row['name']), Number(row['n'])]),
    );
  const statuses = db
    .prepare(
      `select json_extract(body, '$.status') as name, count(*) as n from objects
       where kind = 'payment_intent' group by 1 order by 1`,
    )
    .all();
  return {
    now_ms: clock.nowMs(),
    clock_offset_ms: clock.offsetMs(),
    objects: Object.fromEntries(counted.map((kind) => [kind, store.count(kind)])),
    payment_intents: Object.fromEntries(statuses.map((row) => [row['name'], Number(row['n'])])),
    idempotency_keys: Number(
      db.prepare('select count(*) as n from idempotency_keys').get()?.['n'] ?? 0,
    ),
    timers: groups('timers', 'kind'),
    outbox: groups('outbox', 'state'),
    waiting_deliveries: db
      .prepare(
        `select event_id, endpoint_id, attempt_count, due_ms, last_answer from outbox
         where state = 'waiting' order by due_ms, seq limit 50`,
      )
      .all(),
    latency_ms: controls.latencyMs,
    faults: controls.faults,
    webhooks: controls.webhooks,
    dispute_fees: controls.disputeFees,
  };
}
