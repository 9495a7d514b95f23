import { ApiError, NetworkError, TimeoutError, UnreadableAnswerError } from '@athos/client/errors';
import { outcomeOfError, type Outcome } from '@athos/client/outcome';
import { ERROR_CODES, ERRORS, type ErrorCode } from '@athos/contract/errors';
import { describe, expect, it } from 'vitest';
import {
  confirmIntent,
  openIntent,
  prepareIntent,
  settleIntent,
  type ConfirmedIntent,
  type Intent,
  type IntentPlace,
} from './intent.ts';

/** Keeps an intent in memory. Contents that differ only in case count as the same. */
function place(stored?: Intent<string>) {
  let current = stored;
  const kept: IntentPlace<string> & { stored: () => Intent<string> | undefined } = {
    read: () => current,
    write: (intent) => void (current = intent),
    isSame: (left, right) => left.toLowerCase() === right.toLowerCase(),
    stored: () => current,
  };
  return kept;
}

const ASKED: Intent<string> = { key: 'k-1', content: 'five', isAsked: true };
const KEPT: Intent<string> = { ...ASKED, isAsked: false };

/**
 * What a response means for a first attempt, and for the retry of one whose outcome is still unknown.
 * - `refused`: nothing happened under this key, in this or any earlier attempt.
 * - `turned_away`: this attempt was not processed, which says nothing about an earlier one.
 * - `open`: the server may have acted.
 */
type Meaning = 'refused' | 'turned_away' | 'open';
type OpenStatus = 'unknown' | 'offline';

const MEANING_OF_CODE: Record<ErrorCode, Meaning> = {
  invalid_request: 'refused',
  malformed_json: 'refused',
  invalid_idempotency_key: 'refused',
  idempotency_key_ahead: 'refused',
  idempotency_key_required: 'refused',
  invalid_cursor: 'refused',
  unauthenticated: 'turned_away',
  session_ended: 'turned_away',
  incorrect_credentials: 'turned_away',
  forbidden: 'turned_away',
  foreign_origin: 'turned_away',
  person_changed: 'turned_away',
  network_not_allowed: 'turned_away',
  enrolment_required: 'turned_away',
  permission_missing: 'turned_away',
  confirmation_required: 'turned_away',
  terms_not_accepted: 'turned_away',
  too_many_movements: 'refused',
  too_many_contacts: 'refused',
  too_many_notes: 'refused',
  too_many_shares: 'refused',
  too_many_pay_codes: 'refused',
  handle_taken: 'refused',
  recovery_ends_sooner: 'refused',
  handle_changed_lately: 'refused',
  ticket_phone_elsewhere: 'refused',
  ticket_ended: 'refused',
  invalid_proof: 'refused',
  own_account: 'turned_away',
  own_request: 'turned_away',
  foreign_organisation: 'turned_away',
  permission_not_held: 'turned_away',
  foreign_staff: 'turned_away',
  staff_revoked: 'turned_away',
  foreign_venue: 'turned_away',
  not_found: 'refused',
  recipient_not_found: 'refused',
  idempotency_key_reused: 'refused',
  rate_expired: 'refused',
  price_changed: 'refused',
  sold_out: 'refused',
  offer_unavailable: 'refused',
  offer_limit_reached: 'refused',
  send_limit_reached: 'refused',
  recovery_limit_reached: 'refused',
  recovery_after_reset: 'refused',
  code_replayed: 'refused',
  reward_not_running: 'refused',
  reward_not_for_account: 'refused',
  terms_changed: 'refused',
  legal_text_exists: 'refused',
  legal_text_published: 'refused',
  legal_texts_full: 'refused',
  file_gone: 'refused',
  campaign_state: 'refused',
  reward_used_up: 'refused',
  reward_claimed: 'refused',
  reward_limit_reached: 'refused',
  holds_full: 'refused',
  send_not_arrived: 'refused',
  send_settled: 'refused',
  sends_open: 'refused',
  payments_open: 'refused',
  value_held: 'refused',
  request_ended: 'refused',
  challenge_ended: 'refused',
  second_factor_required: 'turned_away',
  totp_exists: 'refused',
  already_voted: 'refused',
  balance_negative: 'refused',
  last_factor: 'refused',
  factor_limit_reached: 'refused',
  staff_exists: 'refused',
  staff_state: 'refused',
  wallet_named: 'refused',
  roles_conflict: 'refused',
  venue_exists: 'refused',
  invalid_csv: 'refused',
  merchant_exists: 'refused',
  merchant_in_use: 'refused',
  device_blocked: 'turned_away',
  device_not_enrolled: 'turned_away',
  role_exists: 'refused',
  picture_in_use: 'refused',
  role_in_use: 'refused',
  built_in_role: 'refused',
  invalid_passkey: 'refused',
  category_in_use: 'refused',
  category_place: 'refused',
  catalogue_full: 'refused',
  offer_state: 'refused',
  stock_below_sold: 'refused',
  last_owner: 'refused',
  not_refundable: 'refused',
  not_reversible: 'refused',
  state_changed: 'refused',
  request_timeout: 'open',
  version_conflict: 'refused',
  body_too_large: 'refused',
  unsupported_media_type: 'refused',
  expectation_failed: 'refused',
  incorrect_password: 'refused',
  weak_password: 'refused',
  invalid_code: 'refused',
  invalid_reward_code: 'refused',
  insufficient_balance: 'refused',
  recipient_is_sender: 'refused',
  stopped: 'refused',
  rate_source_elsewhere: 'refused',
  rate_schedule_full: 'refused',
  rate_too_soon: 'refused',
  account_restricted: 'refused',
  approval_required: 'refused',
  recipient_restricted: 'refused',
  amount_below_minimum: 'refused',
  amount_above_maximum: 'refused',
  price_mismatch: 'refused',
  tier_too_low: 'refused',
  tip_not_whole: 'refused',
  invalid_qr_payload: 'refused',
  unreadable_code: 'refused',
  wrong_code_kind: 'refused',
  invalid_signature: 'refused',
  code_expired: 'refused',
  code_from_future: 'refused',
  venue_required: 'refused',
  qr_time_out_of_range: 'refused',
  version_required: 'refused',
  too_many_attempts: 'turned_away',
  too_many_requests: 'turned_away',
  buying_paused: 'turned_away',
  headers_too_large: 'refused',
  movement_changed: 'open',
  internal_error: 'open',
  rate_unavailable: 'turned_away',
  provider_unavailable: 'turned_away',
  try_again: 'open',
  too_slow: 'open',
  overloaded: 'turned_away',
};

