/**
 * Answers that are the same for everybody, kept for a moment as the bytes that go out: the database, the schema and the
 * compression are asked once, however many read.
 *
 * A change is visible within 10 s (issue "catalogue"): an answer counts from the beginning of its load, before which every
 * change is in it. It is joined or given out for 2 s, a load takes 3 s at most, so it leaves at an age below
 * max(2, 3) = 3 s; a cache keeps it 5 s more. 3 + 5 = 8 s.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import { withinTime } from '../../../platform/http/endpoint.ts';

const KEPT_MS = 2_000;
const LOAD_WITHIN_MS = 3_000;
/** Far more than a catalogue has categories: whoever asks for ids that are none must not fill the memory. */
const ANSWER_COUNT_MAX = 500;

export const CACHED_BRIEFLY = 'public, max-age=5';
/** Kept, but asked for again each time: a 304 is its usual answer. */
export const ALWAYS_ASKED = 'public, no-cache';

export interface ReadyAnswer {
  readonly body: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

const zip = promisify(gzip);

/** The bytes of an answer as it goes out. */
export async function makeReady(answer: unknown): Promise<ReadyAnswer> {
  const body = Buffer.from(JSON.stringify(answer));
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  // Weak: the same for the compressed and the plain bytes.
  return { body, gzipped: await zip(body), etag: `W/"${hash}"` };
}

/** What `load` found within the last moments, for the same key. One load at a time answers all who ask. */
export function createAnswerMemory<T>(clock: Clock) {
  const known = new Map<string, { readonly sinceMs: number; readonly answer: Promise<T> }>();
  return (key: string, load: () => Promise<T>): Promise<T> => {
    const nowMs = clock.nowMs();
    const before = known.get(key);
    // A clock that was set back must not keep an answer for longer.
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
    // What there is none of is not kept: whoever asks for many such ids would push out what there is.
    answer.then((found) => found ?? forget(), forget);
    return answer;
  };
}

function isKnownTo(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  // Compared weakly (RFC 9110, 13.1.2): a proxy may have made it weak or strong.
  const bare = etag.replace(/^W\//, '');
  return header.split(',').some((part) => ['*', bare].includes(part.trim().replace(/^W\//, '')));
}

/** Sends an answer, or that the caller has it already. */
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
