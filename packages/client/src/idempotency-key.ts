import { uuidv7 } from '@athos/domain/uuid';

/** A fresh version 7 key for one intent of the user. Keep it over repeats and reloads (decisions "API"). */
export const newIdempotencyKey = (): string =>
  uuidv7(Date.now(), (bytes) => crypto.getRandomValues(bytes));
