import { uuidv7 } from '@athos/domain/uuid';

/** A fresh version 7 key for one intent of the user, to be kept over repeats and reloads (D-038). */
export const newIdempotencyKey = (): string =>
  uuidv7(Date.now(), (bytes) => crypto.getRandomValues(bytes));
