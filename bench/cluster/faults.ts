/** All faults: how each is caused and undone, and how long writes may be unavailable. */
import type { Cluster } from './cluster.ts';
import { DATABASE_FAULTS } from './database-faults.ts';
import { PROGRAM_FAULTS } from './program-faults.ts';

export interface Fault {
  readonly name: string;
  readonly what: string;
  /** The maximum time without an acknowledged write, for the worst of its runs. */
  readonly outageMsMax: number;
  /** The row of docs/spec/rows-operations.tsv that its outage proves, as cited in the title of the proof. */
  readonly proves?: string;
  /** The duration of the fault. If absent, it lasts until writes are back. */
  readonly holdMs?: number;
  /** The start of the outage: when the fault is caused, or when it is undone, if nothing can be written in between. */
  readonly countsFrom?: 'undone';
  /** Whether a user may see an error, which is a request and its one repeat without a response. */
  readonly mayUsersSeeErrors: boolean;
  /** Whether every single request must have an answer other than 5xx, so that there is nothing to repeat. */
  readonly mustAnswerAll?: boolean;
  /** Whether requests must be refused with 503 meanwhile, and none may fail in another way. */
  readonly mustRefuse?: boolean;
  /** Sets up the conditions before the load begins. */
  readonly prepare?: (cluster: Cluster) => Promise<void>;
  /** Checks conditions before the fault is undone, and returns violations. */
  readonly check?: (cluster: Cluster) => Promise<string[]>;
  /** Checks conditions after everything is back, and returns violations. `since` is the time at which the fault was undone. */
  readonly checkBack?: (cluster: Cluster, since: Date) => Promise<string[]>;
  /** Causes the fault, and returns a function that undoes it. */
  readonly make: (cluster: Cluster) => Promise<() => Promise<void>>;
}

export const FAULTS: readonly Fault[] = [...DATABASE_FAULTS, ...PROGRAM_FAULTS];
