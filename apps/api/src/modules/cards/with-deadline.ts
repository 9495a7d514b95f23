import { AppError } from '../../platform/errors.ts';

/**
 * The result of `work`, or `provider_unavailable` after `withinMs`. The work itself goes on: what it was about to store
 * is found by the next request.
 */
export async function withDeadline<T>(work: Promise<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new AppError('provider_unavailable', { retryAfterSeconds: 2 })),
      withinMs,
    );
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
