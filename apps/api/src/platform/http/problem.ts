/** The one handler that turns every error into an RFC 9457 problem. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { brand } from '@athos/brand/brand';
import { API_PREFIX } from '@athos/contract/call';
import { CONSOLE_PREFIX } from '@athos/contract/console/console-call';
import { ERRORS, type ErrorCode } from '@athos/contract/errors';
import type { Problem } from '@athos/contract/problem';
import { DISK_FULL, isRetryableDatabaseError } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { traceIdOf } from './trace-id.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
const RETRY_AFTER_SECONDS = 1;

/** Our codes for errors of Fastify itself, by its error code. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  // The path parameter is longer than any of ours.
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

function validationErrors(error: FastifyError): NonNullable<Problem['errors']> | undefined {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined;
  return error.validation.map(({ instancePath, message }) => ({
    pointer: instancePath,
    message: message ?? 'is not valid',
  }));
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && 'reason' in error && error.name === 'LedgerUnavailableError') {
    const code = error.reason === 'overloaded' ? 'overloaded' : 'try_again';
    return new AppError(code, { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  if (isRetryableDatabaseError(error)) {
    return new AppError('try_again', { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  const fastifyCode = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = FASTIFY_CODES[fastifyCode];
  if (known !== undefined) return new AppError(known, { cause: error });
  // Fastify's other 4xx errors concern the syntax of the request; anything else is our fault.
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500;
  return new AppError(status === 400 ? 'invalid_request' : 'internal_error', { cause: error });
}

export function problemOf(error: unknown, requestId: string): Problem {
  const validation = error instanceof Error ? validationErrors(error as FastifyError) : undefined;
  const appError = validation === undefined ? asAppError(error) : new AppError('invalid_request');
  const { code, options } = appError;
  return {
    type: `urn:${brand.productSlug}:problem:${code}`,
    title: ERRORS[code].title,
    status: ERRORS[code].status,
    code,
    detail: options.detail ?? ERRORS[code].title,
    request_id: requestId,
    ...(validation === undefined ? {} : { errors: validation }),
    ...(options.retryAfterSeconds === undefined
      ? {}
      : { retry_after_seconds: options.retryAfterSeconds }),
    ...options.extra,
  };
}

/** The alarm for faults that need a person at once. The database does not fail over when its disk is full. */
function alarmOf({ code }: Problem, error: unknown): { readonly alarm?: string } {
  if (code === 'internal_error') return { alarm: 'internal_error' };
  if (code === 'movement_changed') return { alarm: 'movement_changed' };
  return isDiskFull(error) ? { alarm: 'database_disk_full' } : {};
}

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === DISK_FULL) || isDiskFull(error.cause));

/** The stack of such an error is that of a timer. In an outage there are hundreds a second, and logging it delays all others. */
const isOutOfTime = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'try_again' && error.cause === undefined;

/** Also used for requests that Fastify refuses before it has found a route. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error, request.id);
  const isFailure = problem.status >= 500;
  const trace = isFailure ? { traceId: traceIdOf(request) } : {};
  const facts = { requestId: request.id, ...trace, problem: problem.code };
  // Under overload, thousands are refused: logging a stack for each would cost more than serving them.
  if (isFailure && problem.code !== 'overloaded') {
    const alarm = alarmOf(problem, error);
    const err = isOutOfTime(error) ? {} : { err: error };
    request.log.error({ ...facts, ...alarm, ...err }, 'request failed');
  } else request.log.info({ ...facts, status: problem.status }, 'request refused');
  if (problem.retry_after_seconds !== undefined) {
    reply.header('retry-after', String(problem.retry_after_seconds));
  }
  // The console takes no bearer token.
  const isConsole = request.url.startsWith(`${API_PREFIX}${CONSOLE_PREFIX}/`);
  if (problem.status === 401 && !isConsole) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(problem.status)
    .type(PROBLEM_TYPE)
    .header('cache-control', 'no-store')
    .header('x-request-id', request.id)
    .send(JSON.stringify(problem));
}

export function registerProblems(app: FastifyInstance): void {
  app.setErrorHandler(sendProblem);
}
