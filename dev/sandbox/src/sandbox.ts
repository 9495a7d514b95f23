import type { Clock } from './clock.ts';
import type { Controls } from './control/controls.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store.ts';

/** The dependencies of every part, created once in server.ts and passed down. */
export interface Sandbox {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly controls: Controls;
  /** The sandbox's own URL, such as `http://127.0.0.1:8090`; set once it listens. */
  url: string;
  /** Makes the scheduler check timers and outbox again. */
  wake: () => void;
}

/** The request that caused a change, as its event reports it. Null for timers and the control plane. */
export interface Cause {
  readonly requestId: string;
  readonly idempotencyKey: string | null;
}
