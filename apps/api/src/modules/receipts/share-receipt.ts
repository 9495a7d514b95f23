/** Links with which a customer shows a receipt to somebody without an account: a dispute, an accountant, a friend who waits for an amount. */
import { randomBytes, randomFillSync } from 'node:crypto';
import { uuidv7 } from '@athos/domain/uuid';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { lockUsers } from '../identity/index.ts';
import { sha256 } from './merkle.ts';
import { insertShare, selectShareByToken, selectShares, type Share } from './shares.sql.ts';

interface ShareDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const SHARES_MAX = 20;
/** Nobody finds one of so many by trying. */
const TOKEN_BYTES = 16;
const DAY_MS = 24 * 60 * 60_000;

const hashOf = (token: string): Buffer => sha256(Buffer.from(token, 'base64url'));

/** The token is not kept and cannot be told again. Throws `too_many_shares`. */
export async function shareReceipt(
  { db, clock }: ShareDeps,
  { days, ...shared }: Pick<Share, 'userId' | 'transferId' | 'withNames'> & { days: number },
): Promise<{ readonly share: Share; readonly token: string }> {
  const madeAt = dateOf(clock);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const share = {
    ...shared,
    id: uuidv7(madeAt.getTime(), (bytes) => randomFillSync(bytes)),
    madeAt,
    expiresAt: new Date(madeAt.getTime() + days * DAY_MS),
  };
  await db.transaction().execute(async (tx) => {
    await lockUsers(tx, [share.userId]);
    if ((await selectShares(tx, share.userId, madeAt)).length >= SHARES_MAX) {
      throw new AppError('too_many_shares');
    }
    await insertShare(tx, share, hashOf(token));
  });
  return { share, token };
}

/** Throws `not_found`, alike for a link that never was, was ended or has run out. */
export async function findShare({ db, clock }: ShareDeps, token: string): Promise<Share> {
  const share = await selectShareByToken(db, hashOf(token), dateOf(clock));
  if (share === undefined) throw new AppError('not_found');
  return share;
}
