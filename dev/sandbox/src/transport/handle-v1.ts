import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { takeFault } from '../control/controls.ts';
import type { Fault } from '../control/controls.ts';
import { createId } from '../ids.ts';
import { presentPublicIntent } from '../payments/present-intent.ts';
import type { Sandbox } from '../sandbox.ts';
import { authenticate, secretKeyRequired } from './authenticate.ts';
import { ApiError } from './errors.ts';
import { checkExpand, expand } from './expand.ts';
import { parseForm } from './form.ts';
import type { Form } from './form.ts';
import {
  findSavedAnswer,
  fingerprintRequest,
  keyInUse,
  lockTimeout,
  readIdempotencyKey,
  saveAnswer,
} from './idempotency.ts';
import { parseMultipart } from './multipart.ts';
import type { Upload } from './multipart.ts';
import { readList, refuseUnknown } from './params.ts';
import { matchRoute } from './route.ts';
import type { Access, Answer, Call, Route } from './route.ts';

export interface V1Request {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Buffer<ArrayBuffer>;
  readonly headers: IncomingHttpHeaders;
}

/** The response to send, or null to reset the connection. */
export type V1Reply = { status: number; headers: Record<string, string>; body: object } | null;

interface Matched {
  readonly route: Route;
  readonly call: Call;
  readonly expandPaths: readonly string[];
  readonly fault: Fault | undefined;
}

/** Thrown to reset the connection without a response. */
class Dropped extends Error {}

/** Handles `/v1`: checks key, route, parameters and idempotency in this order, then executes the call. */
export function createV1(
  sandbox: Sandbox,
  routes: readonly Route[],
): (request: V1Request) => Promise<V1Reply> {
  const busyKeys = new Set<string>();
  const busyIntents = new Set<string>();

  return async (request) => {
    const headers: Record<string, string> = { 'Request-Id': createId('req_').slice(0, 18) };
    let access: Access = 'publishable';
    try {
      const { form, upload } = await readForm(request);
      access = authenticate(sandbox.settings, request.headers, form);
      const matched = match(sandbox, routes, { request, form, upload, access, headers });
      if (request.method !== 'POST') {
        const answer = await execute(matched, () => answerCall(matched));
        return { status: answer.status, headers, body: answer.body };
      }
      const answer = await executePost(matched, { busyKeys, busyIntents, headers, request });
      return { status: answer.status, headers, body: answer.body };
    } catch (error) {
      if (error instanceof Dropped) return null;
      return { ...presentError(error, { access, headers }), headers };
    }
  };
}

interface Incoming {
  readonly request: V1Request;
  readonly form: Form;
  readonly upload: Upload | null;
  readonly access: Access;
  readonly headers: Record<string, string>;
}

/** The parameters of a request: from the query, an encoded form, or a multipart body. */
async function readForm(request: V1Request): Promise<{ form: Form; upload: Upload | null }> {
  if (request.method !== 'POST') return { form: parseForm(request.query), upload: null };
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\//i.test(type)) return parseMultipart(request.body, type);
  return { form: parseForm(request.body.toString('utf8')), upload: null };
}

function match(sandbox: Sandbox, routes: readonly Route[], incoming: Incoming): Matched {
  const { request, form, upload, access, headers } = incoming;
  const found = matchRoute(routes, request.method, request.path);
  if (found === undefined) {
    throw new ApiError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${request.method}: ${request.path}). Please see https://docs.stripe.com or contact us.`,
    });
  }
  if (access === 'publishable' && !found.route.isPublic) throw secretKeyRequired();
  refuseUnknown(form, { ...found.route.params, key: 'text', _stripe_version: 'text' });
  const expandPaths = access === 'secret' ? readList(form, 'expand') : [];
  const isList = found.route.method === 'GET' && !found.route.path.endsWith(':id');
  checkExpand(expandPaths, answeredKind(found.route), isList);
  const idempotencyKey =
    request.method === 'POST' ? readIdempotencyKey(request.headers['idempotency-key']) : null;
  const version = request.headers['stripe-version'];
  if (typeof version === 'string') headers['Stripe-Version'] = version;
  if (idempotencyKey !== null) headers['Idempotency-Key'] = idempotencyKey;
  const cause = { requestId: headers['Request-Id'] ?? '', idempotencyKey };
  return {
    route: found.route,
    call: { sandbox, access, cause, form, upload, id: found.id },
    expandPaths,
    fault: takeFault(sandbox.controls, request.method, request.path),
  };
}

/** The kind of object a route returns: `payment_intent` for `/v1/payment_intents/:id`. */
function answeredKind(route: Route): string {
  const [, , ...parts] = route.path.split('/');
  const name = parts[0] === 'radar' ? parts.slice(0, 2).join('.') : parts[0];
  return (name ?? '').replace(/s$/, '');
}

function answerCall(matched: Matched): Answer {
  const { route, call, expandPaths } = matched;
  const answer = route.run(call);
  return { status: answer.status, body: expand(call.sandbox, answer.body, expandPaths) };
}