function answer(code: ErrorCode): ApiError {
  const { status, title } = ERRORS[code];
  return new ApiError(status, '', { type: '', title, status, code, detail: '', request_id: 'r' });
}
const withoutCode = (status: number): ApiError => new ApiError(status, '', undefined);

type Row = [name: string, error: unknown, meaning: Meaning, open: OpenStatus];

const TABLE: readonly Row[] = [
  ...ERROR_CODES.map((code): Row => [code, answer(code), MEANING_OF_CODE[code], 'unknown']),
  ['a proxy’s 403', withoutCode(403), 'turned_away', 'unknown'],
  ['a proxy’s 404', withoutCode(404), 'turned_away', 'unknown'],
  ['a proxy’s 408', withoutCode(408), 'open', 'unknown'],
  ['a proxy’s 413', withoutCode(413), 'turned_away', 'unknown'],
  ['a proxy’s 425', withoutCode(425), 'turned_away', 'unknown'],
  ['a proxy’s 429', withoutCode(429), 'turned_away', 'unknown'],
  ['a proxy’s 500', withoutCode(500), 'open', 'unknown'],
  ['a proxy’s 502', withoutCode(502), 'open', 'unknown'],
  ['a proxy’s 503', withoutCode(503), 'open', 'unknown'],
  ['a proxy’s 504', withoutCode(504), 'open', 'unknown'],
  ['a lost connection', new NetworkError(), 'open', 'offline'],
  ['a timeout', new TimeoutError(), 'open', 'unknown'],
  ['an empty answer', new UnreadableAnswerError(''), 'open', 'unknown'],
  ['an answer that is not JSON', new UnreadableAnswerError('<html>'), 'open', 'unknown'],
  ['a fault of this program', new TypeError('x is undefined'), 'open', 'unknown'],
];

describe('the outcome of a request', () => {
  it.each(TABLE)(
    '[D-038] [D-170] keeps the key after %s to a first attempt, and unlocks the content only if nothing happened',
    (_name, error, meaning, open) => {
      const kept = place(ASKED);
      const outcome = outcomeOfError(error, false);
      settleIntent(kept, ASKED.key, outcome.status);
      expect(outcome.status).toBe(meaning === 'open' ? open : 'refused');
      expect(kept.stored()).toEqual(meaning === 'open' ? ASKED : KEPT);
    },
  );

  it.each(TABLE)(
    '[D-038] after %s to a retry, unlocks the content only if no attempt can have moved value',
    (_name, error, meaning, open) => {
      const kept = place(ASKED);
      const outcome = outcomeOfError(error, true);
      settleIntent(kept, ASKED.key, outcome.status);
      expect(outcome.status).toBe(meaning === 'refused' ? 'refused' : open);
      expect(kept.stored()).toEqual(meaning === 'refused' ? KEPT : ASKED);
    },
  );

  it('[D-038] ends the intent on success, so the next one gets a new key', () => {
    const kept = place(ASKED);
    settleIntent(kept, ASKED.key, 'done');
    expect(kept.stored()).toBeUndefined();
    expect(confirmIntent(kept, 'five').key).not.toBe(ASKED.key);
  });

  it.each<[string, Intent<string> | undefined]>([
    ['has settled it', undefined],
    ['has gone on to another', { ...ASKED, key: 'k-2' }],
  ])('changes nothing if another tab %s', (_name, stored) => {
    const kept = place(stored);
    settleIntent(kept, ASKED.key, 'done');
    expect(kept.stored()).toBe(stored);
  });
});

