/** Every error that the API can return: a stable code with its HTTP status and the title of its RFC 9457 problem. */
interface ErrorKind {
  readonly status: number;
  /** A short sentence for users that says what happened; `detail` says what to do. */
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
  staff_revoked: { status: 403, title: 'This account is no longer staff of any venue.' },
  foreign_venue: { status: 403, title: 'This account is not staff of that venue.' },
  not_found: { status: 404, title: 'There is nothing at this address.' },
  recipient_not_found: { status: 404, title: 'No account has this address.' },
  idempotency_key_reused: {
    status: 409,
    title: 'This Idempotency-Key belongs to another request.',
  },
  rate_expired: { status: 409, title: 'The exchange rate is no longer in force.' },
  price_changed: { status: 409, title: 'The price has changed.' },
  sold_out: { status: 409, title: 'There are not enough left of this offer.' },
  offer_unavailable: { status: 409, title: 'This offer is not on sale.' },
  offer_limit_reached: { status: 409, title: 'One account may not buy more of this offer.' },
  send_limit_reached: {
    status: 409,
    title: 'This account has sent as often as it may within 24 hours.',
  },
  code_replayed: { status: 409, title: 'This code was already scanned somewhere else.' },
  reward_not_running: { status: 409, title: 'This reward has not begun or is over.' },
  reward_used_up: { status: 409, title: 'This reward code is used up.' },
  reward_claimed: { status: 409, title: 'This account has redeemed this code already.' },
  reward_limit_reached: {
    status: 409,
    title: 'This account has redeemed as much of this reward as it may.',
  },
  payments_open: { status: 409, title: 'A card payment of this account is not finished yet.' },
  balance_negative: { status: 409, title: 'The balance of this account is below zero.' },
  request_timeout: { status: 408, title: 'The request did not arrive in time.' },
  body_too_large: { status: 413, title: 'The request body is too large.' },
  unsupported_media_type: { status: 415, title: 'Send the body as application/json.' },
  expectation_failed: { status: 417, title: 'The Expect header asks for something unknown.' },
  incorrect_password: { status: 422, title: 'Incorrect password.' },
  weak_password: { status: 422, title: 'The password does not meet the strength requirements.' },
  invalid_code: { status: 422, title: 'This code is not valid, has expired or was used already.' },
  invalid_reward_code: { status: 422, title: 'This is not a reward code.' },
  insufficient_balance: { status: 422, title: 'The balance does not cover this amount.' },
  recipient_is_sender: { status: 422, title: 'Sender and recipient are the same account.' },
  account_restricted: { status: 422, title: 'This account is restricted.' },
  recipient_restricted: { status: 422, title: 'This recipient cannot receive at the moment.' },
  amount_below_minimum: { status: 422, title: 'The amount is below the minimum.' },
  amount_above_maximum: { status: 422, title: 'The amount is above the maximum.' },
  price_mismatch: { status: 422, title: 'The amounts of this order do not agree.' },
  tier_too_low: { status: 422, title: 'This offer is for a higher tier.' },
  tip_not_whole: { status: 422, title: 'A tip has at most two decimals.' },
  unreadable_code: { status: 422, title: 'This is not a code of this programme.' },
  wrong_code_kind: { status: 422, title: 'There is nothing to redeem with this kind of code.' },
  invalid_signature: { status: 422, title: 'This code was not issued by this programme.' },
  code_expired: { status: 422, title: 'This code has expired.' },
  code_from_future: { status: 422, title: 'This code is from a later time than now.' },
  venue_required: { status: 422, title: 'Choose the venue first.' },
  invalid_qr_payload: { status: 422, title: 'This QR payload cannot be signed.' },
  qr_time_out_of_range: {
    status: 422,
    title: 'The time of this QR payload is more than 30 s off.',
  },
  too_many_attempts: { status: 429, title: 'Too many attempts. Wait a moment.' },
  too_many_requests: { status: 429, title: 'Too many requests. Wait a moment.' },
  buying_paused: { status: 429, title: 'Buying is paused after several declined cards.' },
  headers_too_large: { status: 431, title: 'The request headers are too large.' },
  internal_error: { status: 500, title: 'Something went wrong on our side.' },
  rate_unavailable: { status: 503, title: 'No current exchange rate is available.' },
  provider_unavailable: { status: 503, title: 'The card provider does not answer.' },
  try_again: { status: 503, title: 'The outcome is not known yet. Ask again with the same key.' },
  overloaded: { status: 503, title: 'The service is busy. Ask again in a moment.' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
