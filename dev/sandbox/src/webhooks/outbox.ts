import type { Sandbox } from '../sandbox.ts';
import { deliver } from './deliver.ts';
import { withPendingCount } from './events.ts';

/** Delays after each failed attempt. A delivery that fails after the last one is given up. */
export const retryPausesMs: readonly number[] = [1000, 5000, 30_000, 120_000, 600_000];

const parallelMax = 8;

interface Row {
  readonly seq: number;
  readonly eventId: string;
  readonly endpointId: string;
  readonly attemptCount: number;
}

export interface Outbox {
  /** Starts the deliveries that are due and not yet in flight. A slow receiver does not delay others. */
  startDue(): void;
  /** When the next delivery is due, in sandbox time; null if none can be started. */
  nextDueMs(): number | null;
  /** Resolves when every delivery in flight has finished. */
  settle(): Promise<void>;
}

/** The persistent outbox. A row is marked as sent only after the response, so each event is delivered at least once. */
export function createOutbox(sandbox: Sandbox): Outbox {
  const underWay = new Map<number, Promise<void>>();
  // Any order except `as_made` needs one delivery at a time, or concurrency would reorder them again.
  const freeCount = (): number =>
    (sandbox.controls.webhooks.order === 'as_made' ? parallelMax : 1) - underWay.size;
  return {
    startDue: () => {
      const rows = selectDue(sandbox, [...underWay.keys()], freeCount());
      for (const row of rows) {
        const sending = send(sandbox, row).finally(() => {
          underWay.delete(row.seq);
          sandbox.wake();
        });
        underWay.set(row.seq, sending);
      }
    },
    nextDueMs: () => (freeCount() > 0 ? selectNextDue(sandbox, [...underWay.keys()]) : null),
    settle: async () => {
      await Promise.all(underWay.values());
    },
  };
}

const notAmong = 'seq not in (select value from json_each(?))';

function selectDue(sandbox: Sandbox, underWay: readonly number[], limit: number): Row[] {
  if (limit <= 0) return [];
  const order = {
    as_made: 'due_ms, seq',
    reversed: 'seq desc',
    random: 'random()',
  }[sandbox.controls.webhooks.order];
  return sandbox.store.db
    .prepare(
      `select seq, event_id, endpoint_id, attempt_count from outbox
       where state = 'waiting' and due_ms <= ? and ${notAmong} order by ${order} limit ?`,
    )
    .all(sandbox.clock.nowMs(), JSON.stringify(underWay), limit)
    .map((row) => ({
      seq: Number(row['seq']),
      eventId: String(row['event_id']),
      endpointId: String(row['endpoint_id']),
      attemptCount: Number(row['attempt_count']),
    }));
}

function selectNextDue(sandbox: Sandbox, underWay: readonly number[]): number | null {
  const row = sandbox.store.db
    .prepare(`select min(due_ms) as due from outbox where state = 'waiting' and ${notAmong}`)
    .get(JSON.stringify(underWay));
  return row?.['due'] == null ? null : Number(row['due']);
}

async function send(sandbox: Sandbox, row: Row): Promise<void> {
  const endpoint = sandbox.store.find('webhook_endpoint', row.endpointId);
  const event = sandbox.store.find('event', row.eventId);
  if (endpoint === undefined || event === undefined) {
    mark(sandbox, row, { state: 'gone', answer: null });
    return;
  }
  const reason = await deliver({
    url: endpoint.object.url,
    secret: endpoint.hidden['secret'] ?? '',
    body: JSON.stringify(withPendingCount(sandbox, event.object), null, 2),
  });
  const pauseMs = retryPausesMs[row.attemptCount];
  if (reason === null) mark(sandbox, row, { state: 'delivered', answer: null });
  else if (pauseMs === undefined) mark(sandbox, row, { state: 'given_up', answer: reason });
  else mark(sandbox, row, { state: 'waiting', answer: reason, pauseMs });
}

function mark(
  sandbox: Sandbox,
  row: Row,
  next: { state: string; answer: string | null; pauseMs?: number },
): void {
  const dueMs = sandbox.clock.nowMs() + (next.pauseMs ?? 0);
  sandbox.store.db
    .prepare(
      `update outbox set state = ?, last_answer = ?, attempt_count = attempt_count + 1, due_ms = ?
       where seq = ?`,
    )
    .run(next.state, next.answer, dueMs, row.seq);
}
