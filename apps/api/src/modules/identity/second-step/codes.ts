/** Judges the codes of a second step, and uses them up. */
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { recoveryCodeHashes } from '../../../platform/factors/recovery-codes.ts';
import { matchTotp } from '../../../platform/factors/totp.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { isHashOf } from '../../../platform/keys/hashing-keys.ts';
import {
  attemptSubject,
  countAttempts,
  forgetAttempts,
  HOUR_MS,
  type AttemptSubject,
} from '../../../platform/limits/attempt-counters.sql.ts';
import type { Cell } from '../../../platform/sealed.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { forgetRecovery } from '../recovery/recovery.ts';
import {
  selectRecoveryCodes,
  selectTotp,
  useRecoveryCode,
  useTotpStep,
  type TotpRow,
} from './second-step.sql.ts';

/**
 * Wrong app codes that an account may try in a day. Three of a million codes are valid at a time, so this many guesses a day find one in
 * about 16,000 days. Recovery codes cannot be guessed and still work after it.
 */
const WRONG_CODES_PER_DAY = 20;

/** The changes to the ways of signing in about which the owner is told by mail. */
export const SECOND_STEP_CHANGES = [
  'on',
  'off',
  'recovery_used',
  'codes_renewed',
  'guessed',
  'passkey_added',
  'passkey_removed',
  'passkey_copied',
  'limit_raised',
] as const;
export type SecondStepChange = (typeof SECOND_STEP_CHANGES)[number];

export async function notifyOfSecondStep(
  tx: Tx | Db,
  { clock }: Pick<AuthDeps, 'clock'>,
  userId: bigint,
  change: SecondStepChange,
): Promise<void> {
  const at = dateOf(clock).toISOString();
  await enqueueJob(tx, 'auth_mail_second_step', { userId: String(userId), at, change });
}

const secretCell = (id: string): Cell => ({ table: 'totp_secrets', column: 'secret', rowId: id });

export const sealSecret = ({ sealed }: Pick<AuthDeps, 'sealed'>, id: string, secret: string) =>
  sealed.seal(secretCell(id), secret);

/** Returns the step of a right code; `undefined` if it is wrong or was used. */
export const matchCode = (
  { sealed, clock }: Pick<AuthDeps, 'sealed' | 'clock'>,
  { id, secret, lastStep }: TotpRow,
  code: string,
): bigint | undefined =>
  matchTotp({
    secret: sealed.open(secretCell(id), secret),
    code: code.replace(/\s/g, ''),
    nowMs: clock.nowMs(),
    lastStep: lastStep ?? undefined,
  });

/** A right code that has not been used up yet. */
export type Proof =
  | { readonly by: 'totp'; readonly id: string; readonly step: bigint }
  | { readonly by: 'recovery_code'; readonly hash: Buffer };

const codesSubject = ({ config }: AuthDeps, userId: bigint): AttemptSubject =>
  attemptSubject(config.hashingKeys, `second step codes ${userId}`);

/** Counts the code before it is judged. Throws `invalid_code`. */
export async function judgeCode(deps: AuthDeps, userId: bigint, code: string): Promise<Proof> {
  const { db, clock, config } = deps;
  const subject = codesSubject(deps, userId);
  const window = { subject, windowMs: 24 * HOUR_MS };
  const [counted] = await countAttempts(db, [window], dateOf(clock));
  const tryCount = counted?.attemptCount ?? 0;
  const totp = await selectTotp(db, userId);
  const step = totp === undefined ? undefined : matchCode(deps, totp, code);
  const hashes = recoveryCodeHashes(config.hashingKeys, code);
  const known = await selectRecoveryCodes(db, userId);
  const hash = known.find((one) => isHashOf(hashes, one));
  if (hash !== undefined) return { by: 'recovery_code', hash };
  if (totp !== undefined && step !== undefined && tryCount <= WRONG_CODES_PER_DAY) {
    return { by: 'totp', id: totp.id, step };
  }
  if (tryCount === WRONG_CODES_PER_DAY) await notifyOfSecondStep(db, deps, userId, 'guessed');
  throw new AppError('invalid_code');
}

/**
 * Uses up the code, forgets the wrong ones before it and stops a recovery, because a code shows that the second step is not lost. The
 * caller has locked the user. Throws `invalid_code` if another request has just used the code.
 */
export async function spendCode(
  tx: Tx,
  deps: AuthDeps,
  userId: bigint,
  proof: Proof,
): Promise<void> {
  const now = dateOf(deps.clock);
  const isUnused =
    proof.by === 'totp'
      ? await useTotpStep(tx, proof.id, proof.step)
      : await useRecoveryCode(tx, userId, { hash: proof.hash, now });
  if (!isUnused) throw new AppError('invalid_code');
  await forgetAttempts(tx, [codesSubject(deps, userId)]);
  await forgetRecovery(tx, deps.clock, userId);
  if (proof.by === 'recovery_code') await notifyOfSecondStep(tx, deps, userId, 'recovery_used');
}
