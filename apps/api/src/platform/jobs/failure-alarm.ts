import type { Clock } from '../clock.ts';
import type { Log } from '../log/log.ts';

/**
 * Jobs outside the schedule with so few attempts are enqueued again for as long as there is work for them, such as checking an order.
 * They raise no alarm, since an outage of the provider would raise one for each order.
 */
const REPEATED_ATTEMPT_COUNT_MAX = 3;
/** Less than a day, so that a daily task that keeps failing raises an alarm every day. */
const REMIND_AFTER_MS = 23 * 60 * 60_000;

/** The facts about a graphile-worker job that the alarm needs. */
interface FailingJob {
  readonly id: string;
  readonly task_identifier: string;
  /** Attempts of this run, including the one that has just ended. */
  readonly attempts: number;
  readonly max_attempts: number;
}

/**
 * Raises an alarm when a job has failed for good. A task of the schedule has also failed if its next run, which replaces a job that is
 * still retried, fails as well. It fails again with every run, so it raises the alarm once until it succeeds, and then once a day. Each
 * worker knows only its own runs.
 */
export class FailureAlarm {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #scheduled: ReadonlySet<string>;
  /** Tasks whose last run failed, with the time of the alarm that it raised. */
  readonly #failing = new Map<string, { readonly raisedAtMs: number | undefined }>();

  constructor(log: Log, clock: Clock, scheduledTasks: Iterable<string>) {
    this.#log = log;
    this.#clock = clock;
    this.#scheduled = new Set(scheduledTasks);
  }

  succeeded({ task_identifier: task }: FailingJob): void {
    this.#failing.delete(task);
  }

  failed(job: FailingJob): void {
    const isLast = job.attempts >= job.max_attempts;
    if (this.#scheduled.has(job.task_identifier)) this.#scheduledFailed(job, isLast);
    else if (isLast && job.max_attempts > REPEATED_ATTEMPT_COUNT_MAX) this.#raise(job);
  }

  #scheduledFailed(job: FailingJob, isLast: boolean): void {
    const task = job.task_identifier;
    const before = this.#failing.get(task);
    const nowMs = this.#clock.nowMs();
    const isOver = isLast || (before !== undefined && job.attempts === 1);
    const isDue = nowMs - (before?.raisedAtMs ?? -Infinity) >= REMIND_AFTER_MS;
    if (isOver && isDue) this.#raise(job);
    this.#failing.set(task, { raisedAtMs: isOver && isDue ? nowMs : before?.raisedAtMs });
  }

  #raise({ id, task_identifier: task }: FailingJob): void {
    this.#log.error({ alarm: 'job_failed', task, jobId: id }, 'a job gave up');
  }
}
