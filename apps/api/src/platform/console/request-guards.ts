/** What the console asks of every request before it reads a session. */
import type { FastifyRequest } from 'fastify';
import { CONSOLE_HEADER } from '@athos/contract/console/console-call';
import { AppError } from '../errors.ts';
import { readSessionCookie } from './console-cookie.ts';

export interface ConsoleSettings {
  /** Scheme, host and port under which staff reach the console. */
  readonly origin: string;
}

/** Throws unless the request can only come from a page of the console, whose cookie alone it may carry. */
export function requireConsoleRequest(
  request: FastifyRequest,
  { origin }: ConsoleSettings,
  { isWrite }: { readonly isWrite: boolean },
): void {
  const { headers } = request;
  // A wallet's token must never count here, not even beside a cookie.
  if (headers.authorization !== undefined) {
    throw new AppError('unauthenticated', { detail: 'The console takes no bearer token.' });
  }
  // Subdomains are one site, so the wallet's pages can send the cookie along. Every browser says where a request comes from.
  const from = headers['sec-fetch-site'] ?? 'same-origin';
  if (from !== 'same-origin' && from !== 'none') throw new AppError('foreign_origin');
  if (!isWrite) return;
  if (headers.origin !== origin || headers[CONSOLE_HEADER] !== '1') {
    throw new AppError('foreign_origin');
  }
}

/** The token of the session. Throws `unauthenticated`. */
export function requireToken({ headers }: FastifyRequest, settings: ConsoleSettings): string {
  const token = readSessionCookie(settings, headers.cookie);
  if (token === undefined) throw new AppError('unauthenticated');
  return token;
}

/** The longest id of a subject that the audit keeps: an address that names no row may be long. */
const SUBJECT_LENGTH_MAX = 100;

/** The id of what a call's address names. What belongs to a customer has its id after the customer's. */
export function subjectIdOf({ params }: FastifyRequest): string {
  const { uuid, id = '' } = (params ?? {}) as {
    readonly uuid?: string;
    readonly id?: string | number;
  };
  // PostgreSQL stores no NUL: without this, whoever sends one leaves no entry.
  return String(uuid ?? id)
    .slice(0, SUBJECT_LENGTH_MAX)
    .replaceAll('\0', '\uFFFD');
}
