/**
 * The contributions of a capability (a folder of `modules/`). Each exports one value of this type through its `index.ts`, and
 * `capabilities.ts` combines them. Code that needs a contribution of every capability, such as the history or the erasure of an account,
 * receives it as a dependency and imports none of them.
 */
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { ApprovalPolicy, PolicyName } from '@athos/contract/approval-policy';
import type { Permission } from '@athos/contract/console/permissions';
import type { TimelineEntry, TimelineKind } from '@athos/contract/console/customers';
import type { WaitingKind } from '@athos/contract/console/dashboard';
import type { LiveEvent } from '@athos/contract/wallet/events';
import type {
  HISTORY_DIRECTIONS,
  HISTORY_TYPES,
  HistoryItem,
} from '@athos/contract/wallet/history';
import type { Units } from '@athos/domain/money';
import type { JournalTransfer, TransferKind } from './ledger/index.ts';
import type { SignedInStaff } from './platform/console/signed-in-staff.ts';
import type { Db, Tx } from './platform/database/database.ts';
import type { TasksByLane } from './platform/jobs/lanes.ts';
import type { StatSource } from './platform/stats/stat-source.ts';

export type HistoryType = (typeof HISTORY_TYPES)[number];

export type HistoryDirection = (typeof HISTORY_DIRECTIONS)[number];

/** The history lines that a capability presents. */
export interface HistorySource {
  /** Transfer kinds, each with the history type that the payer and the receiver see. */
  readonly kinds: readonly {
    readonly kind: TransferKind;
    readonly paid?: HistoryType;
    readonly received?: HistoryType;
  }[];
  /** Presents these transfers in the given order. Rows outside the journal are read once for all of them. */
  readonly present: (
    db: Db,
    userId: bigint,
    transfers: readonly JournalTransfer[],
  ) => Promise<HistoryItem[]>;
  readonly unposted?: UnpostedLines;
  /** The titles of the user's purchases, newest first, for the search. */
  readonly titles?: (db: Db, userId: bigint, limit: number) => Promise<readonly TitledLine[]>;
}

/** The title of what a transfer of the user was for, found by the transfer's key and line. */
export interface TitledLine {
  readonly key: string;
  readonly line: number;
  readonly title: string;
}

/** History lines without a transfer, such as cancelled payments. Their ids come from the same sequence as transfer ids. */
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
  /** Both inclusive. */
  readonly amountMin: Units | undefined;
  readonly amountMax: Units | undefined;
}

/** A capability's contribution to a customer's timeline in the console. */
export interface TimelineSource {
  readonly kinds: readonly TimelineKind[];
  readonly read: (db: Db, page: TimelinePage) => Promise<TimelineSlice>;
}

export interface TimelinePage {
  readonly userId: bigint;
  readonly userUuid: string;
  /** One of the source's kinds; `undefined` for all kinds. */
  readonly kind: TimelineKind | undefined;
  readonly limit: number;
  /** The position at which the previous slice ended; `undefined` for the newest entries. */
  readonly position: string | undefined;
}

export interface TimelineSlice {
  /** Newest first. May be fewer than `limit` although more follow. */
  readonly entries: readonly TimelineEntry[];
  /** Whether no entry follows the last of `entries`. */
  readonly isEnd: boolean;
  /** The position after the first `count` entries. `count` is at least one. */
  readonly positionAfter: (count: number) => string | Promise<string>;
}

/** Makes a slice of rows read with `limit + 1`. The id of an entry is its position. */
export const timelineSlice = (
  entries: readonly TimelineEntry[],
  { limit }: Pick<TimelinePage, 'limit'>,
): TimelineSlice => ({
  entries: entries.slice(0, limit),
  isEnd: entries.length <= limit,
  positionAfter: (count) => entries[count - 1]?.id ?? '',
});

/** A source of live events for a user's open screens. */
export interface LiveEventSource {
  /** The PostgreSQL `notify` channel. Payloads are `<row id of the user> <id of the event's subject>`. */
  readonly channel: string;
  /** Loads the event by that id, only if its user is listening. A notification is too small to carry the event itself. */
  readonly read: (db: Db, id: string) => Promise<LiveEvent>;
}

