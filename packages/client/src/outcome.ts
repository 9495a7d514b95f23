/**
 * The outcome of a call that moves value. Only this file decides which responses mean that nothing happened and which
 * leave the outcome unknown. Such a call carries an idempotency key, and the server acts once per key (D-036, D-170):
 * while the outcome is unknown, only the same request with the same key is safe to send.
 */
import type { ErrorCode } from '@athos/contract/errors';
import type { Problem } from '@athos/contract/problem';
import { abandonedCount } from './abandoned-retries.ts';
import { ApiError, NetworkError } from './errors.ts';
import { pause } from './pause.ts';

export type Outcome<Data> =
  /** The server acted, now or in an earlier attempt with the same key. */
  | { readonly status: 'done'; readonly data: Data }
  /** Nothing happened under this key. */
  | {
      readonly status: 'refused';
      readonly code: ErrorCode | undefined;
      readonly problem: Problem | undefined;
    }
  /** The server may have acted. `code`: the server's error code, if it sent one. */
  | { readonly status: 'unknown'; readonly code: ErrorCode | undefined }
  /**
   * No connection. `fetch` does not distinguish an unsent request from a lost response, so the server may have acted.
   */
  | { readonly status: 'offline' };

/** Pause before the retry. A lost connection rarely comes back at once. */
const REPEAT_PAUSE_MS = 1000;

/** Codes of 5xx responses that mean the server has not acted. After any other 5xx it may have. */
const NOT_ACTED_CODES: readonly (ErrorCode | undefined)[] = [
  'overloaded',
  'provider_unavailable',
  'rate_unavailable',
];

/** Statuses sent before the server, or a proxy in front of it, processes the request. */
const TURNED_AWAY_STATUSES: readonly number[] = [401, 403, 425, 429];

/** Whether this attempt may have moved value although it failed. */
function mayHaveActed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  // A proxy also sends 408 when the server behind it was too slow.
  if (error.status === 408) return true;
  return error.status >= 500 && !NOT_ACTED_CODES.includes(error.code);
}

/**
 * Whether the request was rejected before it was processed. That says nothing about an earlier attempt with the same
 * key.
 */
const isTurnedAway = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status >= 500 || error.code === undefined || TURNED_AWAY_STATUSES.includes(error.status));

/** What a failed attempt means. `isRepeat`: the same key was sent before, and that outcome is still unknown. */
export function outcomeOfError(
  error: unknown,
  isRepeat: boolean,
): Exclude<Outcome<never>, { status: 'done' }> {
  if (error instanceof NetworkError) return { status: 'offline' };
  const { code, problem } = error instanceof ApiError ? error : {};
  const isOpen = mayHaveActed(error) || (isRepeat && isTurnedAway(error));
  return isOpen ? { status: 'unknown', code } : { status: 'refused', code, problem };
}

let runningCount = 0;

/** True while a call with a key waits for its response, which leaving or reloading the page would lose. */
export const isMovingValue = (): boolean => runningCount > 0;

/**
 * Makes a call with a key, and retries it once with the same key if the outcome is unknown (D-182). Throws the error
 * that says the most about both attempts.
 */
export async function callTwice<Data>(call: () => Promise<Data>): Promise<Data> {
  const startCount = abandonedCount();
  runningCount += 1;
  try {
    return await call();
  } catch (first) {
    if (!mayHaveActed(first)) throw first;
    await pause(REPEAT_PAUSE_MS);
    if (abandonedCount() !== startCount) throw first;
    return await call().catch((second: unknown) => {
      throw isTurnedAway(second) ? first : second;
    });
  } finally {
    runningCount -= 1;
  }
}

/** Makes a call that moves value. Never rejects. `isRepeat` is that of `outcomeOfError`. */
export async function moveValue<Data>(
  call: () => Promise<Data>,
  isRepeat: boolean,
): Promise<Outcome<Data>> {
  try {
    return { status: 'done', data: await callTwice(call) };
  } catch (error) {
    return outcomeOfError(error, isRepeat);
  }
}
