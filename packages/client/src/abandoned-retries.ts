/** Separate from `outcome.ts`, whose code home does not load. */
let count = 0;

/**
 * Called whenever another user signs in or the session ends. A retry would carry the token of that moment and could move
 * the next user's value, so pending retries are dropped and their outcome stays unknown.
 */
export const abandonRetries = (): void => void (count += 1);

/** A retry is abandoned once this has changed since the first attempt. */
export const abandonedCount = (): number => count;
