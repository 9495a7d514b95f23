/**
 * Registers calls of the console. A capability passes the call's description from the contract and a handler. All checks are made
 * here, in this order: session, person, limit, factor, permission, shape, version, proof. A write, its key and its audit entry share one
 * transaction.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { API_PREFIX } from '@athos/contract/call';
import { BACKGROUND_HEADER, PERSON_HEADER } from '@athos/contract/console/console-call';
import type {
  ConsoleCall,
  ConsoleGuestCall,
  ConsoleRead,
  ConsoleWrite,
} from '@athos/contract/console/console-call';
import { appendAudit } from '../audit/audit.sql.ts';
import { dateOf } from '../clock.ts';
import { isStatementTimeout, type Tx } from '../database/database.ts';
import { AppError, invariant } from '../errors.ts';
import { ANSWER_WITHIN_MS } from '../http/endpoint.ts';
import { sendProblem } from '../http/problem.ts';
import { networkCaller } from '../limits/caller.ts';
import { createGate } from '../limits/gate.ts';
import { withinTime } from '../within-time.ts';
import { performAct, type ActDeps, type ActFacts } from './act.ts';
import type { ConsoleLimits } from './console-limits.ts';
import { recordFailure } from './record-failure.ts';
import {
  requireConsoleRequest,
  requireStorable,
  requireToken,
  subjectIdOf,
  type ConsoleSettings,
} from './request-guards.ts';
import { requirePermission, type SignedInStaff } from './signed-in-staff.ts';
import { readIfMatch, sendVersion } from './versions.ts';

type Part<C, Name extends string> =
  C extends Record<Name, infer S> ? (S extends z.ZodType ? z.output<S> : undefined) : undefined;

interface Parts<C> {
  readonly query: Part<C, 'query'>;
  readonly params: Part<C, 'params'>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface ReadInput<C extends ConsoleRead> extends Parts<C> {
  readonly staff: SignedInStaff;
  /**
   * Writes the audit entry of an audited read, concurrently with the rest of the read. Call it as soon as it is certain that there is
   * something to show; otherwise the entry is written once there is an answer. The answer is sent only after the entry is committed.
   */
  readonly found: () => void;
}

export interface WriteInput<C extends ConsoleWrite> extends Parts<C> {
  readonly body: Part<C, 'body'>;
  readonly staff: SignedInStaff;
  /** The transaction of the act. Outside effects are jobs enqueued in it. */
  readonly tx: Tx;
  /** The Idempotency-Key; a new one if the caller of a PUT, PATCH or DELETE sent none. */
  readonly key: string;
  /** The version that the caller saw. `requireVersion` compares it. */
  readonly version: C extends { versioned: true } ? number : undefined;
  /** Writes the audit entry. Call it once, after the guards and before the ledger moves anything, since the ledger is locked last. */
  readonly record: (facts: ActFacts) => Promise<void>;
}

export interface GuestInput<C extends ConsoleGuestCall> extends Parts<C> {
  readonly body: Part<C, 'body'>;
}

type Answer<C extends ConsoleCall> =
  Promise<z.input<C['answer']> | FastifyReply> | z.input<C['answer']> | FastifyReply;

type Handler<C extends ConsoleCall> = C extends ConsoleWrite
  ? (input: WriteInput<C>) => Promise<z.input<C['answer']>>
  : C extends ConsoleRead
    ? (input: ReadInput<C>) => Answer<C>
    : C extends ConsoleGuestCall
      ? (input: GuestInput<C>) => Answer<C>
      : never;

export interface ConsoleDeps extends ActDeps {
  readonly config: ActDeps['config'] & { readonly console: ConsoleSettings };
  readonly consoleLimits: ConsoleLimits;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by a console call's authentication, before the body is read. */
    signedInStaff: SignedInStaff | undefined;
  }
}

const isWrite = (call: ConsoleCall): call is ConsoleWrite =>
  call.auth === 'console' && call.method !== 'GET';

