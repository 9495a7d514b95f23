/** The form of an idempotency key. */
import { isUuid, uuidTimeMs } from '@athos/domain/uuid';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';

/** The clock of an honest client is never further ahead, and keys must stay in the order of their times (docs/ledger.md, "Idempotency"). */
const AHEAD_MAX_MS = 86_400_000;

/** Returns the key in lower case, or throws what is wrong with it. Any UUID is accepted; version 7 contains a time. */
export function requireKey(header: string | string[], clock: Clock): string {
  if (typeof header !== 'string' || !isUuid(header)) {
    throw new AppError('invalid_idempotency_key', {
      detail: 'Send one UUID, the same for every repeat of this request.',
    });
  }
  const timeMs = uuidTimeMs(header);
  if (timeMs !== undefined && timeMs > clock.nowMs() + AHEAD_MAX_MS) {
    throw new AppError('idempotency_key_ahead', {
      detail: 'Set the clock that makes your keys, or send a UUID of version 4.',
    });
  }
  return header.toLowerCase();
}
