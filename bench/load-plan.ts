/** The instructions for a load, and its measurements. */

export interface LoadUser {
  readonly uuid: string;
  readonly token: string;
}

/** A customer at a counter, with a code for items they bought. */
export interface Visit {
  readonly holderUuid: string;
  readonly itemIds: readonly number[];
}

export type LoadRequest =
  | {
      readonly kind: 'sign_in';
      /** Used in turn. */
      readonly emails: readonly string[];
      readonly password: string;
    }
  | {
      readonly kind: 'transfer';
      readonly senders: readonly LoadUser[];
      readonly recipientUuids: readonly string[];
      /** Seconds during which each send can be undone. By default the amount arrives at once. */
      readonly undoSeconds?: number;
      /** Relative to the API's prefix. By default the product's own. */
      readonly path?: string;
    }
  | {
      readonly kind: 'get';
      /** Requested in turn. */
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
      /** Each request claims a code that its caller has not claimed yet. */
      readonly kind: 'claim';
      readonly claimants: readonly LoadUser[];
      /** Every code can be claimed by everybody. */
      readonly codes: readonly string[];
      /** The number of pairs of claimant and code that were already used. */
      readonly usedCount: number;
    }
  | {
      /** Scans a fresh code and redeems all its items; both calls together count as one request. */
      readonly kind: 'redeem';
      readonly staff: readonly LoadUser[];
      readonly visits: readonly Visit[];
      /** The API's own signing seed, base64url: the load signs the codes, because they expire after 30 s. */
      readonly signingSeed: string;
    };

export interface LoadPlan {
  readonly url: string;
  /** Other processes that get the same load at the same time, each on connections of its own. The result is that of all of them together. */
  readonly besideUrls?: readonly string[];
  readonly connectionCount: number;
  /** Requests in this time are not counted: connections open, caches fill, code is compiled. */
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Starts this many requests per second and process, regardless of response times. By default, a closed loop. */
  readonly perSecond?: number;
  /** Defaults to 200. */
  readonly expectedStatus?: number;
  readonly request: LoadRequest;
}

export interface LoadResult {
  /** All answered requests, including those of the warm-up. */
  readonly answeredCount: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** Processor time of the load itself, as a share of one core. */
  readonly loadCpuShare: number;
}
