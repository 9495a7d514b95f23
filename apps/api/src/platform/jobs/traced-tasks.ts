import { SpanKind } from '@opentelemetry/api';
import type { Task, TaskList } from 'graphile-worker';
import { beginTrace, fail, parseTraceparent, runIn } from '../traces/spans.ts';

/** Wraps the tasks so that each runs in a span of the trace that enqueued it, if that was sampled. Scheduled jobs begin traces. */
export function tracedTasks(tasks: TaskList): TaskList {
  const traced = Object.entries(tasks).map(([name, task]): [string, Task] => [
    name,
    async (payload, helpers) => {
      const given = (payload as { traceparent?: unknown } | null)?.traceparent;
      const parent = parseTraceparent(given);
      const span = beginTrace(parent, () => ({
        name: `job ${name}`,
        kind: SpanKind.CONSUMER,
        attributes: {},
      }));
      if (span === undefined || task === undefined) return task?.(payload, helpers);
      try {
        return await runIn(span, async () => task(payload, helpers));
      } catch (error) {
        fail(span.span, error);
        throw error;
      } finally {
        span.span.end();
      }
    },
  ]);
  return Object.fromEntries(traced);
}
