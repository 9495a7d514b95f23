import { uuidv7 } from '@athos/domain/uuid';

/** Returns a new version 7 key for one intent of the user. It must be kept for retries and reloads (D-038). */
export const newIdempotencyKey = (): string =>
  uuidv7(Date.now(), (bytes) => crypto.getRandomValues(bytes));
