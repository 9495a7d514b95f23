/** How owners add an authenticator app to the account and remove it. A session alone is not enough for either. */
import { randomUUID } from 'node:crypto';
import { brand } from '@athos/brand/brand';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { makeRecoveryCodes } from '../../../platform/factors/recovery-codes.ts';
import { makeTotpSecret, totpAddress } from '../../../platform/factors/totp.ts';
import {
  attemptSubject,
  HOUR_MS,
  takeAttempt,
} from '../../../platform/limits/attempt-counters.sql.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { lockPassword } from '../passwords/password-change.sql.ts';
import { asOwner, type Owner } from './as-owner.ts';
import { judgeCode, matchCode, sealSecret, spendCode, notifyOfSecondStep } from './codes.ts';
import { deleteWaiting } from '../recovery/recoveries.sql.ts';
import {
  deleteRecoveryCodes,
  deleteTotp,
  deleteUnconfirmedTotp,
  insertTotp,
  replaceRecoveryCodes,
  selectConfirmedAt,
  selectUnconfirmedTotp,
  updateTotpConfirmed,
} from './second-step.sql.ts';
import { deleteChallengesOf } from './sign-in-challenges.sql.ts';

/** The number of attempts at the first code that a session may make in an hour. */
const FIRST_CODES_PER_HOUR = 10;
/**
 * How long a secret waits for its first code. Whoever knew the password when it was created may know the secret, so it must not wait until
 * a token is stolen.
 */
export const UNCONFIRMED_KEPT_MS = HOUR_MS / 2;

/**
 * Creates a secret. Signing in does not change until its first code is confirmed, which is possible for half an hour and under the same
 * password. Throws `totp_exists`.
 */
export const beginTotp = (
  deps: AuthDeps,
  owner: Owner,
  password: string,
): Promise<{ secret: string; address: string }> =>
  asOwner(
    deps,
    { owner, password },
    () => Promise.resolve(),
    async (tx, email) => {
      const { userId } = owner;
      await requireNoTotp(tx, userId);
      const id = randomUUID();
      const secret = makeTotpSecret();
      await deleteUnconfirmedTotp(tx, userId);
      const sealed = sealSecret(deps, id, secret);
      await insertTotp(tx, { id, userId, secret: sealed, now: dateOf(deps.clock) });
      return {
        secret,
        address: totpAddress({ secret, issuer: brand.programmeName, account: email }),
      };
    },
  );

async function requireNoTotp(tx: Tx, userId: bigint): Promise<void> {
  if ((await selectConfirmedAt(tx, userId)) !== undefined) throw new AppError('totp_exists');
}

/**
 * Requires codes from now on, and ends every other session: a session that was opened with the password alone must be opened again with a
 * code. Returns the recovery codes, which are shown only once. Throws `invalid_code`, `totp_exists`, `too_many_attempts`.
 */
export async function confirmTotp(
  deps: AuthDeps,
  { userId, sessionId }: Pick<Owner, 'userId' | 'sessionId'>,
  code: string,
): Promise<string[]> {
  const { db, clock, config, sessions } = deps;
  const subject = attemptSubject(config.hashingKeys, `first codes ${sessionId}`);
  const limits = [{ subject, windowMs: HOUR_MS, countMax: FIRST_CODES_PER_HOUR }];
  const now = dateOf(clock);
  // Counted outside the transaction below, because a refusal would roll the count back.
  await db.transaction().execute((tx) => takeAttempt(tx, limits, now, 'too_many_attempts'));
  const codes = makeRecoveryCodes(config.hashingKeys);
  await db.transaction().execute(async (tx) => {
    if ((await lockPassword(tx, userId)) === undefined) throw new AppError('session_ended');
    await requireNoTotp(tx, userId);
    const createdAfter = new Date(now.getTime() - UNCONFIRMED_KEPT_MS);
    const totp = await selectUnconfirmedTotp(tx, userId, createdAfter);
    const step = totp === undefined ? undefined : matchCode(deps, totp, code);
    if (totp === undefined || step === undefined) throw new AppError('invalid_code');
    await updateTotpConfirmed(tx, totp.id, { step, now });
    await replaceRecoveryCodes(tx, userId, { hashes: codes.map(({ hash }) => hash), now });
    await sessions.revokeAll(tx, userId, sessionId);
    // From now on the account has a limit above which it confirms its spends.
    await sessions.forgetUser(tx, userId);
    await notifyOfSecondStep(tx, deps, userId, 'on');
  });
  return codes.map(({ text }) => text);
}

/**
 * Returns new recovery codes, which are shown only once. All earlier codes stop working, including one that was just entered. Throws
 * `incorrect_password`, `invalid_code`, `not_found`, `too_many_attempts`, `try_again`.
 */
export async function renewRecoveryCodes(
  deps: AuthDeps,
  owner: Owner,
  { password, code }: { readonly password: string; readonly code: string },
): Promise<string[]> {
  const { db, clock, config } = deps;
  const { userId } = owner;
  if ((await selectConfirmedAt(db, userId)) === undefined) throw new AppError('not_found');
  const codes = makeRecoveryCodes(config.hashingKeys);
  await asOwner(
    deps,
    { owner, password },
    () => judgeCode(deps, userId, code),
    async (tx, _email, proof) => {
      await spendCode(tx, deps, userId, proof);
      const hashes = codes.map(({ hash }) => hash);
      await replaceRecoveryCodes(tx, userId, { hashes, now: dateOf(clock) });
      await notifyOfSecondStep(tx, deps, userId, 'codes_renewed');
    },
  );
  return codes.map(({ text }) => text);
}

/** Removes the app and the recovery codes. Throws `invalid_code`, `not_found`. */
export async function endTotp(
  deps: AuthDeps,
  owner: Owner,
  { password, code }: { readonly password: string; readonly code: string },
): Promise<void> {
  const { userId } = owner;
  if ((await selectConfirmedAt(deps.db, userId)) === undefined) throw new AppError('not_found');
  await asOwner(
    deps,
    { owner, password },
    () => judgeCode(deps, userId, code),
    async (tx, _email, proof) => {
      // Deleted before `spendCode`, which would otherwise tell the owner that the second step stays.
      await deleteWaiting(tx, userId);
      await spendCode(tx, deps, userId, proof);
      await deleteTotp(tx, userId);
      await deleteRecoveryCodes(tx, userId);
      await deleteChallengesOf(tx, userId);
      await notifyOfSecondStep(tx, deps, userId, 'off');
    },
  );
}
