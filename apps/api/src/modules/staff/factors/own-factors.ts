/** How staff manage their own factors. Each function runs in the transaction of its act. */
import { randomUUID } from 'node:crypto';
import { brand } from '@athos/brand/brand';
import { dateOf } from '../../../platform/clock.ts';
import type { SignedInStaff } from '../../../platform/console/signed-in-staff.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Passkey } from '../../../platform/factors/passkeys.ts';
import { makeRecoveryCodes } from '../../../platform/factors/recovery-codes.ts';
import { makeTotpSecret, matchTotp, totpAddress } from '../../../platform/factors/totp.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import {
  attemptSubject,
  forgetAttempts,
  HOUR_MS,
  takeAttempt,
  type AttemptSubject,
} from '../../../platform/limits/attempt-counters.sql.ts';
import type { FactorChange } from '../mails.ts';
import { lockStaff, updatePasswordHash } from '../people/people.sql.ts';
import { deleteSessions, updateEnrolled, updateProof } from '../sessions/staff-sessions.sql.ts';
import { openTotpSecret, sealTotpSecret, type StaffDeps } from '../staff-deps.ts';
import {
  confirmFactor,
  deleteFactor,
  deleteTotp,
  insertTotp,
  replaceRecoveryCodes,
  selectFactors,
  selectTotp,
  useTotpStep,
} from './factors.sql.ts';
import { storePasskey, usePasskeyAsProof, type UsedPasskey } from './own-passkeys.ts';

/**
 * The number of codes and passkeys that a session may try in an hour. A thief with a stolen session has this many tries at a million
 * codes.
 */
const PROOFS_PER_HOUR = 10;

/** Mails the person about a change that the thief of a session might make. */
async function notifyOfChange(
  tx: Tx,
  { clock }: StaffDeps,
  { staffId }: SignedInStaff,
  change: FactorChange,
): Promise<void> {
  const at = dateOf(clock).toISOString();
  await enqueueJob(tx, 'staff_mail_factor_changed', { staffId, change, at });
}

/**
 * Throws unless the person may add a factor now. That requires a proof of presence or, in a session without second factor, that the
 * person has none yet. Otherwise somebody who knows the password could keep an early session and add their own factor later.
 */
async function requireMayAdd(tx: Tx, deps: StaffDeps, staff: SignedInStaff): Promise<void> {
  await lockStaff(tx, staff.staffId);
  if (staff.isEnrolled) return deps.staffSessions.requireProof(tx, staff);
  const { length } = await selectFactors(tx, staff.staffId);
  if (length > 0) throw new AppError('session_ended');
}

/** Marks the enrolling session as enrolled and ends all others. */
async function finishAdding(
  tx: Tx,
  deps: StaffDeps,
  staff: SignedInStaff,
  change: FactorChange,
): Promise<void> {
  const { staffId, sessionId, isEnrolled } = staff;
  await notifyOfChange(tx, deps, staff, change);
  if (isEnrolled) return;
  await deleteSessions(tx, staffId, { exceptId: sessionId });
  await updateEnrolled(tx, sessionId, dateOf(deps.clock));
}

/** Creates the secret of an authenticator app. The app becomes a factor once its first code is confirmed. */
export async function beginTotp(tx: Tx, deps: StaffDeps, staff: SignedInStaff) {
  await requireMayAdd(tx, deps, staff);
  const { staffId, email } = staff;
  const id = randomUUID();
  const secret = makeTotpSecret();
  await deleteTotp(tx, staffId, { isConfirmed: false });
  const sealed = sealTotpSecret(deps, id, secret);
  await insertTotp(tx, { id, staffId, secret: sealed, now: dateOf(deps.clock) });
  const issuer = `${brand.programmeName} Console`;
  return { factorId: id, secret, address: totpAddress({ secret, issuer, account: email }) };
}

/** Counts an attempt outside the transaction, because a refusal would roll the count back. Throws `too_many_attempts`. */
async function takeProofAttempt(
  { db, clock, config }: StaffDeps,
  { sessionId }: SignedInStaff,
): Promise<AttemptSubject> {
  const subject = attemptSubject(config.hashingKeys, `staff proofs ${sessionId}`);
  const limits = [{ subject, windowMs: HOUR_MS, countMax: PROOFS_PER_HOUR }];
  await takeAttempt(db, limits, dateOf(clock), 'too_many_attempts');
  return subject;
}

