import { uuidv7 } from '@athos/domain/uuid';

let nowMs = (): number => Date.now();

/** From now on, keys are made by this clock. The server refuses keys that are a day ahead, and a phone's date may be wrong. */
export function makeKeysBy(serverNowMs: () => number): void {
  nowMs = serverNowMs;
}

/** Returns a new version 7 key for one intent of the user. It must be kept for retries and reloads (D-038). */
export const newIdempotencyKey = (): string =>
  uuidv7(nowMs(), (bytes) => crypto.getRandomValues(bytes));
