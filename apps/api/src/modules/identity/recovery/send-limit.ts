/** Limits the sends of an account for some days after its second step was removed (decision 0061). */
import { usdCents, type UsdCents } from '@athos/domain/money';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { lockSendLimit, sumLimitedSends, upsertLimitedSend } from './send-limits.sql.ts';

const DAY_MS = 24 * 60 * 60_000;
const PER_DAY: UsdCents = usdCents(5_000n);

interface LimitedSend {
  readonly userId: bigint;
  readonly key: string;
  /** The value of the send at the current rate. */
  readonly worth: UsdCents;
}

/**
 * Counts a send against the limit of 24 hours, before it is made. A send that is refused afterwards stays counted: taking it back would
 * let a second request under the same key pass uncounted. The caller must not pass a key that was already used. Throws
 * `recovery_limit_reached`.
 */
export async function takeLimitedSend(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { userId, key, worth }: LimitedSend,
): Promise<void> {
  const now = dateOf(clock);
  await db.transaction().execute(async (tx) => {
    const until = await lockSendLimit(tx, userId);
    if (until === undefined || until <= now) return;
    await upsertLimitedSend(tx, userId, { key, usdCents: worth, at: now });
    const sum = await sumLimitedSends(tx, userId, new Date(now.getTime() - DAY_MS));
    if (sum > PER_DAY) {
      throw new AppError('recovery_limit_reached', {
        detail: `Nothing was sent. The second step of this account was removed, so until ${until.toISOString()} it sends at most 50 USD a day.`,
        retryAfterSeconds: DAY_MS / 1000,
      });
    }
  });
}
