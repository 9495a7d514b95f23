import { createHmac } from 'node:crypto';
import type { Sandbox } from '../sandbox.ts';
import { ApiError, invalidRequest } from './errors.ts';
import type { Form, FormValue } from './form.ts';
import type { Answer } from './route.ts';

const keyLengthMax = 255;
const keptMs = 25 * 3_600_000; // the provider promises at least 24 hours

export interface SavedAnswer extends Answer {
  readonly requestId: string;
}

/** Reads the header of a POST. Throws ApiError 400 above 255 characters. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  const key = typeof header === 'string' ? header : (header?.[0] ?? '');
  if (key.length > keyLengthMax) {
    throw invalidRequest('Idempotency keys have at most 255 characters.', 'Idempotency-Key');
  }
  return key === '' ? null : key;
}

/** A salted hash of endpoint and parameters in any order, so that no card data is stored. */
export function fingerprintRequest(sandbox: Sandbox, endpoint: string, form: Form): string {
  const text = `${endpoint}\n${canonical(form)}`;
  return createHmac('sha256', sandbox.store.salt).update(text).digest('hex');
}

function canonical(value: FormValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}

/** The response stored under a key. Throws ApiError 400 if the key was used for another request. */
export function findSavedAnswer(
  sandbox: Sandbox,
  key: string,
  fingerprint: string,
): SavedAnswer | undefined {
  const row = sandbox.store.db
    .prepare('select * from idempotency_keys where key = ? and created_ms > ?')
    .get(key, sandbox.clock.nowMs() - keptMs);
  if (row === undefined) return undefined;
  if (row['fingerprint'] !== fingerprint) {
    throw new ApiError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }
  return {
    status: Number(row['status']),
    body: JSON.parse(String(row['body'])),
    requestId: String(row['request_id']),
  };
}

/** Stores a response in the transaction that created the object, and deletes expired keys. */
export function saveAnswer(
  sandbox: Sandbox,
  key: string,
  fingerprint: string,
  answer: SavedAnswer,
): void {
  const nowMs = sandbox.clock.nowMs();
  const { db } = sandbox.store;
  db.prepare('delete from idempotency_keys where created_ms <= ?').run(nowMs - keptMs);
  db.prepare(
    `insert into idempotency_keys (key, fingerprint, status, body, request_id, created_ms)
     values (?, ?, ?, ?, ?, ?)`,
  ).run(key, fingerprint, answer.status, JSON.stringify(answer.body), answer.requestId, nowMs);
}

/** 409 while the first request with this key is still running. */
export function keyInUse(key: string): ApiError {
  return new ApiError(
    409,
    {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    },
    { shouldRetry: true },
  );
}

/** 429 while another request works on the same intent. */
export function lockTimeout(): ApiError {
  return new ApiError(429, {
    type: 'invalid_request_error',
    code: 'lock_timeout',
    message:
      'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request.',
  });
}
