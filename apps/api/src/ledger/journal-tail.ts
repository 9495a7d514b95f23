/**
 * Tells whose balances have changed, whichever process posted the movements: while there are listeners, it reads the new rows of the
 * journal since its last read. A batch draws its ids under the ledger's lock and holds it until it commits, so rows become visible in the
 * order of their ids and none can appear behind the last one read.
 */
import type pg from 'pg';
import type { Log } from '../platform/log/log.ts';
import type { LedgerAccountId } from './accounts.ts';

const LOOK_INTERVAL_MS = 200;
/** How long the place in the journal is kept while there are no listeners. */
const PLACE_KEPT_MS = 1_000;
/** Far more than are posted between two reads. After a longer stop it costs less to read balances anew. */
const ROWS_MAX = 20_000;

const END_SQL = 'select coalesce(max(id), 0)::text as last from ledger_transfers';
const POSTED_SQL = `
  with posted as materialized (
    select id, debit_account_id, credit_account_id from ledger_transfers where id > $1::bigint order by id limit ${ROWS_MAX}
  )
  select max(id)::text as last, count(*)::int as count,
         array(select debit_account_id from posted union select credit_account_id from posted)::text[] as accounts
    from posted`;

interface PostedRow {
  readonly last: string | null;
  readonly count: number;
  readonly accounts: readonly string[];
}

export interface PostedFollower {
  /** While this is false, nothing is read. */
  readonly isWanted: () => boolean;
  /** Called within a second of a commit with the accounts whose balance it changed. */
  readonly onPosted: (accountIds: readonly LedgerAccountId[]) => void;
  /** Called when movements may have been missed; nothing follows until `ready` is called again. */
  readonly onGap: () => void;
}

export class JournalTail {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #follower: PostedFollower;
  /** The last id that was read; `undefined` while the journal is not followed. */
  #place: string | undefined;
  #starting: Promise<void> | undefined;
  #wantedAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(pool: pg.Pool, log: Log, follower: PostedFollower) {
    this.#pool = pool;
    this.#log = log;
    this.#follower = follower;
    this.#lookLater();
  }

  /** Resolves when every later movement will be reported, as long as `isWanted` is true again within a second. */
  async ready(): Promise<void> {
    this.#wantedAtMs = performance.now();
    if (this.#place !== undefined) return;
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #start(): Promise<void> {
    const { rows } = await this.#pool.query<{ last: string }>(END_SQL);
    this.#wantedAtMs = performance.now();
    this.#place = rows[0]?.last ?? '0';
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      void this.#look().finally(() => this.#lookLater());
    }, LOOK_INTERVAL_MS).unref();
  }

  async #look(): Promise<void> {
    const nowMs = performance.now();
    const isWanted = this.#follower.isWanted();
    if (isWanted) this.#wantedAtMs = nowMs;
    else if (nowMs - this.#wantedAtMs > PLACE_KEPT_MS) this.#place = undefined;
    if (!isWanted || this.#place === undefined) return;
    try {
      await this.#tell(this.#place);
    } catch (error) {
      this.#log.warn({ err: error }, 'the journal could not be followed');
      this.#miss();
    }
  }

  async #tell(place: string): Promise<void> {
    const { rows } = await this.#pool.query<PostedRow>({
      name: 'posted_since',
      text: POSTED_SQL,
      values: [place],
    });
    const [posted] = rows;
    if (posted?.last == null) return;
    if (posted.count === ROWS_MAX) return this.#miss();
    this.#place = posted.last;
    this.#follower.onPosted(posted.accounts.map((id) => BigInt(id) as LedgerAccountId));
  }

  #miss(): void {
    this.#place = undefined;
    this.#follower.onGap();
  }
}
