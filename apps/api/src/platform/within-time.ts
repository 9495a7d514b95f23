import { AppError } from './errors.ts';

const RETRY_AFTER_SECONDS = 1;

const tryAgain = (): Error => new AppError('try_again', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * Returns the result of `work`, or throws after `ms`: what `late` makes, by default `try_again`. The work may still succeed then; only a
 * retry with the same key can tell.
 */
export function withinTime<T>(
  work: Promise<T>,
  ms: number,
  late: () => Error = tryAgain,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), Math.max(0, ms));
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
