/** How owners add an authenticator app to the account, and remove it. A session alone is not enough for either. */
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
import { judgeCode, matchCode, sealSecret, spendCode, tellOfSecondStep } from './codes.ts';
import { deleteWaiting } from '../recovery/recoveries.sql.ts';
import {
  deleteRecoveryCodes,
  deleteTotp,
  deleteUnconfirmedTotp,
  insertTotp,
  replaceRecoveryCodes,
  selectConfirmedAt,
  selectTotp,
  updateTotpConfirmed,
} from './second-step.sql.ts';
import { deleteChallengesOf } from './sign-in-challenges.sql.ts';

/** First codes that a session may try in an hour. */
const FIRST_CODES_PER_HOUR = 10;

/** Makes a secret. It changes nothing about signing in until its first code is confirmed. Throws `totp_exists`. */
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
 * Asks for codes from now on, and ends every other session: whoever opened one with the password alone has to bring a code. Returns the
 * recovery codes, which are shown only once. Throws `invalid_code`, `totp_exists`, `too_many_attempts`.
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
  // Outside the transaction, because a refusal would roll it back.
  await db.transaction().execute((tx) => takeAttempt(tx, limits, now, 'too_many_attempts'));
  const codes = makeRecoveryCodes(config.hashingKeys);
  await db.transaction().execute(async (tx) => {
    if ((await lockPassword(tx, userId)) === undefined) throw new AppError('session_ended');
    await requireNoTotp(tx, userId);
    const totp = await selectTotp(tx, userId, { isConfirmed: false });
    const step = totp === undefined ? undefined : matchCode(deps, totp, code);
    if (totp === undefined || step === undefined) throw new AppError('invalid_code');
    await updateTotpConfirmed(tx, totp.id, { step, now });
    await replaceRecoveryCodes(tx, userId, { hashes: codes.map(({ hash }) => hash), now });
    await sessions.revokeAll(tx, userId, sessionId);
    // The account has a limit now, above which it confirms what it spends.
    await sessions.forgetUser(tx, userId);
    await tellOfSecondStep(tx, deps, userId, 'on');
  });
  return codes.map(({ text }) => text);
}

/**
 * Returns new recovery codes, which are shown only once; the ones before end, also one that was just given. Throws `incorrect_password`,
 * `invalid_code`, `not_found`, `too_many_attempts`, `try_again`.
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
      await tellOfSecondStep(tx, deps, userId, 'codes_renewed');
    },
  );
  return codes.map(({ text }) => text);
}

/** Removes app and recovery codes. Throws `invalid_code`, `not_found`. */
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
      // Before the code is spent, which would tell the owner that the second step stays.
      await deleteWaiting(tx, userId);
      await spendCode(tx, deps, userId, proof);
      await deleteTotp(tx, userId);
      await deleteRecoveryCodes(tx, userId);
      await deleteChallengesOf(tx, userId);
      await tellOfSecondStep(tx, deps, userId, 'off');
    },
  );
}
