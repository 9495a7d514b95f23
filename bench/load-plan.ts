/** What the load process is told and what it answers. */

export interface LoadUser {
  readonly uuid: string;
  readonly token: string;
}

export interface LoadPlan {
  readonly url: string;
  readonly connectionCount: number;
  /** Not counted: connections open, tokens get known, caches fill. */
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly request:
    | {
        readonly kind: 'transfer';
        readonly senders: readonly LoadUser[];
        readonly recipientUuids: readonly string[];
      }
    | { readonly kind: 'get'; readonly path: string; readonly callers: readonly LoadUser[] };
}

export interface LoadResult {
  readonly requestCount: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** Of the load process, per request. */
  readonly clientCpuUs: number;
  /** Answers by status; anything but 200 makes the measurement void. */
  readonly statusCounts: Readonly<Record<string, number>>;
}