/** The object that caused a transfer, such as a purchase or a card order. Shown in the console's ledger. */
export interface TransferObject {
  readonly type: string;
  readonly id: string;
}

/** Finds the objects that caused a capability's transfers. */
export interface TransferObjects {
  readonly kinds: readonly TransferKind[];
  /** By transfer id. Transfers without an object are omitted. */
  readonly find: (
    db: Db,
    transfers: readonly JournalTransfer[],
  ) => Promise<ReadonlyMap<bigint, TransferObject>>;
}

/** The objects that caused the transfers, from the capabilities that own them. */
export async function findTransferObjects(
  db: Db,
  sources: readonly TransferObjects[],
  transfers: readonly JournalTransfer[],
): Promise<ReadonlyMap<bigint, TransferObject>> {
  const found = await Promise.all(
    sources.map(async ({ kinds, find }) => {
      const own = transfers.filter(({ kind }) => kinds.includes(kind));
      return own.length === 0 ? new Map<bigint, TransferObject>() : find(db, own);
    }),
  );
  return new Map(found.flatMap((objects) => [...objects]));
}

/** Work that waits for a person. */
interface Waiting {
  readonly count: number;
  /** Whether there may be more than `count`. */
  readonly isAtLeast: boolean;
  /** The time when the first of it is due. */
  readonly dueAt?: Date | undefined;
}

/** A kind of waiting work, shown at the top of the dashboard. */
export interface WaitingSource<D = never> {
  readonly kind: WaitingKind;
  /** The permission of the staff who are told. */
  readonly permission: Permission;
  readonly count: (deps: D, staff: SignedInStaff) => Promise<Waiting>;
}

/** The published head of the books of a day. */
export interface PublishedHead {
  /** `2026-11-22`, UTC. */
  readonly day: string;
  readonly hash: Buffer;
}

/**
 * Reads the newest published head, which is included in data that is given to customers: anyone who keeps it can later witness what the
 * books were (decision 0060).
 */
export type ReadHead = (db: Db) => Promise<PublishedHead | undefined>;

/** Throws an AppError if pending work of the user prevents the deletion of the account. */
export type DeletionGuard = (tx: Tx, userId: bigint) => Promise<void>;

/** Erases a deleted user's data from the capability's own tables. Must be idempotent. */
export type EraseUser = (tx: Tx, userId: bigint) => Promise<void>;

/** Ends the open work of a member of staff, such as requests, when the person is suspended or leaves. Must be idempotent. */
export type EndStaffWork = (tx: Tx, staffId: string, at: Date) => Promise<void>;

/** The effect of an action, as shown to the requester and the voters. */
export interface ActionPreview {
  readonly subjectId: string;
  /** A text that changes whenever the preview does. If it differs at the last vote, the request ends as `stale`. */
  readonly version: string;
  /** The customer concerned. Nobody may request or vote on anything about their own wallet. */
  readonly customer?: {
    readonly userId: bigint;
    readonly uuid: string;
    readonly email: string | null;
  };
  readonly amount?: { readonly asset: string; readonly units: bigint };
  /** The action's value. It counts against the proof of presence and decides whether two votes are needed. */
  readonly usdCents?: bigint;
  /** The amount that the policy's limits apply to, in the action's `unit`. Without it, a vote is always needed. */
  readonly measured?: bigint;
  /** The minimum number of votes, whatever the policy allows. */
  readonly votesMin?: number;
  readonly before: unknown;
  readonly after: unknown;
}

/** One request or direct act, as its action's functions receive it. */
export interface ActionCall<Payload> {
  /** The id of the request, and the key of all its ledger movements. */
  readonly id: string;
  readonly payload: Payload;
  readonly reason: string;
  readonly requestedBy: Pick<SignedInStaff, 'staffId' | 'organisation' | 'walletUuid'>;
  /** Whether `hold` has run, so that `execute` pays from the account `holds`. */
  readonly isHeld: boolean;
}