/** Uses up the code's time step and returns the factor's id. Throws `invalid_code`. */
async function useTotpCode(
  tx: Tx,
  deps: StaffDeps,
  staffId: string,
  { code, isConfirmed }: { readonly code: string; readonly isConfirmed: boolean },
): Promise<string> {
  const { clock } = deps;
  const totp = await selectTotp(tx, staffId, { isConfirmed });
  if (totp === undefined) throw new AppError('invalid_code');
  const secret = openTotpSecret(deps, totp);
  const step = matchTotp({ secret, code, nowMs: clock.nowMs(), lastStep: totp.lastStep });
  if (step === undefined) throw new AppError('invalid_code');
  const isUnused = await useTotpStep(tx, totp.id, { step, now: dateOf(clock) });
  if (!isUnused) throw new AppError('invalid_code');
  return totp.id;
}

/** Replaces the current authenticator app, if any. Returns the id of the new factor. Throws `invalid_code`. */
export async function confirmTotp(
  tx: Tx,
  deps: StaffDeps,
  staff: SignedInStaff,
  { code, name }: { readonly code: string; readonly name: string },
): Promise<string> {
  await requireMayAdd(tx, deps, staff);
  const subject = await takeProofAttempt(deps, staff);
  const id = await useTotpCode(tx, deps, staff.staffId, { code, isConfirmed: false });
  await deleteTotp(tx, staff.staffId, { isConfirmed: true });
  await confirmFactor(tx, id, { name, now: dateOf(deps.clock) });
  await forgetAttempts(tx, [subject]);
  await finishAdding(tx, deps, staff, 'totp_added');
  return id;
}

export async function addPasskey(
  tx: Tx,
  deps: StaffDeps,
  staff: SignedInStaff,
  { passkey, name }: { readonly passkey: Passkey; readonly name: string },
): Promise<void> {
  await requireMayAdd(tx, deps, staff);
  await storePasskey(tx, passkey, { staffId: staff.staffId, name, now: dateOf(deps.clock) });
  await finishAdding(tx, deps, staff, 'passkey_added');
}

/** Throws `last_factor` unless a passkey, or a password with an authenticator app, remains for signing in. */
export async function removeFactor(
  tx: Tx,
  deps: StaffDeps,
  staff: SignedInStaff,
  factorId: string,
): Promise<{ readonly kind: string; readonly name: string }> {
  const { staffId } = staff;
  const person = await lockStaff(tx, staffId);
  const removed = await deleteFactor(tx, staffId, factorId);
  if (removed === undefined) throw new AppError('not_found');
  const left = await selectFactors(tx, staffId);
  const hasPassword = person?.passwordHash !== null;
  if (!left.some(({ kind }) => kind === 'passkey' || hasPassword))
    throw new AppError('last_factor');
  await notifyOfChange(tx, deps, staff, 'factor_removed');
  return removed;
}

/** Replaces the recovery codes. Returns the new ones, which are shown only once. */
export async function drawRecoveryCodes(
  tx: Tx,
  deps: StaffDeps,
  staff: SignedInStaff,
): Promise<string[]> {
  const codes = makeRecoveryCodes(deps.config.hashingKeys);
  const hashes = codes.map(({ hash }) => hash);
  await lockStaff(tx, staff.staffId);
  await replaceRecoveryCodes(tx, staff.staffId, { hashes, now: dateOf(deps.clock) });
  await notifyOfChange(tx, deps, staff, 'codes');
  return codes.map(({ text }) => text);
}

export async function changeOwnPassword(
  tx: Tx,
  deps: StaffDeps,
  staff: SignedInStaff,
  password: string,
): Promise<void> {
  const { staffId, sessionId } = staff;
  const passwordHash = await deps.passwords.hash(password);
  await updatePasswordHash(tx, staffId, passwordHash);
  await deleteSessions(tx, staffId, { exceptId: sessionId });
  await notifyOfChange(tx, deps, staff, 'password');
}

type ProofGiven = { readonly code: string } | { readonly passkey: UsedPasskey };

/** Records a proof of presence, which covers risky acts for some minutes. Throws `invalid_code`, `invalid_passkey`. */
export async function prove(
  tx: Tx,
  deps: StaffDeps,
  staff: SignedInStaff,
  given: ProofGiven,
): Promise<void> {
  const subject = await takeProofAttempt(deps, staff);
  if ('code' in given) {
    await useTotpCode(tx, deps, staff.staffId, { code: given.code, isConfirmed: true });
  } else if (!(await usePasskeyAsProof(tx, deps, staff, given.passkey))) {
    throw new AppError('invalid_passkey');
  }
  await forgetAttempts(tx, [subject]);
  await updateProof(tx, staff.sessionId, dateOf(deps.clock));
}
