/**
 * Responses that are the same for everybody, cached briefly as the bytes to send: however many requests arrive, the database is queried
 * and the response validated and compressed only once.
 *
 * A change becomes visible within 10 s. The age of an entry counts from the start of its load, since the load sees every earlier change.
 * Requests join the entry for 2 s and a load takes at most 3 s, so a response is at most 3 s old when it is sent, and a cache keeps it
 * for 5 s more.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import { withinTime } from '../../../platform/within-time.ts';

const KEPT_MS = 2_000;
const LOAD_WITHIN_MS = 3_000;
/** Far more than the number of categories in a catalogue. Bounds the memory that requests for unknown ids can fill. */
const ANSWER_COUNT_MAX = 500;

export const CACHED_BRIEFLY = 'public, max-age=5';
/** Cached, but revalidated on each use, usually with a 304. */
export const ALWAYS_ASKED = 'public, no-cache';

export interface ReadyAnswer {
  readonly body: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

const zip = promisify(gzip);

/** Serializes, compresses and hashes a response. */
export async function makeReady(answer: unknown): Promise<ReadyAnswer> {
  const body = Buffer.from(JSON.stringify(answer));
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  // A weak ETag, since the compressed and the plain body share it.
  return { body, gzipped: await zip(body), etag: `W/"${hash}"` };
}

/** Caches the result of `load` by key for `KEPT_MS`. Concurrent callers share one load. */
export function createAnswerMemory<T>(clock: Clock) {
  const known = new Map<string, { readonly sinceMs: number; readonly answer: Promise<T> }>();
  return (key: string, load: () => Promise<T>): Promise<T> => {
    const nowMs = clock.nowMs();
    const before = known.get(key);
    // `abs` ensures that setting the clock back does not prolong the life of an entry.
    if (before !== undefined && Math.abs(nowMs - before.sinceMs) < KEPT_MS) return before.answer;
    known.delete(key);
    const [oldest] = known.keys();
    if (known.size >= ANSWER_COUNT_MAX && oldest !== undefined) known.delete(oldest);
    const answer = withinTime(load(), LOAD_WITHIN_MS);
    const entry = { sinceMs: nowMs, answer };
    known.set(key, entry);
    const forget = (): void => {
      if (known.get(key) === entry) known.delete(key);
    };
    // `undefined` is not kept: requests for unknown ids would evict real entries.
    answer.then((found) => found ?? forget(), forget);
    return answer;
  };
}

function isKnownTo(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  // Weak comparison (RFC 9110, 13.1.2), since a proxy may have changed the ETag from weak to strong.
  const bare = etag.replace(/^W\//, '');
  return header.split(',').some((part) => ['*', bare].includes(part.trim().replace(/^W\//, '')));
}

/** Sends the response, or 304 if the caller already has it. */
export function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer, cacheControl }: { readonly answer: ReadyAnswer; readonly cacheControl: string },
): FastifyReply {
  reply
    .header('cache-control', cacheControl)
    .header('etag', answer.etag)
    .header('vary', 'accept-encoding');
  if (isKnownTo(request, answer.etag)) return reply.code(304).send();
  reply.type('application/json; charset=utf-8');
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(
    request.headers['accept-encoding'] ?? '',
  );
  return takesGzip
    ? reply.header('content-encoding', 'gzip').send(answer.gzipped)
    : reply.send(answer.body);
}