/**
 * Something that staff may do at once within a policy, and after a vote beyond it. Both ways run the same functions (decision 0022). Only
 * `lock` may take locks, in this order: users by id, orders, refunds and disputes. `hold`, `giveBack` and `execute` take the ledger's
 * lock, so their movements come last.
 */
export interface Action<D = never, Payload = never> {
  /** Also the action of its audit entries. It must not change while a request with that name may be open. */
  readonly name: `${string}.${string}`;
  readonly subjectType: string;
  readonly permission: Permission;
  readonly policy: PolicyName;
  /** The unit of `measured`: `ATH` means micro-units of a token, `USD` cents, `%` hundredths of a per cent. */
  readonly unit: 'ATH' | 'USD' | 'codes' | '%';
  /** Holds only JSON values, because a waiting request stores it in a row. */
  readonly payload: z.ZodType;
  /** For an action about staff: takes the locks that come before those of the requester and the voters (`people`). */
  readonly lockFirst?: (tx: Tx, payload: Payload, people: readonly string[]) => Promise<void>;
  /** Locks the rows that the other functions read and change. Throws if the subject does not exist. */
  readonly lock: (deps: D, tx: Tx, call: ActionCall<Payload>) => Promise<void>;
  /** Throws if the action cannot be done. */
  readonly preview: (
    deps: D,
    tx: Tx,
    call: ActionCall<Payload>,
    policy: ApprovalPolicy,
  ) => Promise<ActionPreview>;
  /** Holds value while the request waits, under its id. */
  readonly hold?: (deps: D, tx: Tx, call: ActionCall<Payload>) => Promise<void>;
  /** Returns the value that `hold` held, after a request has ended without being executed. */
  readonly giveBack?: (
    deps: D,
    tx: Tx,
    call: ActionCall<Payload> & { readonly state: 'rejected' | 'withdrawn' | 'expired' },
  ) => Promise<void>;
  /** `hold` takes the value from the customer, so their account cannot be deleted while the request is open. */
  readonly isCustomersValueHeld?: boolean;
  readonly execute: (deps: D, tx: Tx, call: ActionCall<Payload>) => Promise<void>;
}

/** `D` names the dependencies that the capability needs; `capabilities.ts` checks that they exist. */
export interface Capability<D = never> {
  readonly registerRoutes?: (app: FastifyInstance, deps: D) => void;
  /** Its console calls, which may run in a separate process. */
  readonly registerConsoleRoutes?: (app: FastifyInstance, deps: D) => void;
  /** Its jobs by lane and name. A name must stay as long as a job with that name may be queued. */
  readonly createTasks?: (deps: D) => TasksByLane;
  /** Scheduled jobs in graphile-worker's crontab format, in UTC. */
  readonly crontab?: string;
  readonly history?: HistorySource;
  readonly transferObjects?: TransferObjects;
  readonly timeline?: TimelineSource;
  readonly liveEvents?: LiveEventSource;
  /** The figures from its own tables, for the dashboard. */
  readonly stats?: StatSource;
  readonly readHead?: ReadHead;
  readonly deletionGuard?: DeletionGuard;
  readonly eraseUser?: EraseUser;
  readonly endStaffWork?: EndStaffWork;
  /** Actions that staff may do directly or by request. */
  readonly actions?: readonly Action<D>[];
  /** Work that waits for staff, in the order of `WAITING_KINDS`. */
  readonly waiting?: readonly WaitingSource<D>[];
}

/** The contributions of all capabilities, for the code that uses them. */
export interface Contributions {
  readonly historySources: readonly HistorySource[];
  readonly transferObjects: readonly TransferObjects[];
  readonly timelineSources: readonly TimelineSource[];
  readonly liveEventSources: readonly LiveEventSource[];
  readonly statSources: readonly StatSource[];
  readonly headReaders: readonly ReadHead[];
  readonly deletionGuards: readonly DeletionGuard[];
  readonly erasures: readonly EraseUser[];
  readonly staffEndings: readonly EndStaffWork[];
  readonly actions: readonly Action[];
  /** The sources in display order. */
  readonly waitingSources: readonly WaitingSource[];
}
