/** Replaces `platform/traces/spans.ts` for the collector, which sets up tracing: it is on only in its turn. */
import { setTracing as setRealTracing } from '../../apps/api/src/platform/traces/spans.ts';
import { addToggle } from './take-turns.ts';

export * from '../../apps/api/src/platform/traces/spans.ts';

type Tracing = Parameters<typeof setRealTracing>[0];

let tracing: Tracing;

export function setTracing(next: Tracing): void {
  tracing = next;
  setRealTracing(next);
}

addToggle({ switchTo: (isOn) => setRealTracing(isOn ? tracing : undefined) });
