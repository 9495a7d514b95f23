import { randomFillSync } from 'node:crypto';
import { isUuid, uuidv7 } from '@athos/domain/uuid';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';

/** Returns the caller's key (D-171), or a random one if none was sent, so that every such request is a new one. */
export function readIdempotencyKey(header: string | string[] | undefined, clock: Clock): string {
  if (header === undefined) return uuidv7(clock.nowMs(), (bytes) => randomFillSync(bytes));
  if (typeof header === 'string' && isUuid(header)) return header.toLowerCase();
  throw new AppError('invalid_idempotency_key', {
    detail: 'Send one UUID, the same for every repeat of this request.',
  });
}
