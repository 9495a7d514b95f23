/** Replaces `@opentelemetry/sdk-trace` for the collector: spans are sent within the turns that made them, and not by a timer. */
import { BatchSpanProcessor as RealProcessor } from '@opentelemetry/sdk-trace';
import { addToggle, TURN_MS } from './take-turns.ts';

export * from '@opentelemetry/sdk-trace';

const NEVER_MS = 2 ** 31 - 1;
/** After each second with traces, as in the collector. */
const TURNS_PER_EXPORT = 1_000 / TURN_MS;

export class BatchSpanProcessor extends RealProcessor {
  constructor(options: ConstructorParameters<typeof RealProcessor>[0]) {
    super({ ...options, scheduledDelayMillis: NEVER_MS });
    let turnCount = 0;
    addToggle({
      switchTo: () => undefined,
      finish: async () => {
        if (++turnCount % TURNS_PER_EXPORT === 0) await this.forceFlush();
      },
    });
  }
}
