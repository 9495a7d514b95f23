/**
 * Following a verification link. The person who made a sign-up knows its password, so the link alone opens the account only on the device
 * that signed up. On any other device it also requires that password: otherwise a stranger could sign up with somebody's address, and the
 * owner who follows the link would use an account that the stranger's password opens.
 */
import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { isHashOf } from '../../../platform/keys/hashing-keys.ts';
import { forgiveAttempt, makeAttempt } from '../../../platform/limits/guesses.ts';
import { insertAcceptance } from '../../legal/index.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { hashLinkCode } from '../links/link-code.ts';
import { deleteLinkCode, selectSignUpOfCode } from '../links/link-code.sql.ts';
import type { Device } from '../sign-in/device.ts';
import { rememberDevice } from '../sign-in/known-devices.sql.ts';
import { attemptOnSignUp } from '../sign-in/sign-in-limits.ts';
import { insertUser } from '../users.sql.ts';
import { deleteSignUpsOf, lockSignUpsBeside, selectSignUp } from './sign-up.sql.ts';

interface Verification {
  readonly code: string;
  readonly password: string | undefined;
  readonly device: Device;
}

/** A password that must match that of the sign-up. */
interface Guess {
  readonly signUpId: bigint;
  readonly passwordHash: string;
  readonly password: string;
}

/** Devices without an id count as the same device, so that clients without ids still work. */
const isSameDevice = (deviceHash: Buffer | null, { hasId, hashes }: Device): boolean =>
  deviceHash === null ? !hasId : hasId && isHashOf(hashes, deviceHash);

/**
 * Finds the sign-up of a mailed code. Returns the password that must still be checked; `undefined` on the device that signed up. Throws
 * `invalid_code`, and `incorrect_password` if a password is needed and none was sent.
 */
export async function requireSignUp(
  { db, clock }: AuthDeps,
  { code, password, device }: Verification,
): Promise<Guess | undefined> {
  const found = await selectSignUpOfCode(db, hashLinkCode(code), dateOf(clock));
  if (found === undefined) throw new AppError('invalid_code');
  const { signUpId, passwordHash, deviceHash } = found;
  if (isSameDevice(deviceHash, device)) return undefined;
  if (password === undefined || password === '') throw new AppError('incorrect_password');
  return { signUpId, passwordHash, password };
}

/**
 * Only holders of the link can guess here, so their failures delay nobody else. Throws `incorrect_password`,
 * `too_many_attempts`, `overloaded`.
 */
export async function requirePassword(
  deps: AuthDeps,
  { signUpId, passwordHash, password }: Guess,
): Promise<void> {
  const { db, passwords } = deps;
  const attempt = attemptOnSignUp(deps, signUpId);
  await makeAttempt(db, deps, attempt, async () => {
    if (!(await passwords.verify(passwordHash, password))) throw new AppError('incorrect_password');
    await db.transaction().execute((tx) => forgiveAttempt(tx, attempt));
  });
}

/**
 * Opens the account of a mailed code's sign-up, with the password of that sign-up, and signs the owner in. The caller has checked the
 * device or the password. Throws `invalid_code`.
 */
export async function openAccount(
  { db, clock, ledger, sessions }: AuthDeps,
  code: string,
  device: Device,
): Promise<{ token: string; userUuid: string }> {
  const codeHash = hashLinkCode(code);
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    const found = await selectSignUpOfCode(tx, codeHash, now);
    if (found === undefined) throw new AppError('invalid_code');
    // If two links of one address are used at once, the second waits here and finds its sign-up deleted.
    const beside = await lockSignUpsBeside(tx, found.signUpId);
    if (beside === undefined || !(await deleteLinkCode(tx, codeHash))) {
      throw new AppError('invalid_code');
    }
    const signUp = await selectSignUp(tx, found.signUpId);
    const user = await insertUser(tx, { ...signUp, createdAt: now });
    // Another sign-up has opened an account with this address in the meantime.
    if (user === undefined) throw new AppError('invalid_code');
    const { termsVersion: label, termsAcceptedAt: at } = signUp;
    if (label !== null && at !== null) await insertAcceptance(tx, user.userId, { label, at });
    await ledger.openAccounts(tx, user.userId);
    await deleteSignUpsOf(tx, beside.email);
    await rememberDevice(tx, user.userId, device, now);
    const origin = { label: device.name, method: 'link' } as const;
    return { token: await sessions.open(tx, user, origin), userUuid: user.userUuid };
  });
}
