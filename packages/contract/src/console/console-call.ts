/**
 * The description of a call of the console. Like those of the wallet, each call is defined once; unlike those, it names the
 * permission that it needs and what the audit says about it. Importing this file does not load zod.
 */
import type { z } from 'zod';
import type { Permission } from './permissions.ts';

/** Every path of the console's API is below it, itself below `API_PREFIX`. */
export const CONSOLE_PREFIX = '/admin';

/** A header that pages of other origins cannot send without a preflight. Its value is `1`. */
export const CONSOLE_HEADER = 'x-console';

interface Described {
  /** Path below `API_PREFIX`; `:id` marks a parameter. */
  readonly path: `/admin/${string}`;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly answer: z.ZodType;
  /** A further limit, besides the one on all calls of a person (`CONSOLE_LIMITS`). */
  readonly limit?: ConsoleLimit;
}

/** What an audit entry records: the action and the kind of its subject. */
export interface AuditFacts {
  readonly action: `${string}.${string}`;
  readonly subject: string;
}

interface Guarded extends Described {
  readonly auth: 'console';
  /**
   * `own`: any member of staff, for what concerns only themselves. `enrol`: as `own`, and also before a second factor stands.
   */
  readonly permission: Permission | 'own' | 'enrol';
  /**
   * The answer has a `version`, which is also sent as ETag. A write requires the version that it was made for in If-Match.
   */
  readonly versioned?: true;
}

export interface ConsoleRead extends Guarded {
  readonly method: 'GET';
  /** Marks a sensitive read, whose audit entry is written before the answer. */
  readonly audit?: AuditFacts;
  /** Responds with a stream of server-sent events, each with the schema of `answer`. */
  readonly stream?: true;
}

/** The types are none that a page of another origin can send without a preflight. */
interface Upload {
  readonly types: readonly string[];
  readonly bytesMax: number;
}

/** Every POST requires an Idempotency-Key; the others honour one. */
export interface ConsoleWrite extends Guarded {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly audit: AuditFacts;
  readonly body?: z.ZodType;
  /** The size limit of a body that may be larger than usual. */
  readonly bodyBytesMax?: number;
  /** Takes the bytes of a file in place of JSON. */
  readonly upload?: Upload;
  /** Requires a proof of presence within the last minutes. */
  readonly proof?: true;
  /**
   * The request or the answer holds a secret, so neither is kept for a repeat and an Idempotency-Key is ignored. Not allowed for a POST.
   */
  readonly secret?: true;
}

/** A call without a session: sign-in, invites. Its handler writes the audit entries itself. */
export interface ConsoleGuestCall extends Described {
  readonly auth: 'console_guest';
  readonly method: 'GET' | 'POST';
  readonly body?: z.ZodType;
}

export type ConsoleCall = ConsoleRead | ConsoleWrite | ConsoleGuestCall;
export type ConsoleCalls = Readonly<Record<string, ConsoleCall>>;

/** Limits per person. Searches are limited per second in each process, the others per hour over all processes. */
export const CONSOLE_LIMITS = {
  search: { perSecond: 5 },
  export: { perHour: 10 },
  /** Each may store 10,000 rows. */
  bulk: { perHour: 60 },
  code_look_up: { perHour: 30 },
  /** Tells whether an address has an account. */
  venue_bind: { perHour: 60 },
  /** Raises an alarm and refuses nothing, because support may have a busy day. */
  customer_open: { perHour: 300, isAlarmOnly: true },
} as const;
export type ConsoleLimit = keyof typeof CONSOLE_LIMITS;
/** Of one person within 24 hours: above it, addresses of customers leave the programme in a file only if a second person agrees. */
export const EXPORTED_CONTACTS_MAX = 1_000;
/** The limit on all calls of one person. */
export const CONSOLE_CALLS_PER_SECOND = 20;
/** Of one batch of reward codes. */
export const BATCH_CODES_MAX = 100_000;
