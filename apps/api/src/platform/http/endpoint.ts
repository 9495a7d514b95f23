/**
 * How a capability registers a route: with a call of the contract and a handler. The contract defines method, path, schemas and
 * who may call it, so no route exists without them.
 */
import { randomFillSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { API_PREFIX, CONFIRMATION_PATTERN, type Call } from '@athos/contract/call';
import { uuidv7 } from '@athos/domain/uuid';
import type { Clock } from '../clock.ts';
import { isLostConnection } from '../database/connection.ts';
import { AppError } from '../errors.ts';
import { withinTime } from '../within-time.ts';
import { requireKey } from './idempotency-key.ts';
import type { Slo } from './request-metrics.ts';

/**
 * No request stays open for 5 s, even if the database does not respond (docs/ledger.md, "Deadlines and errors"). On a busy processor the
 * timer is late by up to 0.4 s.
 */
export const ANSWER_WITHIN_MS = 4_600;

/** The user who makes the request. */
export interface SignedInUser {
  readonly userId: bigint;
  readonly userUuid: string;
  readonly role: 'user' | 'scanner' | 'operator';
  readonly sessionId: string;
  /** The accepted terms when the session's row was read. */
  readonly terms: AcceptedTerms;
  /** Set if the user must confirm spends above a limit of the account. */
  readonly confirmsSpends?: true;
  /** Set for some time after the second step of the account was removed without a factor. */
  readonly sendsLimitedUntil?: Date;
}

/** The terms that a user accepted last. */
export interface AcceptedTerms {
  readonly version: string | null;
  readonly acceptedAt: Date | null;
}

/** Finds the user of a token. The identity capability implements it. */
export interface Authenticator {
  /** The user of a recently verified token, without waiting; `undefined` if `authenticate` has to look it up. */
  remembered(token: string): SignedInUser | undefined;
  /** Throws `unauthenticated` for a foreign token, `session_ended` for an expired or revoked one. */
  authenticate(token: string): Promise<SignedInUser>;
  /** Throws `terms_not_accepted`. Costs no query for a user who has accepted the terms in force. */
  requireTerms(user: SignedInUser): Promise<void>;
}

interface Endpoint extends Call {
  /** For work that waits for services other than the database. The client times out after 10 s. */
  readonly answerWithinMs?: number;
  /** For a call whose body may be larger than the usual limit. */
  readonly bodyBytesMax?: number;
  /**
   * For a call that ends its own session: finds the user who replays it, by the key and a token whose session has ended.
   * Returns `undefined` if this is not a replay; throws like `authenticate`.
   */
  readonly findRepeating?: (token: string, key: unknown) => Promise<SignedInUser | undefined>;
}

type Parsed<E, Part extends string> =
  E extends Record<Part, infer S> ? (S extends z.ZodType ? z.output<S> : undefined) : undefined;

export interface EndpointInput<E extends Endpoint> {
  readonly body: Parsed<E, 'body'>;
  readonly query: Parsed<E, 'query'>;
  readonly params: Parsed<E, 'params'>;
  /** The caller; absent if anyone may call the endpoint. */
  readonly user: E['auth'] extends 'anyone' ? undefined : SignedInUser;
  /** The Idempotency-Key, generated if the caller sent none; absent if the endpoint takes none. */
  readonly key: E extends { keyed: true } ? string : undefined;
  /** The X-Confirmation; absent without one, or if the endpoint reads none. */
  readonly confirmation: E extends { confirmed: true } ? string | undefined : undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface EndpointDeps {
  readonly sessions: Authenticator;
  readonly clock: Clock;
}

type Handler<E extends Endpoint> = (
  input: EndpointInput<E>,
) => Promise<z.input<E['answer']> | FastifyReply> | z.input<E['answer']> | FastifyReply;

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Set by the endpoint's authentication, before the body is read. If anyone may call the endpoint, this is the owner of a remembered
     * token, whose requests need not share the limits of others on the same network.
     */
    signedInUser: SignedInUser | undefined;
    /** How long that authentication took. */
    authenticationMs: number;
  }
}

/** The pauses before repeats. A server that stops ends its connections one after the other, so a repeat may lose its own too. */
const REPEAT_PAUSES_MS = [100, 200, 400];

/**
 * Does the work again if its connection to the database was lost, so that a failover costs its caller time and no error. For work that may be
 * done more than once. `first` is its first run; no other one begins after `untilMs`.
 */
async function repeatIfLost<T>(
  first: Promise<T>,
  work: () => Promise<T> | T,
  { log, untilMs }: { readonly log: FastifyBaseLogger; readonly untilMs: number },
): Promise<T> {
  let run = first;
  for (const pauseMs of REPEAT_PAUSES_MS) {
    try {
      return await run;
    } catch (error) {
      if (!isLostConnection(error) || performance.now() + pauseMs > untilMs) throw error;
      log.info({ err: error }, 'connection lost, request repeated');
    }
    await pause(pauseMs);
    run = Promise.resolve().then(work);
  }
  return run;
}

