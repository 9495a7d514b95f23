/**
 * The open streams of live events in this process. A lost event only delays the wallet, which polls as well, so a stream whose
 * reader is too slow is closed.
 */
import type { ServerResponse } from 'node:http';
import type { EndedSessions } from '../../identity/index.ts';
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

  /** Closes the user's oldest stream if the user has too many. Returns `false` if the process has no room for another. */
  add(stream: Stream): boolean {
    if (this.#streamCount >= STREAMS_MAX) return false;
    const streams = this.#byUser.get(stream.userId) ?? new Set();
    const [oldest] = streams;
    if (streams.size >= STREAMS_PER_USER_MAX && oldest !== undefined) this.end(oldest);
    this.#byUser.set(stream.userId, streams.add(stream));
    this.#streamCount += 1;
    return true;
  }

  /** May be called more than once. */
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

  /** Sends `session_ended` to the streams of the sessions and ends them. */
  endSessions({ userId, includes }: EndedSessions): void {
    for (const stream of this.#byUser.get(userId) ?? []) {
      if (!includes(stream.sessionId)) continue;
      this.#send(stream, { type: 'session_ended' });
      this.end(stream);
    }
  }

  /** Sends a comment, so that proxies do not close quiet streams. */
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
    // Fastify does not serialize streams, so the event is validated against its schema here.
    stream.response.write(`data: ${JSON.stringify(liveEvent.parse(event))}\n\n`);
  }
}
