/** What the load process is told and what it answers. */

export interface LoadUser {
  readonly uuid: string;
  readonly token: string;
}

/** Somebody at a counter with a code for what they bought. */
export interface Visit {
  readonly holderUuid: string;
  readonly itemIds: readonly number[];
}

export type LoadRequest =
  | {
      readonly kind: 'transfer';
      readonly senders: readonly LoadUser[];
      readonly recipientUuids: readonly string[];
    }
  | {
      readonly kind: 'get';
      /** Read by turns. */
      readonly paths: readonly string[];
      readonly callers: readonly LoadUser[];
      readonly ifNoneMatch?: string;
    }
  | {
      readonly kind: 'purchase';
      readonly buyers: readonly LoadUser[];
      readonly offerIds: readonly number[];
    }
  | {
      /** Scans a fresh code and redeems all it holds; both together are one measured request. */
      readonly kind: 'redeem';
      readonly staff: readonly LoadUser[];
      readonly visits: readonly Visit[];
      /** The API's own signing seed, base64url: codes are made here, as they live for 30 s only. */
      readonly signingSeed: string;
    };

export interface LoadPlan {
  readonly url: string;
  readonly connectionCount: number;
  /** Not counted: connections open, tokens get known, caches fill. */
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Begun so often, however long the answers take; a closed loop where left out. */
  readonly perSecond?: number;
  /** 200 where left out. */
  readonly expectedStatus?: number;
  readonly request: LoadRequest;
}

export interface LoadResult {
  readonly requestCount: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** Of the load process, per request. */
  readonly clientCpuUs: number;
  /** Answers by status; anything but the expected one makes the measurement void. */
  readonly statusCounts: Readonly<Record<string, number>>;
}
