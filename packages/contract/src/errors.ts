/**
 * Every error that the API can answer: a stable code, its HTTP status and the title of its RFC 9457 problem.
 * A code without status and title does not compile.
 */
export const ERROR_CODES = [
  'invalid_request',
  'malformed_json',
  'invalid_idempotency_key',
  'unauthenticated',
  'session_ended',
  'incorrect_credentials',
  'forbidden',
  'not_found',
  'recipient_not_found',
  'idempotency_key_reused',
  'rate_expired',
  'body_too_large',
  'unsupported_media_type',
  'incorrect_password',
  'weak_password',
  'invalid_code',
  'insufficient_balance',
  'recipient_is_sender',
  'account_restricted',
  'amount_below_minimum',
  'amount_above_maximum',
  'price_mismatch',
  'invalid_qr_payload',
  'qr_time_out_of_range',
  'too_many_attempts',
  'too_many_requests',
  'buying_paused',
  'internal_error',
  'rate_unavailable',
  'provider_unavailable',
  'try_again',
  'overloaded',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

interface ErrorKind {
  readonly status: number;
  /** A short sentence for people. Says what happened; `detail` says what to do. */
  readonly title: string;
}

export const ERRORS = {
  invalid_request: { status: 400, title: 'The request does not have the expected shape.' },
  malformed_json: { status: 400, title: 'The request body is not valid JSON.' },
  invalid_idempotency_key: { status: 400, title: 'The Idempotency-Key header is not a UUID.' },
  unauthenticated: { status: 401, title: 'Sign in first.' },
  session_ended: { status: 401, title: 'This session has ended. Sign in again.' },
  incorrect_credentials: { status: 401, title: 'Incorrect credentials.' },
  forbidden: { status: 403, title: 'This account may not do that.' },
  not_found: { status: 404, title: 'There is nothing at this address.' },
  recipient_not_found: { status: 404, title: 'No account has this address.' },
  idempotency_key_reused: {
    status: 409,
    title: 'This Idempotency-Key belongs to another request.',
  },
  rate_expired: { status: 409, title: 'The exchange rate is no longer in force.' },
  body_too_large: { status: 413, title: 'The request body is too large.' },
  unsupported_media_type: { status: 415, title: 'Send the body as application/json.' },
  incorrect_password: { status: 422, title: 'Incorrect password.' },
  weak_password: { status: 422, title: 'The password does not meet the strength requirements.' },
  invalid_code: { status: 422, title: 'This code is not valid, has expired or was used already.' },
  insufficient_balance: { status: 422, title: 'The balance does not cover this amount.' },
  recipient_is_sender: { status: 422, title: 'Sender and recipient are the same account.' },
  account_restricted: { status: 422, title: 'This account is restricted.' },
  amount_below_minimum: { status: 422, title: 'The amount is below the minimum.' },
  amount_above_maximum: { status: 422, title: 'The amount is above the maximum.' },
  price_mismatch: { status: 422, title: 'The amounts of this order do not agree.' },
  invalid_qr_payload: { status: 422, title: 'This QR payload cannot be signed.' },
  qr_time_out_of_range: {
    status: 422,
    title: 'The time of this QR payload is more than 30 s off.',
  },
  too_many_attempts: { status: 429, title: 'Too many attempts. Wait a moment.' },
  too_many_requests: { status: 429, title: 'Too many requests. Wait a moment.' },
  buying_paused: { status: 429, title: 'Buying is paused after several declined cards.' },
  internal_error: { status: 500, title: 'Something went wrong on our side.' },
  rate_unavailable: { status: 503, title: 'No current exchange rate is available.' },
  provider_unavailable: { status: 503, title: 'The card provider does not answer.' },
  try_again: { status: 503, title: 'The outcome is not known yet. Ask again with the same key.' },
  overloaded: { status: 503, title: 'The service is busy. Ask again in a moment.' },
} as const satisfies Record<ErrorCode, ErrorKind>;
