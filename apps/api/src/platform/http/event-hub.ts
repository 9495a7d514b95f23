/**
 * The open streams of live events in this process. A lost event only delays the app, which polls as well, so a stream whose
 * reader is too slow is closed.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../errors.ts';

const UNREAD_BYTES_MAX = 64 * 1024;
const STREAM_TYPE = 'text/event-stream; charset=utf-8';
/**
 * The minimum pause before readers reconnect. Streams that end together reconnect one after another: the 10,000 of a process at 7,000 a
 * second, whichever processes take them.
 */
const RECONNECT_PAUSE_MIN_MS = 200;
const RECONNECT_SPREAD_MS = 1_500;
/** The maximum lifetime of a stream, so that its reader connects again with its current session. */
const STREAM_LIFETIME_MS = 30 * 60_000;
/** Proxies close streams that are quiet for longer. */
const KEEP_ALIVE_MS = 15_000;
const COMMENT = ':\n\n';
/** How long a reader may take to read the rest of a stream that has ended. */
const READ_REST_WITHIN_MS = 10_000;
const RETRY_AFTER_SECONDS = 15;

export interface Stream<Owner> {
  /** The person who reads it. */
  readonly owner: Owner;
  readonly sessionId: string;
  readonly response: ServerResponse;
}

interface HubLimits {
  readonly perOwnerMax: number;
  readonly allMax: number;
}

/** `Owner` identifies a person and is compared with `===`. */
export class EventHub<Owner, Event> {
  readonly #schema: z.ZodType<Event>;
  readonly #limits: HubLimits;
  readonly #byOwner = new Map<Owner, Set<Stream<Owner>>>();
  #streamCount = 0;
  #isClosed = false;

  constructor(schema: z.ZodType<Event>, limits: HubLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  /** Closes the person's oldest stream if they have too many. Returns `false` if the process has no room for another, or ends. */
  add(stream: Stream<Owner>): boolean {
    if (this.#isClosed || this.#streamCount >= this.#limits.allMax) return false;
    const streams = this.#byOwner.get(stream.owner) ?? new Set();
    const [oldest] = streams;
    if (streams.size >= this.#limits.perOwnerMax && oldest !== undefined) this.end(oldest);
    this.#byOwner.set(stream.owner, streams.add(stream));
    this.#streamCount += 1;
    return true;
  }

  /** May be called more than once. */
  end(stream: Stream<Owner>): void {
    const streams = this.#byOwner.get(stream.owner);
    if (streams?.delete(stream) !== true) return;
    this.#streamCount -= 1;
    if (streams.size === 0) this.#byOwner.delete(stream.owner);
    const { response } = stream;
    response.end();
    // Of several requests sent at once, a later one's answer has no connection of its own yet.
    const { socket } = response.req;
    const cutOff = setTimeout(() => socket.destroy(), READ_REST_WITHIN_MS).unref();
    response.once('close', () => clearTimeout(cutOff));
  }

  isEmpty(): boolean {
    return this.#streamCount === 0;
  }

  /** How many streams are open. */
  get streamCount(): number {
    return this.#streamCount;
  }

  listensTo(owner: Owner): boolean {
    return this.#byOwner.has(owner);
  }

  /** The person's open streams. */
  of(owner: Owner): readonly Stream<Owner>[] {
    return [...(this.#byOwner.get(owner) ?? [])];
  }

  all(): readonly Stream<Owner>[] {
    return [...this.#byOwner.values()].flatMap((streams) => [...streams]);
  }

  sendTo(owner: Owner, event: Event): void {
    for (const stream of this.of(owner)) this.send(stream, event);
  }

  send(stream: Stream<Owner>, event: Event): void {
    if (stream.response.writableLength > UNREAD_BYTES_MAX) return this.end(stream);
    // Fastify does not serialize streams, so the event is validated against its schema here.
    stream.response.write(`data: ${JSON.stringify(this.#schema.parse(event))}\n\n`);
  }

  /** Ends all streams, and asks their readers to reconnect one after another. */
  endAll(): void {
    for (const stream of this.all()) {
      const pauseMs = RECONNECT_PAUSE_MIN_MS + Math.floor(Math.random() * RECONNECT_SPREAD_MS);
      stream.response.write(`retry: ${pauseMs}\n\n`);
      this.end(stream);
    }
  }

  /** Ends all streams for good. */
  close(): void {
    this.#isClosed = true;
    this.endAll();
  }
}

/** Answers with the headers of a stream and no body. Fastify adds HEAD to every GET, and the answer would otherwise never end. */
export const answerHead = (reply: FastifyReply): FastifyReply =>
  reply.type(STREAM_TYPE).header('cache-control', 'no-store').send();

/** Opens a stream. It ends with the connection, or after its lifetime. Throws `overloaded` if there is no room for it. */
export function openStream<Owner>(
  hub: Pick<EventHub<Owner, never>, 'add' | 'end'>,
  stream: Stream<Owner>,
  reply: FastifyReply,
): FastifyReply {
  const { response } = stream;
  // What came before may have taken too long: the request has been answered, or its reader has gone.
  if (response.headersSent || response.destroyed) return reply;
  if (!hub.add(stream))
    throw new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  const lifetime = setTimeout(() => hub.end(stream), STREAM_LIFETIME_MS);
  // Each stream has its own timer: writing to all 10,000 at once would delay every other answer for a quarter of a second.
  const keepAlive = setInterval(() => {
    // An ended stream stays open until its reader has read the rest.
    if (!response.writableEnded) response.write(COMMENT);
  }, KEEP_ALIVE_MS);
  // A write that fails means that the reader has gone, which 'close' reports too.
  response.on('error', () => undefined);
  response.once('close', () => {
    clearTimeout(lifetime);
    clearInterval(keepAlive);
    hub.end(stream);
  });
  // `writeHead` below bypasses Fastify, so the headers that hooks have set are copied.
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(200, {
    'content-type': STREAM_TYPE,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // A connection kept alive after the stream would delay a shutdown until it times out.
    connection: 'close',
  });
  response.write(COMMENT);
  return reply.hijack();
}
