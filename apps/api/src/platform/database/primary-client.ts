/**
 * Connections to the primary, which a process opens a few at a time. After a failover each of them has to be opened anew, and every
 * attempt costs the server a process: a hundred at once take its processors from the first requests.
 */
import type { Stream } from 'node:stream';
import pg from 'pg';
import { connectTo } from './address.ts';
import { ConnectionFault, destroySocket, READ_ONLY_TRANSACTION } from './connection.ts';
import { GatheringClient } from './gathering-client.ts';

/** The timeout from the first packet to the answer that the server is a primary. Waiting for a turn is not part of it. */
const CONNECT_TIMEOUT_MS = 2_000;

/** How a process opens its connections. */
interface Pace {
  readonly atOnceMax: number;
  /** How long after the loss of a server it first looks for another one. */
  readonly firstLookMs: number;
  /** While no server takes writes, it checks at this interval whether one does, with one connection. */
  readonly lookEveryMs: number;
}

/** Two attempts keep a server with few cores busy. With more, the first request after a failover is answered later. */
const PROMPT: Pace = { atOnceMax: 2, firstLookMs: 0, lookEveryMs: 200 };
const PATIENT: Pace = { atOnceMax: 1, firstLookMs: 1_000, lookEveryMs: 1_000 };

export interface PrimaryClientConfig extends pg.ClientConfig {
  /**
   * A statement that a new connection runs before its owner gets it. The server plans then what it would otherwise plan while it
   * holds locks. The statement only saves time, so an error that leaves the connection usable is ignored.
   */
  readonly warmUp?: string;
  /**
   * Opens before all that wait for their turn: a connection that serves a whole process. After an attempt that found no server, those that
   * wait go first.
   */
  readonly isFirst?: boolean;
}

/**
 * A client that connects once its turn has come. `connect` throws if the server is a standby: its rows may be old, and it takes no
 * writes.
 */
export class PrimaryClient extends GatheringClient {
  readonly #warmUp: string | undefined;
  readonly #isFirst: boolean;

  constructor({ warmUp, isFirst = false, ...settings }: PrimaryClientConfig = {}) {
    // A pool passes its own limit, which counts the wait for the turn as well.
    super({ ...settings, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    // This listener also keeps a connection that is lost before its owner listens from ending this process.
    this.on('error', (error) => {
      if (isWithoutPrimary(error)) turnsTo(this).look();
    });
    this.#warmUp = warmUp;
    this.#isFirst = isFirst;
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<this> | void {
    const opened = turnsTo(this).take(
      { socket: this.connection.stream, isFirst: this.#isFirst },
      () => this.#open(),
    );
    if (callback === undefined) return opened;
    opened.then(() => callback(null), callback);
  }

  async #open(): Promise<this> {
    await super.connect();
    const timer = setTimeout(() => destroySocket(this), CONNECT_TIMEOUT_MS);
    try {
      await refuseStandby(this);
      if (this.#warmUp !== undefined) await this.query(this.#warmUp).catch(throwIfLost);
    } catch (error) {
      void this.end().catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return this;
  }
}

async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>(
    'select pg_is_in_recovery() as "isStandby"',
  );
  if (rows[0]?.isStandby === true)
    throw new ConnectionFault(READ_ONLY_TRANSACTION, 'the server is a standby');
}

/** Throws if the connection ended with the error, which its owner would otherwise learn from its first query. */
function throwIfLost(error: unknown): void {
  if (!(error instanceof pg.DatabaseError) || isWithoutPrimary(error)) throw error;
}

/**
 * Whether another attempt may find a primary soon: a proxy knows none, or the server is a standby, is starting or stopping, or does not
 * answer.
 */
export function isWithoutPrimary(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return REFUSALS.has(error.code);
  return NO_ANSWER.has(error.message);
}

const NO_ANSWER = new Set(['Connection terminated unexpectedly', 'timeout expired']);
const REFUSALS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  READ_ONLY_TRANSACTION,
  '57P01',
  '57P03',
]);

interface Opening {
  readonly socket: Stream;
  readonly isFirst: boolean;
}

/** The queue that decides which client opens a connection next. */
class Turns {
  pace = PROMPT;
  readonly #waiting: (() => void)[] = [];
  #openingCount = 0;
  /** Set from the loss of a server until one takes writes. */
  #nextLookAtMs: number | undefined;
  #isCalledLater = false;
  /**
   * Whether the last attempt was one of those that open first, and found no server. It will be repeated, and could take every turn: a server
   * that an operator has set to read-only refuses the ledger's warm-up and serves others.
   */
  #isFirstRefused = false;

  /** Runs `open` once it is its turn. Throws if the socket that `open` would connect is closed before its turn, because its owner stopped waiting. */
  async take<T>(opening: Opening, open: () => Promise<T>): Promise<T> {
    await this.#turn(opening);
    try {
      const opened = await open();
      this.#nextLookAtMs = undefined;
      this.#isFirstRefused = false;
      return opened;
    } catch (error) {
      if (isWithoutPrimary(error)) {
        this.#nextLookAtMs = performance.now() + this.pace.lookEveryMs;
        this.#isFirstRefused = opening.isFirst;
      }
      throw error;
    } finally {
      this.#openingCount -= 1;
      this.#callNext();
    }
  }

  /**
   * To be called when an open connection lost its server. A server that is stopping refuses each attempt with a process of its own, which
   * takes processor time from those that it waits for.
   */
  look(): void {
    this.#nextLookAtMs ??= performance.now() + this.pace.firstLookMs;
  }

  #turn({ socket, isFirst }: Opening): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        socket.off('close', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        const at = this.#waiting.indexOf(begin);
        if (at !== -1) this.#waiting.splice(at, 1);
        reject(new Error('a connection waited too long for its turn: timeout'));
      };
      socket.once('close', giveUp);
      if (isFirst && !this.#isFirstRefused) this.#waiting.unshift(begin);
      else this.#waiting.push(begin);
      this.#callNext();
    });
  }

  #callNext(): void {
    const countMax = this.#nextLookAtMs === undefined ? this.pace.atOnceMax : 1;
    while (this.#openingCount < countMax) {
      const waitMs = (this.#nextLookAtMs ?? 0) - performance.now();
      if (waitMs > 0) return this.#callLater(waitMs);
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#openingCount += 1;
      next();
    }
  }

  #callLater(waitMs: number): void {
    if (this.#isCalledLater) return;
    this.#isCalledLater = true;
    setTimeout(() => {
      this.#isCalledLater = false;
      this.#callNext();
    }, waitMs);
  }
}

/**
 * Lets this process leave the first seconds after a failover to processes that answer requests: for one for whose work nobody waits, before it
 * opens a connection to the database.
 */
export function openPatiently(databaseUrl: string): void {
  turnsTo(new pg.Client(connectTo(databaseUrl))).pace = PATIENT;
}

/** One queue per server and database. A program uses one; tests use many. */
const known = new Map<string, Turns>();

function turnsTo({ host, port, database }: pg.Client): Turns {
  const key = `${host}:${port}/${database}`;
  const turns = known.get(key) ?? new Turns();
  known.set(key, turns);
  return turns;
}
