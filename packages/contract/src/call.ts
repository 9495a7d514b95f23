/**
 * What the contract says about a call. Each call is stated once, in `wallet/`, `scanner/` or, where both apps make it, in
 * `shared/`: the server validates with it, OpenAPI and the browsers' tables of addresses (`gen/`) are generated from it,
 * and the clients take their types from it. Importing this file loads no zod.
 */
import type { z } from 'zod';

/** Spec 7: every call of the API is below this path. */
export const API_PREFIX = '/api';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below `API_PREFIX`; `:id` marks a parameter. */
  readonly path: `/${string}`;
  /** `user`: a valid session is required. `scanner`: a session of a member of staff. `anyone`: no session is read. */
  readonly auth: 'anyone' | 'user' | 'scanner';
  /** Takes an Idempotency-Key header, because the call moves value or a repeat of it would be refused (D-035, D-142). */
  readonly keyed?: true;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  /** The answer is a stream of server-sent events, each of which has the schema of `answer`. */
  readonly stream?: true;
}

export type Calls = Readonly<Record<string, Call>>;
