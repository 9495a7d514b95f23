/**
 * Signing in with a password and a code. A wrong password, a wrong code and an unknown address get the same answer, cost the same
 * statements and one hash, and count alike.
 */
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { recoveryCodeHashes } from '../../../platform/factors/recovery-codes.ts';
import { makeTotpSecret, matchTotp } from '../../../platform/factors/totp.ts';
import { isHashOf } from '../../../platform/keys/hashing-keys.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { forgiveAttempt, makeAttempt, type Attempt } from '../../../platform/limits/guesses.ts';
import { useRecoveryCode, useTotpStep } from '../factors/factors.sql.ts';
import { selectOwnerIds } from '../people/people.sql.ts';
import { openTotpSecret, type StaffDeps } from '../staff-deps.ts';
import { beginSession, type OpenedFrom } from './begin-session.ts';
import { countCode, forgetCodes, WRONG_CODES_PER_DAY } from './sign-in-attempts.ts';
import { lockActive, selectSignIn, type SignInRow } from './sign-in.sql.ts';

interface SignInRequest {
  readonly email: string;
  readonly password: string;
  readonly code: string | undefined;
}

/** The second factor that was given. `none` means that the person has no second factor yet. */
type Proof =
  | { readonly by: 'totp'; readonly factorId: string; readonly step: bigint }
  | { readonly by: 'recovery'; readonly hash: Buffer }
  | { readonly by: 'none' };

/** Checked for a person without a secret, so that it takes the same time. */
const NOBODYS_SECRET = makeTotpSecret();

/** Checks only the code. Recovery codes cannot be guessed, so they work after any number of wrong codes. */
function judgeCode(
  deps: StaffDeps,
  person: SignInRow | undefined,
  code: string,
): Proof | undefined {
  const { clock, config } = deps;
  const hashes = recoveryCodeHashes(config.hashingKeys, code);
  const { totpId = null, totpSecret = null, lastStep = null } = person ?? {};
  const isTotp = totpId !== null && totpSecret !== null;
  const step = matchTotp({
    secret: isTotp ? openTotpSecret(deps, { id: totpId, secret: totpSecret }) : NOBODYS_SECRET,
    code: code.replace(/\s/g, ''),
    nowMs: clock.nowMs(),
    lastStep: lastStep ?? undefined,
  });
  if (person === undefined) return undefined;
  if (!person.hasFactor) return { by: 'none' };
  const hash = person.recoveryHashes.find((known) => isHashOf(hashes, known));
  if (hash !== undefined) return { by: 'recovery', hash };
  return isTotp && step !== undefined ? { by: 'totp', factorId: totpId, step } : undefined;
}

type Verdict =
  | { readonly isRight: true; readonly person: SignInRow; readonly proof: Proof }
  | {
      readonly isRight: false;
      readonly staffId: string | undefined;
      readonly wrongCodeCount: number;
    };

async function judge(deps: StaffDeps, { email, password, code }: SignInRequest): Promise<Verdict> {
  const { db, passwords, config } = deps;
  const person = await selectSignIn(db, email, { isDemoAllowed: !config.isProduction });
  const hash = person?.passwordHash ?? undefined;
  const isPasswordRight =
    hash === undefined
      ? await passwords.verifyNothing(password)
      : await passwords.verify(hash, password);
  const staffId = isPasswordRight ? person?.staffId : undefined;
  const wrongCodeCount = await countCode(db, deps, { staffId, email });
  const proof = judgeCode(deps, person, code ?? '');
  const isTaken = proof?.by === 'totp' && wrongCodeCount > WRONG_CODES_PER_DAY;
  if (!isPasswordRight || person === undefined || proof === undefined || isTaken) {
    return {
      isRight: false,
      staffId: person?.staffId,
      wrongCodeCount: isPasswordRight ? wrongCodeCount : 0,
    };
  }
  return { isRight: true, person, proof };
}

/** Uses up the code. Returns `false` if a concurrent sign-in has used it. */
async function spend(tx: Tx, deps: StaffDeps, staffId: string, proof: Proof): Promise<boolean> {
  const now = dateOf(deps.clock);
  switch (proof.by) {
    case 'totp':
      return useTotpStep(tx, proof.factorId, { step: proof.step, now });
    case 'recovery':
      return useRecoveryCode(tx, staffId, { hash: proof.hash, now });
    case 'none':
      return true;
  }
}

/** A recovery code may be stolen, so the person and every owner are told, because an owner can act on it. */
async function notifyOfRecovery(tx: Tx, staffId: string, now: Date): Promise<void> {
  const recipients = new Set([staffId, ...(await selectOwnerIds(tx))]);
  for (const to of recipients) {
    await enqueueJob(tx, 'staff_mail_recovery_used', { to, staffId, at: now.toISOString() });
  }
}

interface RightSignIn {
  readonly person: SignInRow;
  readonly proof: Proof;
  readonly attempt: Attempt;
  readonly from: OpenedFrom;
}

/** Returns the token of the new session; `undefined` if the person, password or code has changed since the check. */
async function open(
  deps: StaffDeps,
  { person, proof, attempt, from }: RightSignIn,
): Promise<string | undefined> {
  const { db, clock, config } = deps;
  return db.transaction().execute(async (tx) => {
    const locked = await lockActive(tx, person.staffId, { isDemoAllowed: !config.isProduction });
    if (locked === undefined || locked.passwordHash !== person.passwordHash) return undefined;
    if (!(await spend(tx, deps, person.staffId, proof))) return undefined;
    await forgiveAttempt(tx, attempt);
    await forgetCodes(tx, deps, person.staffId);
    if (proof.by === 'recovery') await notifyOfRecovery(tx, person.staffId, dateOf(clock));
    return beginSession(tx, deps, {
      person,
      isEnrolled: proof.by !== 'none',
      by: proof.by === 'none' ? 'password' : `password and ${proof.by}`,
      from,
    });
  });
}

/**
 * Opens a session and returns its token. Throws `incorrect_credentials`, `too_many_attempts`, `overloaded`.
 */
export async function signIn(
  deps: StaffDeps,
  request: SignInRequest,
  { attempt, from }: { readonly attempt: Attempt; readonly from: OpenedFrom },
): Promise<{ token: string; isEnrolled: boolean }> {
  const { db } = deps;
  return makeAttempt(db, deps, attempt, async () => {
    const verdict = await judge(deps, request);
    if (!verdict.isRight) {
      // A job writes the audit, so that a known address takes no longer than an unknown one.
      await enqueueJob(db, 'staff_refused_sign_in', {
        staffId: verdict.staffId ?? null,
        requestId: from.requestId,
        isLastCode: verdict.wrongCodeCount === WRONG_CODES_PER_DAY,
      });
      throw new AppError('incorrect_credentials');
    }
    const { person, proof } = verdict;
    const token = await open(deps, { person, proof, attempt, from });
    if (token === undefined) throw new AppError('incorrect_credentials');
    return { token, isEnrolled: proof.by !== 'none' };
  });
}
