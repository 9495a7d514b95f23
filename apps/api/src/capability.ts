/**
 * What a capability (a folder of `modules/`) can contribute to the whole. Each exports one value of this type through its
 * `index.ts`; `capabilities.ts` puts them together. Whoever needs something of every capability, such as the history or the
 * erasure of an account, finds it among its dependencies and imports none of them.
 */
import type { FastifyInstance } from 'fastify';
import type { TaskList } from 'graphile-worker';
import type { Tx } from './platform/database/database.ts';

/** Erases what the capability's own tables hold of a deleted user. It may run again for the same user. */
export type EraseUser = (tx: Tx, userId: bigint) => Promise<void>;

/** `D` is what it needs: the capability names the parts, and `capabilities.ts` checks that they exist. */
export interface Capability<D = never> {
  readonly registerRoutes?: (app: FastifyInstance, deps: D) => void;
  /** Its jobs by name. A name stays for as long as a job with it may wait in the queue. */
  readonly createTasks?: (deps: D) => TaskList;
  /** When jobs run that time causes, in graphile-worker's crontab format. Times are UTC. */
  readonly crontab?: string;
  readonly eraseUser?: EraseUser;
}

/** What all capabilities contribute, for those that work with it. */
export interface Contributions {
  readonly erasures: readonly EraseUser[];
}
