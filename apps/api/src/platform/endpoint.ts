/**
 * How a module states a route: an endpoint of the contract and a function of its input. The endpoint brings method, path,
 * schemas and who may call it, so that no route can be registered without saying so.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { API_PREFIX, type Route } from '@athos/contract/routes';
import type { Clock } from './clock.ts';
import { AppError } from './errors.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import type { Sessions, SignedInUser } from './session.ts';

interface Endpoint extends Route {
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly params?: z.ZodType;
  readonly answer: z.ZodType;
}

type Parsed<E, Part extends string> =
  E extends Record<Part, infer S> ? (S extends z.ZodType ? z.output<S> : undefined) : undefined;

export interface EndpointInput<E extends Endpoint> {
  readonly body: Parsed<E, 'body'>;
  readonly query: Parsed<E, 'query'>;
  readonly params: Parsed<E, 'params'>;
  /** Who calls; absent where the endpoint is for anyone. */
  readonly user: E['auth'] extends 'user' ? SignedInUser : undefined;
  /** The Idempotency-Key, made up where the caller sent none; absent where the endpoint takes none. */
  readonly key: E extends { keyed: true } ? string : undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface EndpointDeps {
  readonly sessions: Sessions;
  readonly clock: Clock;
}

type Handler<E extends Endpoint> = (
  input: EndpointInput<E>,
) => Promise<z.input<E['answer']> | FastifyReply> | z.input<E['answer']> | FastifyReply;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the endpoint's own check, before its body is read. */
    signedInUser: SignedInUser | undefined;
  }
}

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  return header?.startsWith('Bearer ') === true ? header.slice('Bearer '.length) : undefined;
}

/** Registers `endpoint` of the contract below `/api`. Throws at start if it cannot. */
export function endpoint<E extends Endpoint>(
  app: FastifyInstance,
  { sessions, clock }: EndpointDeps,
  description: E,
  handle: Handler<E>,
): void {
  const { method, path, auth, keyed, body, query, params, answer, summary } = description;
  app.route({
    method,
    url: API_PREFIX + path,
    schema: {
      summary,
      ...(auth === 'user' ? { security: [{ bearer: [] }] } : {}),
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
      if (request.signedInUser !== undefined) return done();
      sessions.authenticate(token).then(
        (user) => {
          request.signedInUser = user;
          done();
        },
        (error: unknown) => done(error as Error),
      );
    },
    handler: (request, reply) =>
      handle({
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
      } as unknown as EndpointInput<E>),
  });
}
