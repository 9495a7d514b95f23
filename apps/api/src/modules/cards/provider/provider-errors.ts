/** Failures of the card provider, as the SDK throws them and as our callers see them. */
import { AppError } from '../../../platform/errors.ts';
import { withinTime } from '../../../platform/within-time.ts';

const RETRY_AFTER_SECONDS = 2;

/** The parts of the SDK's errors that we read. */
interface SdkError extends Error {
  readonly type?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly requestId?: string;
}

/** Checks a field instead of the class, because the class is loaded only with the SDK. */
const isSdkError = (error: unknown): error is SdkError =>
  error instanceof Error && 'rawType' in error;

export const codeOf = (error: unknown): string | undefined =>
  isSdkError(error) ? error.code : undefined;

/** Keeps only the message: the SDK's errors contain the whole response with its client secret, and causes are logged. */
function withoutContent(error: unknown): Error {
  if (!isSdkError(error)) {
    return new Error(error instanceof Error ? error.message : 'not an error');
  }
  const { type, code, statusCode, requestId, message } = error;
  return new Error([type, code, statusCode, requestId, message].filter(Boolean).join(', '));
}

/** The provider does not know the intent: we use another account now, or the account's test data was deleted. */
export class IntentNotFound extends AppError {}

/** A final refusal by the provider. `message` may be shown to staff. */
export interface ProviderRefusal {
  readonly code: string;
  readonly message: string;
}

/** 400: the request or the state of the object forbids it. 402: declined. 404: no such object. */
const REFUSED_STATUSES: readonly (number | undefined)[] = [400, 402, 404];

/** The refusal in an error; `undefined` if the provider's answer is not certain, or the request was at fault. */
export function refusalOf(error: unknown): ProviderRefusal | undefined {
  if (!isSdkError(error) || !REFUSED_STATUSES.includes(error.statusCode)) return undefined;
  // The key was used for a different request.
  if (error.type === 'StripeIdempotencyError') return undefined;
  return { code: error.code ?? 'refused', message: error.message };
}

/** The error for the user, who has to try again later whether the provider refused or failed. */
export function unavailable(error: unknown): AppError {
  const options = { cause: withoutContent(error), retryAfterSeconds: RETRY_AFTER_SECONDS };
  // Checks the code instead of the class, because the SDK uses the same class for a 409 as for a 500.
  switch (codeOf(error)) {
    case 'idempotency_key_in_use':
      return new AppError('try_again', options);
    case 'resource_missing':
      return new IntentNotFound('provider_unavailable', options);
    default:
      return new AppError('provider_unavailable', options);
  }
}

/**
 * Returns the result of `work`, or throws `provider_unavailable` after `withinMs`. The work continues, and the next request finds its
 * stored result.
 */
export const withDeadline = <T>(work: Promise<T>, withinMs: number): Promise<T> =>
  withinTime(
    work,
    withinMs,
    () => new AppError('provider_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  );