/** The call's description in the OpenAPI document of the console, besides its schemas. */
function describeCall(call: ConsoleCall): string {
  if (call.auth === 'console_guest') return 'Needs no session.';
  const { permission, method, versioned } = call;
  const { audit, proof } = call as Partial<ConsoleWrite>;
  return [
    `Permission: ${permission}.`,
    method === 'POST' && 'Requires an Idempotency-Key.',
    versioned === true && (isWrite(call) ? 'Requires If-Match.' : 'Sends its version as ETag.'),
    proof === true && 'Requires a recent proof of presence.',
    audit !== undefined && `Audit: ${audit.action}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

/** The types require the permission and the audit action, but a cast could hide that one is missing. */
function requireDescription(call: ConsoleCall): void {
  const { method, path } = call;
  if (call.auth === 'console_guest') return;
  const { permission, audit } = call as Partial<ConsoleWrite>;
  if (permission === undefined) throw new Error(`${method} ${path} has no permission`);
  if (isWrite(call) && audit === undefined)
    throw new Error(`${method} ${path} has no audit action`);
}

/**
 * Throws unless the person may make this call now. Refused calls count against the limit too, because a refused write leaves an
 * audit entry and nobody may flood the audit.
 */
async function requirePermitted(
  call: ConsoleRead | ConsoleWrite,
  staff: SignedInStaff,
  limits: ConsoleLimits,
): Promise<void> {
  const { permission, limit } = call;
  limits.takeCall(staff.staffId);
  requirePermission(permission, staff);
  if (limit !== undefined) await limits.takeLimited(limit, staff.staffId);
}

/**
 * Throws `person_changed` if the page was loaded for another person than the one who is signed in: the person at the page would act in the
 * other's name. It is a 403 and not a 409, which would tell the page that an earlier attempt with the same key did nothing.
 */
function requireSamePerson({ headers }: FastifyRequest, { staffId }: SignedInStaff): void {
  const loadedFor = headers[PERSON_HEADER];
  if (loadedFor === undefined || loadedFor === staffId) return;
  throw new AppError('person_changed', { detail: 'Load the page again.' });
}

async function admit(deps: ConsoleDeps, call: ConsoleCall, request: FastifyRequest): Promise<void> {
  const { staffSessions, consoleLimits, config } = deps;
  requireConsoleRequest(request, config.console, { isWrite: call.method !== 'GET' });
  if (call.auth === 'console_guest') return;
  const token = requireToken(request, config.console);
  const from = { caller: networkCaller(request.ip), address: request.ip };
  // An open app reconnects and reads again by itself, whether or not anybody is using it.
  const isActivity = !('stream' in call) && request.headers[BACKGROUND_HEADER] === undefined;
  const staff = await staffSessions.authenticate(token, from, { isActivity });
  // Before the person is noted, since the audit must not say that they were refused what somebody else has asked for.
  requireSamePerson(request, staff);
  request.signedInStaff = staff;
  await requirePermitted(call, staff, consoleLimits);
}

const staffOf = ({ signedInStaff }: FastifyRequest): SignedInStaff => {
  invariant(signedInStaff !== undefined, 'a console call without its session');
  return signedInStaff;
};

/**
 * Reads share a few connections with the acts, and the slowest take seconds. So the reads of one person leave room for other people, and
 * all reads together leave connections to acts.
 */
const readGate = createGate({ atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_000, ofCallerMax: 2 });

async function answerRead(
  deps: ConsoleDeps,
  call: ConsoleRead,
  parts: Parts<unknown>,
  handle: (input: object) => unknown,
): Promise<unknown> {
  const { request } = parts;
  const staff = staffOf(request);
  const { audit } = call;
  let writing: Promise<unknown> | undefined;
  const found = (): void => {
    if (audit === undefined) return;
    writing ??= appendAudit(deps.db, {
      at: dateOf(deps.clock),
      staff,
      requestId: request.id,
      action: audit.action,
      subject: { type: audit.subject, id: subjectIdOf(request) },
      outcome: 'done',
    });
    // The promise is awaited below. Until then its failure must not count as unhandled.
    writing.catch(() => undefined);
  };
  const answer = await readGate(
    ['staff', staff.staffId],
    () => handle({ ...parts, staff, found }) as Promise<unknown>,
  );
  found();
  await writing;
  return answer;
}

async function answerCall(
  deps: ConsoleDeps,
  call: ConsoleCall,
  { request, reply }: Pick<Parts<unknown>, 'request' | 'reply'>,
  handle: (input: object) => unknown,
): Promise<unknown> {
  const { query, params, body } = request;
  const parts = { query, params, request, reply } as Parts<unknown>;
  reply.header('cache-control', 'no-store');
  if (call.auth === 'console_guest') return handle({ ...parts, body });
  const answer = isWrite(call)
    ? await performAct(
        deps,
        {
          call,
          staff: staffOf(request),
          request,
          ...(call.versioned && { version: readIfMatch(request) }),
        },
        (act) => handle({ ...parts, body, ...act }) as Promise<unknown>,
      )
    : await answerRead(deps, call, parts, handle);
  if (call.versioned === true) sendVersion(reply, answer);
  return answer;
}

/** Registers a call of the console. Throws at startup if its description names no permission, or no audit action for a write. */
export function consoleEndpoint<C extends ConsoleCall>(
  app: FastifyInstance,
  deps: ConsoleDeps,
  call: C,
  handle: Handler<C>,
): void {
  requireDescription(call);
  const { method, path, query, params, answer, summary } = call;
  const body = 'body' in call ? call.body : undefined;
  const { bodyBytesMax } = call as Partial<ConsoleWrite>;
  app.route({
    method,
    url: API_PREFIX + path,
    config: { answersData: true },
    // A HEAD also runs the handler: for a sensitive read it would write an audit entry, and it would use up a file's link.
    exposeHeadRoute: !('audit' in call),
    ...(bodyBytesMax === undefined ? {} : { bodyLimit: bodyBytesMax }),
    schema: {
      summary,
      description: describeCall(call),
      ...(call.auth === 'console_guest' ? {} : { security: [{ session: [] }] }),
      ...(body === undefined ? {} : { body }),
      ...(query === undefined ? {} : { querystring: query }),
      ...(params === undefined ? {} : { params }),
      response: { 200: answer },
    },
    async onRequest(request) {
      const startMs = performance.now();
      await withinTime(admit(deps, call, request), ANSWER_WITHIN_MS);
      request.authenticationMs = performance.now() - startMs;
    },
    preValidation(request, _reply, next) {
      requireStorable(request);
      next();
    },
    handler: (request, reply) =>
      // Fastify has validated each part with the schema that gives it its type.
      withinTime(
        answerCall(deps, call, { request, reply }, handle as never),
        ANSWER_WITHIN_MS - request.authenticationMs,
      ),
    async errorHandler(error, request, reply) {
      if (isWrite(call)) await recordFailure(deps, { call, request, error });
      else if (isStatementTimeout(error)) {
        return sendProblem(new AppError('too_slow', { cause: error }), request, reply);
      }
      return sendProblem(error, request, reply);
    },
  });
}