describe('confirming', () => {
  it('[D-038] creates a version 7 key and stores it with the content before sending anything', () => {
    const kept = place();
    const { key, isRepeat } = confirmIntent(kept, 'five');
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    expect(isRepeat).toBe(false);
    expect(kept.stored()).toEqual({ key, content: 'five', isAsked: true });
  });

  it('[D-038] keeps the key for the same content after a refusal, and creates a new one for other content', () => {
    expect(confirmIntent(place(KEPT), 'FIVE')).toEqual({
      key: KEPT.key,
      content: 'FIVE',
      isRepeat: false,
    });
    expect(confirmIntent(place(KEPT), 'six').key).not.toBe(KEPT.key);
  });

  it('[D-038] retries an unknown outcome before anything else', () => {
    const kept = place(ASKED);
    expect(confirmIntent(kept, 'six')).toEqual({ key: 'k-1', content: 'five', isRepeat: true });
    expect(kept.stored()).toEqual(ASKED);
  });
});

describe('preparing', () => {
  it('[D-038] creates the key without sending, and reuses it only for the same content', () => {
    const kept = place();
    const { key, isRepeat } = prepareIntent(kept, 'five');
    expect(isRepeat).toBe(false);
    expect(kept.stored()).toEqual({ key, content: 'five', isAsked: false });
    expect(prepareIntent(kept, 'FIVE')).toEqual({ key, content: 'FIVE', isRepeat: true });
    expect(prepareIntent(kept, 'six')).toMatchObject({ content: 'six', isRepeat: false });
  });

  it('[D-038] returns an unknown outcome before anything else', () => {
    const repeat = { key: 'k-1', content: 'five', isRepeat: true };
    expect(prepareIntent(place(ASKED), 'six')).toEqual(repeat);
  });
});

describe('a store', () => {
  const answers = (outcome: Outcome<number>) => () => Promise.resolve(outcome);

  it('goes from idle through asking to the outcome', async () => {
    const store = openIntent<string, number>(place());
    const statuses: string[] = [];
    store.subscribe(() => statuses.push(store.get().status));
    await store.ask('five', answers({ status: 'offline' }));
    await store.ask('five', answers({ status: 'done', data: 7 }));
    expect([...new Set(statuses)]).toEqual(['asking', 'unknown', 'done']);
    expect(store.get()).toEqual({ status: 'done', content: 'five', data: 7 });
    store.reset();
    expect(store.get()).toEqual({ status: 'idle' });
  });

  it('sends one request at a time', async () => {
    const store = openIntent<string, number>(place());
    const asked: ConfirmedIntent<string>[] = [];
    const call = (intent: ConfirmedIntent<string>): Promise<Outcome<number>> => {
      asked.push(intent);
      return Promise.resolve({ status: 'done', data: 7 });
    };
    await Promise.all([store.ask('five', call), store.ask('five', call)]);
    expect(asked).toHaveLength(1);
  });

  it('stays unknown until the outcome is known, even after a reset', async () => {
    const kept = place();
    const store = openIntent<string, number>(kept);
    await store.ask('five', answers({ status: 'unknown', code: undefined }));
    store.reset();
    store.follow();
    expect(store.get()).toEqual({ status: 'unknown', content: 'five' });
    // Another tab received the outcome.
    kept.write(undefined);
    store.follow();
    expect(store.get()).toEqual({ status: 'idle' });
  });

  it('resumes an intent that an earlier page left without an outcome', () => {
    const store = openIntent<string, number>(place(ASKED));
    store.follow();
    expect(store.get()).toEqual({ status: 'unknown', content: 'five' });
  });

  it('is idle after a lost response if another tab has received the outcome', async () => {
    const kept = place();
    const store = openIntent<string, number>(kept);
    const state = await store.ask('five', (intent) => {
      settleIntent(kept, intent.key, 'done');
      return Promise.resolve({ status: 'offline' });
    });
    expect(state).toEqual({ status: 'idle' });
  });
});
