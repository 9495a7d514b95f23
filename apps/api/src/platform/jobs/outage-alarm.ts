import type { Clock } from '../clock.ts';
import type { Log } from '../log/log.ts';

/** Longer than a failover takes. */
const OUTAGE_MAX_MS = 30_000;
const REPEAT_MS = 60_000;
/** "read_only_sql_transaction" */
const READ_ONLY = '25006';

/**
 * Raises an alarm while the job queue cannot be read. No payment is credited and no mail is sent then, and no job could raise the alarm.
 * If a server answers but refuses to write, such as a standby or one that an operator has set to read-only, the alarm is raised at once.
 */
export class OutageAlarm {
  readonly #log: Log;
  readonly #clock: Clock;
  #sinceMs: number | undefined;
  #raisedAtMs: number | undefined;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  answered(): void {
    this.#sinceMs = undefined;
    this.#raisedAtMs = undefined;
  }

  failed(error: unknown): void {
    const nowMs = this.#clock.nowMs();
    this.#sinceMs ??= nowMs;
    const isReadOnly = error instanceof Error && 'code' in error && error.code === READ_ONLY;
    const lastedMs = nowMs - this.#sinceMs;
    if (!isReadOnly && lastedMs < OUTAGE_MAX_MS) return;
    if (this.#raisedAtMs !== undefined && nowMs - this.#raisedAtMs < REPEAT_MS) return;
    this.#raisedAtMs = nowMs;
    const alarm = isReadOnly ? 'database_read_only' : 'database_unreachable';
    this.#log.error({ alarm, err: error, lastedMs }, 'no job can be taken from the queue');
  }
}
