import type { Clock } from './clock.ts';
import type { Controls } from './control/controls.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';

/** What every part works with. Made once in server.ts and passed down. */
export interface Sandbox {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly controls: Controls;
  /** Our own address, known once listening: `http://127.0.0.1:8090`. */
  url: string;
  /** Looks at timers and outbox again: something became due. */
  wake: () => void;
}

/** Who caused a change: it stands in the event. Null for timers and the control plane. */
export interface Cause {
  readonly requestId: string;
  readonly idempotencyKey: string | null;
}
