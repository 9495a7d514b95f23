/**
 * What became of a call that moves value. Only this file says which answers mean that nothing happened, and which leave
 * that open. Such a call carries an idempotency key, and the server acts on a key once (D-036, D-170): while the outcome is
 * open, the same request with the same key is the only safe thing to send.
 */
import type { ErrorCode } from '@athos/contract/errors';
import type { Problem } from '@athos/contract/shared/problem';
import { ApiError, NetworkError } from './errors.ts';
import { pause } from './pause.ts';

export type Outcome<Data> =
  /** The server acted, now or at an earlier attempt with the same key. */
  | { readonly status: 'done'; readonly data: Data }
  /** Nothing happened under this key. */
  | {
      readonly status: 'refused';
      readonly code: ErrorCode | undefined;
      readonly problem: Problem | undefined;
    }
  /** The server may have acted. `code`: what it said, where it said anything. */
  | { readonly status: 'unknown'; readonly code: ErrorCode | undefined }
  /** No connection. `fetch` does not tell an unsent request from a lost answer, so the server may have acted. */
  | { readonly status: 'offline' };

/** Pause before the repeat: a lost connection is rarely back at once. */
const REPEAT_PAUSE_MS = 1000;

/** Codes of 5xx answers with which the server says that it has not acted. Any other 5xx may follow the act. */
const NOT_ACTED_CODES: readonly (ErrorCode | undefined)[] = [
  'overloaded',
  'provider_unavailable',
  'rate_unavailable',
];

/** Given before the server, or a proxy in front of it, looks at the request. */
const TURNED_AWAY_STATUSES: readonly number[] = [401, 403, 425, 429];

/** Whether this attempt may have moved value although it failed. */
function mayHaveActed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  // 408 is also what a proxy answers when the server behind it was too slow.
  if (error.status === 408) return true;
  return error.status >= 500 && !NOT_ACTED_CODES.includes(error.code);
}

/** Whether the request was turned away unread. Of an earlier attempt with the same key this says nothing. */
const isTurnedAway = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status >= 500 || error.code === undefined || TURNED_AWAY_STATUSES.includes(error.status));

/** What a failed attempt means. `isRepeat`: the same key was sent before, and that outcome was never learnt. */
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

/** A call with a key waits for its answer: leaving or reloading the page now would lose it. */
export const isMovingValue = (): boolean => runningCount > 0;

/**
 * Makes a call with a key, and once more with the same key if nobody knows what became of the first (D-182). Throws the
 * error that tells the most about both attempts.
 */
export async function callTwice<Data>(call: () => Promise<Data>): Promise<Data> {
  runningCount += 1;
  try {
    return await call();
  } catch (first) {
    if (!mayHaveActed(first)) throw first;
    await pause(REPEAT_PAUSE_MS);
    return await call().catch((second: unknown) => {
      throw isTurnedAway(second) ? first : second;
    });
  } finally {
    runningCount -= 1;
  }
}

/** Makes a call that moves value. Never rejects. `isRepeat` as in `outcomeOfError`. */
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
