/** Versions of rows that staff edit: ETag and If-Match. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invariant } from '../errors.ts';

const ETAG = /^"(\d{1,9})"$/;

/** The version in If-Match. Throws `version_required` if it is missing, and `invalid_request` if it is not one of our ETags. */
export function readIfMatch({ headers }: FastifyRequest): number {
  const given = headers['if-match'];
  if (given === undefined) throw new AppError('version_required');
  const [, digits] = ETAG.exec(given) ?? [];
  if (digits === undefined) {
    throw new AppError('invalid_request', { detail: 'Send the ETag of the row in If-Match.' });
  }
  return parseInt(digits, 10);
}

/** Sends the answer's `version` as ETag. An act that only waits for approval has changed nothing yet, so it sends none. */
export function sendVersion(reply: FastifyReply, answer: unknown): void {
  const { version, outcome } = answer as { readonly version?: number; readonly outcome?: string };
  if (outcome === 'requested') return;
  invariant(typeof version === 'number', 'the answer of a versioned call has no version');
  reply.header('etag', `"${version}"`);
}

/** Throws `version_conflict`, which carries the current row in the shape of its read call. */
export function requireVersion<Present extends { readonly version: number }>(
  version: number,
  present: Present,
): void {
  if (present.version !== version) throw new AppError('version_conflict', { extra: { present } });
}
