/**
 * The description of a call. Each call is defined once, in `wallet/`, `scanner/` or, if both apps make it, in
 * `shared/`. The server validates with it, OpenAPI and the browsers' route tables (`gen/`) are generated from it, and
 * the clients take their types from it. Importing this file does not load zod.
 */
import type { z } from 'zod';

/** Spec 7: every call of the API is below this path. */
export const API_PREFIX = '/api';

/**
 * The X-Device-Id of an installation: a random text of at least 128 bits, since whoever knows it can pass for that device.
 * Anything else counts as no id.
 */
export const DEVICE_ID_PATTERN = /^[A-Za-z0-9_-]{22,64}$/;

/** The X-Confirmation of a request: 32 random bytes as base64url. */
export const CONFIRMATION_PATTERN = /^[A-Za-z0-9_-]{43}$/;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path below `API_PREFIX`; `:id` marks a parameter. */
  readonly path: `/${string}`;
  /**
   * `user`: requires a valid session. `scanner`: requires the session of a member of staff. `anyone`: reads no session.
   */
  readonly auth: 'anyone' | 'user' | 'scanner';
  /** Requires an Idempotency-Key header, because the call moves value or a retry of it would be refused (D-035, D-142). */
  readonly keyed?: true;
  /** A POST without a key that may be done twice: it only reads, or recognizes what it has been sent before. */
  readonly repeatable?: true;
  /** Reads an X-Device-Id header, because the call depends on the installation that makes it. */
  readonly device?: true;
  /** May return `confirmation_required`, and reads an X-Confirmation header with the requested proof. */
  readonly confirmed?: true;
  /** Moves value of the caller, who must have accepted the terms in force. */
  readonly needsTerms?: true;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  /** Responds with a stream of server-sent events, each with the schema of `answer`. */
  readonly stream?: true;
}

export type Calls = Readonly<Record<string, Call>>;
