/**
 * The description of a call of the console. Like those of the wallet, each call is defined once; unlike those, it names its permission and
 * its audit action. Importing this file does not load zod.
 */
import type { z } from 'zod';
import type { Permission } from './permissions.ts';

/** The prefix of every path of the console's API, itself below `API_PREFIX`. */
export const CONSOLE_PREFIX = '/admin';

/** A header that pages of other origins cannot send without a preflight. Its value is `1`. */
export const CONSOLE_HEADER = 'x-console';

/** A header of calls that nobody asked for, such as those that read a screen again. They do not keep a session that is otherwise idle. */
export const BACKGROUND_HEADER = 'x-background';

/**
 * A header with the id of the person for whom the page was loaded. The tabs of a browser share the cookie of the session, so a page may
 * still show one person after another one has signed in.
 */
export const PERSON_HEADER = 'x-staff-id';

interface Described {
  /** Path below `API_PREFIX`; `:id` marks a parameter. */
  readonly path: `/admin/${string}`;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly answer: z.ZodType;
  /** A limit in addition to the one on all calls of a person (`CONSOLE_LIMITS`). */
  readonly limit?: ConsoleLimit;
}

/** The action and the kind of subject that an audit entry records. */
export interface AuditFacts {
  readonly action: `${string}.${string}`;
  readonly subject: string;
}

interface Guarded extends Described {
  readonly auth: 'console';
  /** `own`: any member of staff, for their own data. `enrol`: like `own`, but also allowed before a second factor exists. */
  readonly permission: Permission | 'own' | 'enrol';
  /** The response has a `version`, which is also sent as ETag. A write must name the version on which it is based in If-Match. */
  readonly versioned?: true;
}

export interface ConsoleRead extends Guarded {
  readonly method: 'GET';
  /** Marks a sensitive read, whose audit entry is written before the response. */
  readonly audit?: AuditFacts;
  /** Responds with a stream of server-sent events, each with the schema of `answer`. */
  readonly stream?: true;
}

/** The content types are ones that a page of another origin cannot send without a preflight. */
interface Upload {
  readonly types: readonly string[];
  readonly bytesMax: number;
}

/** Every POST requires an Idempotency-Key; other methods accept one. */
export interface ConsoleWrite extends Guarded {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly audit: AuditFacts;
  readonly body?: z.ZodType;
  /** The size limit of a body that may exceed the default. */
  readonly bodyBytesMax?: number;
  /** Accepts the bytes of a file instead of JSON. */
  readonly upload?: Upload;
  /** Requires a recent proof of presence. */
  readonly proof?: true;
  /**
   * The request or the response contains a secret, so neither is stored for a replay, and an Idempotency-Key is ignored. Not allowed for a
   * POST.
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
  /** Each run may store 10,000 rows. */
  bulk: { perHour: 60 },
  code_look_up: { perHour: 30 },
  /** The call reveals whether an address has an account. */
  venue_bind: { perHour: 60 },
  /** Only raises an alarm and refuses nothing, because support may have a busy day. */
  customer_open: { perHour: 300, isAlarmOnly: true },
} as const;
export type ConsoleLimit = keyof typeof CONSOLE_LIMITS;
/** Per person within 24 hours. Above it, an export with e-mail addresses of customers needs a second person's approval. */
export const EXPORTED_CONTACTS_MAX = 1_000;
/** The limit on all calls of one person. */
export const CONSOLE_CALLS_PER_SECOND = 20;
/** The maximum number of reward codes in one batch. */
export const BATCH_CODES_MAX = 100_000;