/** Runs one call with its planned `before` and `after` faults. `commit` handles `during` and `torn`, inside the transaction. */
async function execute(matched: Matched, run: () => Answer): Promise<Answer> {
  const { fault, call } = matched;
  if (call.sandbox.controls.latencyMs > 0) await pause(call.sandbox.controls.latencyMs);
  if (fault?.phase === 'before') await suffer(fault);
  const answer = run();
  if (fault?.phase === 'after') await suffer(fault);
  return answer;
}

async function suffer(fault: Fault): Promise<void> {
  if (fault.action === 'drop') throw new Dropped('planned');
  if (fault.action === 'error') throw plannedError(fault);
  await pause(fault.delayMs);
}

function plannedError(fault: Fault): ApiError {
  const isLimit = fault.status === 429;
  return new ApiError(fault.status, {
    type: isLimit ? 'invalid_request_error' : 'api_error',
    message: isLimit ? 'Too many requests.' : 'A planned fault of the sandbox.',
    ...(isLimit ? { code: 'rate_limit' } : {}),
  });
}

interface PostContext {
  readonly busyKeys: Set<string>;
  readonly busyIntents: Set<string>;
  readonly headers: Record<string, string>;
  readonly request: V1Request;
}

async function executePost(matched: Matched, context: PostContext): Promise<Answer> {
  const { call } = matched;
  const { sandbox } = call;
  const key = call.cause.idempotencyKey;
  const fingerprint = fingerprintRequest(sandbox, context.request.path, call.form);
  if (key !== null) {
    if (context.busyKeys.has(key)) throw keyInUse(key);
    const saved = findSavedAnswer(sandbox, key, fingerprint);
    if (saved !== undefined) {
      context.headers['Idempotent-Replayed'] = 'true';
      context.headers['Original-Request'] = saved.requestId;
      if (saved.status >= 500) context.headers['Stripe-Should-Retry'] = 'false';
      // A replay can be lost as well; otherwise no outcome could stay unknown, because the SDK itself repeats a request.
      return execute(matched, () => saved);
    }
  }
  if (call.id !== '' && context.busyIntents.has(call.id)) throw lockTimeout();
  if (key !== null) context.busyKeys.add(key);
  if (call.id !== '') context.busyIntents.add(call.id);
  try {
    return await execute(matched, () => commit(matched, key, fingerprint));
  } finally {
    if (key !== null) context.busyKeys.delete(key);
    context.busyIntents.delete(call.id);
  }
}

/**
 * Stores the objects and the response under the key in one transaction. Refusals by execution are stored, by
 * validation not.
 */
function commit(matched: Matched, key: string | null, fingerprint: string): Answer {
  const { sandbox, cause, access } = matched.call;
  const keep = (answer: Answer): void => {
    if (key !== null) {
      saveAnswer(sandbox, key, fingerprint, { ...answer, requestId: cause.requestId });
    }
  };
  try {
    return sandbox.store.transaction(() => {
      const executed = answerCall(matched);
      if (matched.fault?.phase === 'during') throw duringFault(matched.fault);
      const headers = { 'Request-Id': cause.requestId };
      const answer =
        matched.fault?.phase === 'torn'
          ? presentError(plannedError(matched.fault), { access, headers })
          : executed;
      keep(answer);
      return answer;
    });
  } catch (error) {
    const isRefusedEarly = error instanceof ApiError && !error.isExecuted;
    if (isRefusedEarly || error instanceof Dropped) throw error;
    const headers = { 'Request-Id': cause.requestId };
    const answer = presentError(error, { access, headers });
    sandbox.store.transaction(() => keep(answer));
    return answer;
  }
}

function duringFault(fault: Fault): Error {
  if (fault.action === 'drop') return new Dropped('planned');
  const { status, body } = plannedError(fault);
  return new ApiError(status, body, { isExecuted: true });
}

/** Builds the error response. An unexpected error becomes a 500 without its message; its stack goes to stderr. */
function presentError(
  error: unknown,
  context: { access: Access; headers: Record<string, string> },
): Answer {
  const known = error instanceof ApiError ? error : unexpected(error);
  if (known.shouldRetry !== undefined) {
    context.headers['Stripe-Should-Retry'] = String(known.shouldRetry);
  }
  const { payment_intent, ...rest } = known.body;
  const shown =
    payment_intent !== undefined && context.access === 'publishable'
      ? presentPublicIntent(payment_intent as Parameters<typeof presentPublicIntent>[0])
      : payment_intent;
  const log = `https://dashboard.stripe.com/test/logs/${context.headers['Request-Id']}`;
  return {
    status: known.status,
    body: {
      error: {
        ...rest,
        ...(shown === undefined ? {} : { payment_intent: shown }),
        request_log_url: log,
      },
    },
  };
}

function unexpected(error: unknown): ApiError {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return new ApiError(500, { type: 'api_error', message: 'An unknown error occurred' });
}
