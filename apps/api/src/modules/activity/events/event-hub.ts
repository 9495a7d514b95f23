/**
 * Who listens for live updates in this process. Streams only carry news: a lost one costs nothing, since the wallet polls
 * as well, so a listener that reads too slowly is cut off instead of being waited for.
 */
import type { ServerResponse } from 'node:http';
import { liveEvent, type LiveEvent } from '@athos/contract/wallet/events';

const STREAMS_PER_USER_MAX = 10;
const STREAMS_MAX = 10_000;
const UNREAD_BYTES_MAX = 64 * 1024;

export interface Stream {
  readonly userId: bigint;
  readonly sessionId: string;
  readonly response: ServerResponse;
}

export class EventHub {
  readonly #byUser = new Map<bigint, Set<Stream>>();
  #streamCount = 0;

  /** The oldest stream of a user makes room for a new one; `false` where this process has no room at all. */
  add(stream: Stream): boolean {
    if (this.#streamCount >= STREAMS_MAX) return false;
    const streams = this.#byUser.get(stream.userId) ?? new Set();
    const [oldest] = streams;
    if (streams.size >= STREAMS_PER_USER_MAX && oldest !== undefined) this.end(oldest);
    this.#byUser.set(stream.userId, streams.add(stream));
    this.#streamCount += 1;
    return true;
  }

  /** Ending twice is harmless. */
  end(stream: Stream): void {
    const streams = this.#byUser.get(stream.userId);
    if (streams?.delete(stream) !== true) return;
    this.#streamCount -= 1;
    if (streams.size === 0) this.#byUser.delete(stream.userId);
    stream.response.end();
  }

  listensTo(userId: bigint): boolean {
    return this.#byUser.has(userId);
  }

  sendToUser(userId: bigint, event: LiveEvent): void {
    for (const stream of this.#byUser.get(userId) ?? []) this.#send(stream, event);
  }

  /** Tells and ends the streams of a session. */
  endSession(sessionId: string): void {
    for (const stream of this.#all()) {
      if (stream.sessionId !== sessionId) continue;
      this.#send(stream, { type: 'session_ended' });
      this.end(stream);
    }
  }

  /** Comments keep proxies from closing quiet streams. */
  keepAlive(): void {
    for (const { response } of this.#all()) response.write(':\n\n');
  }

  endAll(): void {
    for (const stream of this.#all()) this.end(stream);
  }

  #all(): Stream[] {
    return [...this.#byUser.values()].flatMap((streams) => [...streams]);
  }

  #send(stream: Stream, event: LiveEvent): void {
    if (stream.response.writableLength > UNREAD_BYTES_MAX) return this.end(stream);
    // No serializer stands behind a stream: what goes out is checked here, as every other answer is.
    stream.response.write(`data: ${JSON.stringify(liveEvent.parse(event))}\n\n`);
  }
}
