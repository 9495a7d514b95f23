/** Checks of every console request that come before its session is read. */
import type { FastifyRequest } from 'fastify';
import { CONSOLE_HEADER } from '@athos/contract/console/console-call';
import { AppError } from '../errors.ts';
import { readSessionCookie } from './console-cookie.ts';

export interface ConsoleSettings {
  /** Scheme, host and port under which staff reach the console. */
  readonly origin: string;
}

/** Throws unless the request can only come from a page of the console. */
export function requireConsoleRequest(
  request: FastifyRequest,
  { origin }: ConsoleSettings,
  { isWrite }: { readonly isWrite: boolean },
): void {
  const { headers } = request;
  // A wallet's token must never count here, not even next to a valid cookie.
  if (headers.authorization !== undefined) {
    throw new AppError('unauthenticated', { detail: 'The console takes no bearer token.' });
  }
  // Subdomains count as the same site, so pages of the wallet could send the cookie. This header tells them apart.
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

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Calls need less than a tenth of this depth. A value nested deeper than the stack would end in a 500. */
const DEPTH_MAX = 50;

/**
 * Throws `invalid_request` for values nested too deep, and for text that PostgreSQL cannot store: with a NUL or half of a surrogate pair.
 */
export function requireStorable({ query, params, body }: FastifyRequest): void {
  const open = [query, params, body].map((value) => ({ value, depth: 0 }));
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { value, depth } = part;
    const isText = typeof value === 'string';
    if (depth > DEPTH_MAX || (isText && !isStorable(value))) {
      throw new AppError('invalid_request', {
        detail: isText
          ? 'A text contains characters that cannot be stored.'
          : 'It is nested too deep.',
      });
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      open.push({ value: name, depth }, { value: member as unknown, depth: depth + 1 });
    }
  }
}

/** The audit stores subject ids up to this length, because an address that names no row may be long. */
const SUBJECT_LENGTH_MAX = 100;

/** The id that a call's address names: the customer's uuid if there is one. */
export function subjectIdOf({ params }: FastifyRequest): string {
  const { uuid, id = '' } = (params ?? {}) as {
    readonly uuid?: string;
    readonly id?: string | number;
  };
  // PostgreSQL cannot store NUL, so an address with one would leave no entry.
  return String(uuid ?? id)
    .slice(0, SUBJECT_LENGTH_MAX)
    .replaceAll('\0', '\uFFFD');
}
