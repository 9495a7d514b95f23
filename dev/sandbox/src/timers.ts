import type { Sandbox } from './sandbox.ts';

/** Actions that run some time after a request. */
export type TimerKind =
  | 'close_inquiry'
  | 'decide_dispute'
  | 'dispute_due'
  | 'finish_payout'
  | 'finish_processing'
  | 'finish_refund'
  | 'follow_charge'
  | 'pay_out'
  | 'settle_charge';
export type TimerHandlers = Record<TimerKind, (sandbox: Sandbox, objectId: string) => void>;

/** Schedules a timer in the caller's transaction. */
export function schedule(
  sandbox: Sandbox,
  kind: TimerKind,
  objectId: string,
  delayMs: number,
): void {
  insert(sandbox, kind, objectId, sandbox.clock.nowMs() + delayMs);
}

/** Schedules a timer for a time of the sandbox's clock, in the caller's transaction. */
export function scheduleAt(
  sandbox: Sandbox,
  kind: TimerKind,
  objectId: string,
  dueSeconds: number,
): void {
  insert(sandbox, kind, objectId, dueSeconds * 1000);
}

function insert(sandbox: Sandbox, kind: TimerKind, objectId: string, dueMs: number): void {
  sandbox.store.db
    .prepare('insert into timers (kind, object_id, due_ms) values (?, ?, ?)')
    .run(kind, objectId, dueMs);
  sandbox.wake();
}

/** Runs the due timers, and removes each in the same transaction. */
export function runDueTimers(sandbox: Sandbox, handlers: TimerHandlers): void {
  const { db } = sandbox.store;
  const rows = db
    .prepare('select seq, kind, object_id from timers where due_ms <= ? order by due_ms, seq')
    .all(sandbox.clock.nowMs());
  for (const row of rows) {
    sandbox.store.transaction(() => {
      db.prepare('delete from timers where seq = ?').run(Number(row['seq']));
      const kind = String(row['kind']);
      if (isTimerKind(handlers, kind)) handlers[kind](sandbox, String(row['object_id']));
    });
  }
}

function isTimerKind(handlers: TimerHandlers, kind: string): kind is TimerKind {
  return Object.hasOwn(handlers, kind);
}

export function nextTimerMs(sandbox: Sandbox): number | null {
  const row = sandbox.store.db.prepare('select min(due_ms) as due from timers').get();
  return row?.['due'] == null ? null : Number(row['due']);
}
