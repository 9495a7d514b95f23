/** Committed balances. Readers that come while a query is under way share the next one: one query for all who wait. */
import type pg from 'pg';
import { units, type Units } from '@athos/domain/money';
import type { Log } from '../platform/log/log.ts';
import type { LedgerAccountId } from './accounts.ts';
import { LastingConnection } from './connection.ts';
import { LedgerUnavailableError } from './errors.ts';

const QUERIES_IN_FLIGHT_MAX = 2;
const WAVE_SIZE_MAX = 1_000;
const WAITING_MAX = 20_000;
/** As for batches (ledger design, section 5): nobody waits for longer, and an older reader has no time for another attempt. */
const QUERY_DEADLINE_MS = 4_000;
const SETTLE_LIMIT_MS = 4_500;
const RETRY_AGE_MAX_MS = 2_500;

/** Other processes' postings arrive on this connection too. */
const CONNECTION_SETUP = 'listen ledger_posted; set plan_cache_mode = force_generic_plan';
const BALANCES_SQL =
  'select id::text, balance_units::text from ledger_accounts where id = any($1::bigint[])';

export type Balances = ReadonlyMap<LedgerAccountId, Units>;

interface Reader {
  readonly accountIds: readonly LedgerAccountId[];
  readonly enteredAtMs: number;
  readonly resolve: (balances: Balances) => void;
  readonly reject: (error: Error) => void;
}

interface Wave {
  readonly readers: readonly Reader[];
  readonly timer: NodeJS.Timeout;
}

interface BalanceReaderOptions {
  databaseUrl: string;
  log: Log;
  onNotification: (payload: string) => void;
}

export class BalanceReader {
  readonly #connection: LastingConnection;
  readonly #inFlight = new Set<Wave>();
  #waiting: Reader[] = [];
  #isPumpScheduled = false;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(options: BalanceReaderOptions) {
    this.#connection = new LastingConnection({
      databaseUrl: options.databaseUrl,
      applicationName: 'athos-ledger-reads',
      log: options.log,
      setup: CONNECTION_SETUP,
      onUp: () => this.#schedulePump(),
      onDown: (error) => {
        for (const wave of this.#inFlight) this.#fail(wave, error);
      },
      onNotification: options.onNotification,
    });
  }

  read(accountIds: readonly LedgerAccountId[]): Promise<Balances> {
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(new LedgerUnavailableError('overloaded'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ accountIds, enteredAtMs: performance.now(), resolve, reject });
      if (this.#inFlight.size < QUERIES_IN_FLIGHT_MAX) this.#schedulePump();
    });
  }

  async close(): Promise<void> {
    await this.#connection.close();
    clearTimeout(this.#sweeper);
    const error = new LedgerUnavailableError('closing');
    for (const wave of this.#inFlight) {
      if (this.#settle(wave)) for (const reader of wave.readers) reader.reject(error);
    }
    for (const reader of this.#waiting.splice(0)) reader.reject(error);
  }

  #schedulePump(): void {
    if (this.#isPumpScheduled) return;
    this.#isPumpScheduled = true;
    setImmediate(() => this.#pump());
  }

  #pump(): void {
    this.#isPumpScheduled = false;
    const client = this.#connection.current();
    while (client && this.#waiting.length > 0 && this.#inFlight.size < QUERIES_IN_FLIGHT_MAX) {
      this.#send(client, this.#waiting.splice(0, WAVE_SIZE_MAX));
    }
    if (this.#waiting.length > 0) this.#sweeper ??= setTimeout(() => this.#sweep(), 100);
  }

  #send(client: pg.Client, readers: readonly Reader[]): void {
    const accountIds = new Set(readers.flatMap((reader) => reader.accountIds));
    const nowMs = performance.now();
    const oldestMs = readers[0]?.enteredAtMs ?? nowMs;
    const timer = setTimeout(
      () => this.#connection.drop(new Error('a balance query did not settle in time')),
      Math.min(QUERY_DEADLINE_MS, oldestMs + SETTLE_LIMIT_MS - nowMs),
    );
    const wave: Wave = { readers, timer };
    this.#inFlight.add(wave);
    client.query<[string, string]>(
      {
        name: 'balances',
        text: BALANCES_SQL,
        values: [`{${[...accountIds].join(',')}}`],
        rowMode: 'array',
      },
      (error: Error | null, result) => {
        if (!error) this.#succeed(wave, result.rows);
        // A select by key fails with its connection: the server says so before it closes it, and nobody else is to be sent on it.
        else if (this.#inFlight.has(wave)) this.#connection.drop(error);
      },
    );
  }

  #succeed(wave: Wave, rows: readonly [string, string][]): void {
    if (!this.#settle(wave)) return;
    const balances = new Map(rows.map(([id, balance]) => [BigInt(id), units(BigInt(balance))]));
    for (const { accountIds, resolve } of wave.readers) {
      const own = new Map<LedgerAccountId, Units>();
      for (const accountId of accountIds) {
        const balance = balances.get(accountId);
        if (balance !== undefined) own.set(accountId, balance);
      }
      resolve(own);
    }
  }

  /** Who has time for it is asked for again on the next connection, before those who came later. */
  #fail(wave: Wave, cause: Error): void {
    if (!this.#settle(wave)) return;
    const youngEnoughMs = performance.now() - RETRY_AGE_MAX_MS;
    const again: Reader[] = [];
    for (const reader of wave.readers) {
      if (reader.enteredAtMs > youngEnoughMs) again.push(reader);
      else reader.reject(new LedgerUnavailableError('not_connected', { cause }));
    }
    this.#waiting = [...again, ...this.#waiting].sort((a, b) => a.enteredAtMs - b.enteredAtMs);
  }

  /** False if that was done before: a dropped connection settles its waves without waiting for the driver. */
  #settle(wave: Wave): boolean {
    if (!this.#inFlight.delete(wave)) return false;
    clearTimeout(wave.timer);
    this.#schedulePump();
    return true;
  }

  #sweep(): void {
    this.#sweeper = undefined;
    const limitMs = performance.now() - SETTLE_LIMIT_MS;
    const expired = this.#waiting.filter(({ enteredAtMs }) => enteredAtMs <= limitMs);
    if (expired.length > 0) {
      this.#waiting = this.#waiting.filter(({ enteredAtMs }) => enteredAtMs > limitMs);
      for (const { reject } of expired) reject(new LedgerUnavailableError('not_connected'));
    }
    this.#schedulePump();
  }
}
