/** Every fault, with how it is made and undone, and how long writes may be away. */
import type { Cluster } from './cluster.ts';
import { DATABASE_FAULTS } from './database-faults.ts';
import { PROGRAM_FAULTS } from './program-faults.ts';

export interface Fault {
  readonly name: string;
  readonly what: string;
  /** The longest time in which no write was acknowledged, worst of its runs. */
  readonly outageMsMax: number;
  /** The row of docs/spec/rows-operations.tsv that its outage proves, as it stands in the title of the proof. */
  readonly proves?: string;
  /** How long it lasts. Left out: until writes are back. */
  readonly holdMs?: number;
  /** Where the outage counts from: when it is made, or when it is undone, if nothing can be written in between. */
  readonly countsFrom?: 'undone';
  /** Whether a user may see an error: a request and its one repeat without an answer. */
  readonly mayUsersSeeErrors: boolean;
  /** What must be so before the load begins. */
  readonly prepare?: (cluster: Cluster) => Promise<void>;
  /** Looks for what must be right before the fault is undone. */
  readonly check?: (cluster: Cluster) => Promise<string[]>;
  /** Makes the fault, and returns what undoes it. */
  readonly make: (cluster: Cluster) => Promise<() => Promise<void>>;
}

export const FAULTS: readonly Fault[] = [...DATABASE_FAULTS, ...PROGRAM_FAULTS];
