/**
 * How a module states a route: an endpoint of the contract and a function of its input. The endpoint brings method, path,
 * schemas and who may call it, so that no route can be registered without saying so.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { API_PREFIX, type Call } from '@athos/contract/call';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

/** Ledger design, section 5: no request stays open for longer than 5 s whatever the database does. */
const ANSWER_WITHIN_MS = 4_800;

const RETRY_AFTER_SECONDS = 1;

/** Who calls. */
export interface SignedInUser {
  readonly userId: bigint;
  readonly userUuid: string;
  readonly role: 'user' | 'scanner' | 'operator';
  readonly sessionId: string;
}

/** Tells whose token it is. The identity capability implements it. */
export interface Authenticator {
  /** The user of a token that was verified lately, without waiting; `undefined` if `authenticate` has to look it up. */
  remembered(token: string): SignedInUser | undefined;
  /** Throws `unauthenticated` for a token that is not ours, `session_ended` for an expired or revoked one. */
  authenticate(token: string): Promise<SignedInUser>;
}

interface Endpoint extends Call {
  /** Of work that waits for others than the database; the client waits 10 s. */
  readonly answerWithinMs?: number;
  /**
   * Of a call that ends its own session: who repeats it, by a token whose session has ended and the header of the key.
   * `undefined` for whoever does not; throws as `authenticate` does.
   */
  readonly findRepeating?: (token: string, key: unknown) => Promise<SignedInUser | undefined>;
}

type Parsed<E, Part extends string> =
  E extends Record<Part, infer S> ? (S extends z.ZodType ? z.output<S> : undefined) : undefined;

export interface EndpointInput<E extends Endpoint> {
  readonly body: Parsed<E, 'body'>;
  readonly query: Parsed<E, 'query'>;
  readonly params: Parsed<E, 'params'>;
  /** Who calls; absent where the endpoint is for anyone. */
  readonly user: E['auth'] extends 'anyone' ? undefined : SignedInUser;
  /** The Idempotency-Key, made up where the caller sent none; absent where the endpoint takes none. */
  readonly key: E extends { keyed: true } ? string : undefined;
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
    /** Set by the endpoint's own check, before its body is read. */
    signedInUser: SignedInUser | undefined;
    /** How long that check took. */
    authenticationMs: number;
  }
}

/**
 * What `work` comes to, or `try_again` when the time is up: it may still happen then, so only the same key tells.
 */
export function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new AppError('try_again', { retryAfterSeconds: RETRY_AFTER_SECONDS })),
      Math.max(0, ms),
    );
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  return header?.startsWith('Bearer ') === true ? header.slice('Bearer '.length) : undefined;
}

/** A first look only: a role is remembered with its session, so what staff may do is read again where it matters. */
const roleFault = (auth: Endpoint['auth'], { role }: SignedInUser): AppError | undefined =>
  auth === 'scanner' && role !== 'scanner' ? new AppError('forbidden') : undefined;

/** Who calls. A repeat of what ended its session is let through, to be answered again. */
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

/** Registers `endpoint` of the contract below `/api`. Throws at start if it cannot. */
export function endpoint<E extends Endpoint>(
  app: FastifyInstance,
  { sessions, clock }: EndpointDeps,
  description: E,
  handle: Handler<E>,
): void {
  const { method, path, auth, keyed, body, query, params, answer, summary } = description;
  const { answerWithinMs = ANSWER_WITHIN_MS } = description;
  app.route({
    method,
    url: API_PREFIX + path,
    config: { answersData: true },
    schema: {
      summary,
      ...(auth === 'anyone' ? {} : { security: [{ bearer: [] }] }),
      ...(body === undefined ? {} : { body }),
      ...(query === undefined ? {} : { querystring: query }),
      ...(params === undefined ? {} : { params }),
      response: { 200: answer },
    },
    onRequest(request, _reply, done) {
      if (auth === 'anyone') return done();
      const token = bearerToken(request);
      if (token === undefined) return done(new AppError('unauthenticated'));
      request.signedInUser = sessions.remembered(token);
      if (request.signedInUser !== undefined) return done(roleFault(auth, request.signedInUser));
      const startMs = performance.now();
      const call = { token, key: request.headers['idempotency-key'] };
      withinTime(authenticateCall(sessions, description, call), answerWithinMs).then(
        (user) => {
          request.signedInUser = user;
          request.authenticationMs = performance.now() - startMs;
          done(roleFault(auth, user));
        },
        (error: unknown) => done(error as Error),
      );
    },
    handler(request, reply) {
      const answered = handle({
        body: request.body,
        query: request.query,
        params: request.params,
        user: request.signedInUser,
        key:
          keyed === true
            ? readIdempotencyKey(request.headers['idempotency-key'], clock)
            : undefined,
        request,
        reply,
        // Fastify has validated each part with the schema that types it here.
      } as unknown as EndpointInput<E>);
      return answered instanceof Promise
        ? withinTime(answered, answerWithinMs - request.authenticationMs)
        : answered;
    },
  });
}