/** Whether a call may be done twice. GET and PUT may by their definition (RFC 9110, section 9.2.2), and a key makes any call so. */
const isRepeatable = ({ method, keyed, repeatable }: Endpoint): boolean =>
  method !== 'POST' || keyed === true || repeatable === true;

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  return header?.startsWith('Bearer ') === true ? header.slice('Bearer '.length) : undefined;
}

/** A preliminary check: the role is cached with the session, so code that depends on it reads it again. */
const roleFault = (auth: Endpoint['auth'], { role }: SignedInUser): AppError | undefined =>
  auth === 'scanner' && role !== 'scanner' ? new AppError('forbidden') : undefined;

/** Returns the caller. A replay of the call that ended its own session passes, so that it gets the same response. */
async function authenticateCall(
  sessions: Authenticator,
  { findRepeating }: Endpoint,
  { token, key }: { readonly token: string; readonly key: unknown },
): Promise<SignedInUser> {
  try {
    return await sessions.authenticate(token);
  } catch (error) {
    const isEnded = error instanceof AppError && error.code === 'session_ended';
    const user = isEnded ? await findRepeating?.(token, key) : undefined;
    if (user === undefined) throw error;
    return user;
  }
}

/** Goals by kind of call: calls that move value or redeem carry a key. */
const sloOf = ({ keyed, auth }: Endpoint): Slo =>
  keyed !== true ? 'other' : auth === 'scanner' ? 'redemption' : 'money';

const schemaOf = ({ summary, auth, body, query, params, answer }: Endpoint) => ({
  summary,
  ...(auth === 'anyone' ? {} : { security: [{ bearer: [] }] }),
  ...(body === undefined ? {} : { body }),
  ...(query === undefined ? {} : { querystring: query }),
  ...(params === undefined ? {} : { params }),
  response: { 200: answer },
});

/** Registers a call of the contract below `/api`. Throws at startup if it cannot. */
export function endpoint<E extends Endpoint>(
  app: FastifyInstance,
  { sessions, clock }: EndpointDeps,
  description: E,
  handle: Handler<E>,
): void {
  const { method, path, auth, keyed, confirmed, needsTerms } = description;
  const { answerWithinMs = ANSWER_WITHIN_MS, bodyBytesMax } = description;
  const mayRepeat = isRepeatable(description);
  app.route({
    method,
    url: API_PREFIX + path,
    ...(bodyBytesMax !== undefined && { bodyLimit: bodyBytesMax }),
    config: { answersData: true, slo: sloOf(description) },
    schema: schemaOf(description),
    onRequest(request, _reply, done) {
      const token = bearerToken(request);
      if (auth === 'anyone') {
        if (token !== undefined) request.signedInUser = sessions.remembered(token);
        return done();
      }
      if (token === undefined) return done(new AppError('unauthenticated'));
      request.signedInUser = sessions.remembered(token);
      if (request.signedInUser !== undefined) return done(roleFault(auth, request.signedInUser));
      const startMs = performance.now();
      const call = { token, key: request.headers['idempotency-key'] };
      const authenticate = () => authenticateCall(sessions, description, call);
      const found = repeatIfLost(authenticate(), authenticate, {
        log: request.log,
        untilMs: startMs + answerWithinMs,
      });
      withinTime(found, answerWithinMs).then(
        (user) => {
          request.signedInUser = user;
          request.authenticationMs = performance.now() - startMs;
          done(roleFault(auth, user));
        },
        (error: unknown) => done(error as Error),
      );
    },
    handler(request, reply) {
      const input = {
        body: request.body,
        query: request.query,
        params: request.params,
        user: request.signedInUser,
        key:
          keyed === true
            ? readIdempotencyKey(request.headers['idempotency-key'], clock)
            : undefined,
        confirmation: confirmed === true ? readConfirmation(request) : undefined,
        request,
        reply,
        // Fastify has validated each part with the schema that gives it this type.
      } as unknown as EndpointInput<E>;
      const { signedInUser: user } = request;
      // Like a missing session, missing terms refuse a call before it is processed, so not even a known key is looked up.
      const work = () =>
        needsTerms === true && user !== undefined
          ? sessions.requireTerms(user).then(() => handle(input))
          : handle(input);
      const leftMs = answerWithinMs - request.authenticationMs;
      const untilMs = performance.now() + leftMs;
      const answered = work();
      if (!(answered instanceof Promise)) return answered;
      const settled = mayRepeat
        ? repeatIfLost(answered, work, { log: request.log, untilMs })
        : answered;
      return withinTime(settled, leftMs);
    },
  });
}

/** A header in any other form counts as no confirmation, and an endpoint that takes a confirmation refuses the request. */
function readConfirmation({ headers }: FastifyRequest): string | undefined {
  const header = headers['x-confirmation'];
  return typeof header === 'string' && CONFIRMATION_PATTERN.test(header) ? header : undefined;
}

/** Returns the caller's key (D-171), or a random one if none was sent, so that every such request is a new one. */
function readIdempotencyKey(header: string | string[] | undefined, clock: Clock): string {
  if (header === undefined) return uuidv7(clock.nowMs(), (bytes) => randomFillSync(bytes));
  return requireKey(header, clock);
}
