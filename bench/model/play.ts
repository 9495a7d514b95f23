/** Plays the mix against the processes, in open loops, and records how each call was answered. */
import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionLostError, HttpConnection } from '../http-connection.ts';
import { pacedLoop } from '../paced-loop.ts';
import { pick, requestSender } from '../requests.ts';
import { callsOf, OPENINGS_PER_SECOND, type Cast, type PacedCall } from './mix.ts';
import { Streams } from './streams.ts';

/** Far more than are busy at once. A call that still has to wait for one counts as slow. */
const CONNECTIONS_OF_A_CALL = 64;
const STREAMS_OPENED_AT_ONCE = 20;
/** The wallet's time limit. A call without a response by then counts as failed. */
const ANSWER_LIMIT_MS = 10_000;

/** The results of calls of one kind at all processes. */
interface Answered {
  readonly name: string;
  readonly durationsMs: number[];
  /** Responses of status 500 and above, and lost connections. */
  failedCount: number;
  /** All other responses but 200. */
  refusedCount: number;
}

export interface Place {
  readonly url: string;
  readonly cast: Cast;
}

export class Play {
  readonly streams: readonly Streams[];
  readonly #places: readonly Place[];
  readonly #answered = new Map<string, Answered>();
  readonly #connections: HttpConnection[] = [];
  /** Only calls that were due between these two times are counted. */
  #countFromMs = Infinity;
  #countToMs = Infinity;

  constructor(places: readonly Place[]) {
    this.#places = places;
    this.streams = places.map(({ url }) => new Streams(url));
  }

  get answered(): readonly Answered[] {
    return [...this.#answered.values()];
  }

  /** The intended and the actual number of calls of each kind in a run of this many seconds. */
  paces(seconds: number) {
    const [first] = this.#places;
    return (first === undefined ? [] : callsOf(first.cast)).map(({ name, perSecond }) => ({
      name,
      intendedCount: perSecond * seconds,
      madeCount: this.#answered.get(name)?.durationsMs.length ?? 0,
    }));
  }

  /** Opens a stream for every wallet. */
  async openWallets(): Promise<void> {
    await Promise.all(
      this.#places.map(async ({ cast: { wallets } }, at) => {
        const waiting = wallets.values();
        await Promise.all(
          Array.from({ length: STREAMS_OPENED_AT_ONCE }, async () => {
            for (const user of waiting) await this.streams[at]?.open(user);
          }),
        );
      }),
    );
  }

  /** Calls before `countAfterMs` are made but not counted, because code is compiled and caches fill. */
  async run({ countAfterMs, forMs }: { countAfterMs: number; forMs: number }): Promise<void> {
    let isOver = false;
    const isOn = (): boolean => !isOver;
    const loops = this.#places.flatMap((place, at) => [
      ...callsOf(place.cast).map((call) => this.#repeat(place, call, isOn)),
      this.#comeAndGo(place, this.streams[at], isOn),
    ]);
    await Promise.race([pause(countAfterMs), ...loops]);
    this.#countFromMs = performance.now();
    await Promise.race([pause(forMs), ...loops]);
    this.#countToMs = performance.now();
    isOver = true;
    const giveUp = setTimeout(() => {
      for (const connection of this.#connections) connection.close();
    }, ANSWER_LIMIT_MS);
    await Promise.all(loops);
    clearTimeout(giveUp);
    for (const connection of this.#connections) connection.close();
    for (const streams of this.streams) streams.endAll();
  }

  async #repeat(
    { url }: Place,
    { name, perSecond, request }: PacedCall,
    isOn: () => boolean,
  ): Promise<void> {
    const connections = Array.from(
      { length: CONNECTIONS_OF_A_CALL },
      () => new HttpConnection(url),
    );
    this.#connections.push(...connections);
    const send = requestSender(request);
    const sendOne = async (connection: HttpConnection, dueMs: number): Promise<void> => {
      const status = await send(connection).catch((error: unknown) => {
        if (error instanceof ConnectionLostError) return undefined;
        throw error;
      });
      const isCounted = dueMs >= this.#countFromMs && dueMs <= this.#countToMs;
      if (isCounted) this.#note(name, status, performance.now() - dueMs);
    };
    await pacedLoop(connections, sendOne, {
      isOn,
      perSecond: perSecond / this.#places.length,
    });
  }

  #note(name: string, status: number | undefined, durationMs: number): void {
    const answered = this.#answered.get(name) ?? {
      name,
      durationsMs: [],
      failedCount: 0,
      refusedCount: 0,
    };
    this.#answered.set(name, answered);
    answered.durationsMs.push(durationMs);
    if (status === undefined || status >= 500) answered.failedCount += 1;
    else if (status !== 200) answered.refusedCount += 1;
  }

  /** Closes the longest-open wallet, and opens another. */
  async #comeAndGo(
    { cast: { wallets } }: Place,
    streams: Streams | undefined,
    isOn: () => boolean,
  ): Promise<void> {
    const everyMs = (1_000 * this.#places.length) / OPENINGS_PER_SECOND;
    const startMs = performance.now();
    for (let count = 1; isOn(); count++) {
      await pause(Math.max(0, startMs + count * everyMs - performance.now()));
      streams?.endOldest();
      void streams?.open(pick(wallets));
    }
  }
}
