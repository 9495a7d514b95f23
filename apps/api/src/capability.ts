/**
 * What a capability (a folder of `modules/`) can contribute to the whole. Each exports one value of this type through its
 * `index.ts`; `capabilities.ts` puts them together. Whoever needs something of every capability, such as the history or the
 * erasure of an account, finds it among its dependencies and imports none of them.
 */
import type { FastifyInstance } from 'fastify';
import type { TaskList } from 'graphile-worker';
import type { LiveEvent } from '@athos/contract/wallet/events';
import type { HISTORY_TYPES, HistoryItem } from '@athos/contract/wallet/history';
import type { JournalTransfer, TransferKind } from './ledger/index.ts';
import type { Db, Tx } from './platform/database/database.ts';

export type HistoryType = (typeof HISTORY_TYPES)[number];

/** The lines of a user's history that a capability knows how to present. */
export interface HistorySource {
  /** Kinds of transfers, each with its type for the user who paid and for the user who received. */
  readonly kinds: readonly {
    readonly kind: TransferKind;
    readonly paid?: HistoryType;
    readonly received?: HistoryType;
  }[];
  /** The lines of some of these transfers, in their order. Rows beside the journal are read once for all of them. */
  readonly present: (
    db: Db,
    userId: bigint,
    transfers: readonly JournalTransfer[],
  ) => Promise<HistoryItem[]>;
  readonly unposted?: UnpostedLines;
}

/** Lines without a transfer, such as cancelled payments. Their ids come from the same sequence as those of transfers. */
export interface UnpostedLines {
  readonly type: HistoryType;
  /** Newest first. */
  readonly select: (
    db: Db,
    range: UnpostedRange,
  ) => Promise<{ readonly id: bigint; readonly item: HistoryItem }[]>;
  readonly find: (db: Db, userId: bigint, id: bigint) => Promise<HistoryItem | undefined>;
}

export interface UnpostedRange {
  readonly userId: bigint;
  readonly limit: number;
  readonly beforeId: bigint | undefined;
  readonly afterId: bigint | undefined;
  /** Inclusive. */
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly to: Date | undefined;
}

/** News for a user's open screens. */
export interface LiveEventSource {
  /** Of PostgreSQL's `notify`. Its payloads are `<row id of the user> <id of what happened>`. */
  readonly channel: string;
  /** Makes the event from the id, for a user who listens: a notification holds too few bytes to carry it. */
  readonly read: (db: Db, id: string) => Promise<LiveEvent>;
}

/** Throws an AppError if something of the user's is still under way that does not let the account be deleted now. */
export type DeletionGuard = (tx: Tx, userId: bigint) => Promise<void>;

/** Erases what the capability's own tables hold of a deleted user. It may run again for the same user. */
export type EraseUser = (tx: Tx, userId: bigint) => Promise<void>;

/** `D` is what it needs: the capability names the parts, and `capabilities.ts` checks that they exist. */
export interface Capability<D = never> {
  readonly registerRoutes?: (app: FastifyInstance, deps: D) => void;
  /** Its jobs by name. A name stays for as long as a job with it may wait in the queue. */
  readonly createTasks?: (deps: D) => TaskList;
  /** When jobs run that time causes, in graphile-worker's crontab format. Times are UTC. */
  readonly crontab?: string;
  readonly history?: HistorySource;
  readonly liveEvents?: LiveEventSource;
  readonly deletionGuard?: DeletionGuard;
  readonly eraseUser?: EraseUser;
}

/** What all capabilities contribute, for those that work with it. */
export interface Contributions {
  readonly historySources: readonly HistorySource[];
  readonly liveEventSources: readonly LiveEventSource[];
  readonly deletionGuards: readonly DeletionGuard[];
  readonly erasures: readonly EraseUser[];
}
