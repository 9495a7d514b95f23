import { passwordStrength } from '@athos/domain/password';
import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { hashOf } from '../../../platform/keys/hashing-keys.ts';
import { networkSite } from '../../../platform/limits/caller.ts';
import { countEvent } from '../../../platform/stats/event-counts.sql.ts';
import type { AuthDeps } from '../identity-deps.ts';
import type { Origin } from '../sign-in/sign-in-limits.ts';
import { labelInForce } from '../../legal/index.ts';
import { insertSignUp } from './sign-up.sql.ts';

/** Throws `weak_password`. Sign-up, reset and update share this rule (D-048). */
export function requireStrongPassword(password: string): void {
  if (passwordStrength(password) === 'Strong') return;
  throw new AppError('weak_password', {
    detail: 'Use at least 8 characters with an uppercase letter, a number and a symbol.',
  });
}

interface SignUpRequest extends Origin {
  readonly email: string;
  readonly password: string;
  readonly termsVersion: string | undefined;
  /** The priority of the mail's job. */
  readonly priority: number;
}

/**
 * Stores a sign-up and enqueues its mail. It does not look up whether the address has an account, so neither the response nor
 * its timing reveals that: the mail job decides whether to send the link or to inform the owner (D-050, D-051). Throws
 * `weak_password` and `overloaded`.
 */
export async function signUp(
  { db, clock, config, passwords, legalTexts }: AuthDeps,
  { email, password, termsVersion, priority, networkAddress, device }: SignUpRequest,
): Promise<void> {
  requireStrongPassword(password);
  const passwordHash = await passwords.hash(password);
  const now = dateOf(clock);
  const current = labelInForce(await legalTexts(), 'terms', clock.nowMs());
  await db.transaction().execute(async (tx) => {
    const signUpId = await insertSignUp(tx, {
      email,
      passwordHash,
      // Signing up accepts the terms; a caller that sends no version accepts the current one.
      termsVersion: termsVersion ?? current,
      termsAcceptedAt: now,
      createdAt: now,
      deviceHash: device.hasId ? device.hash : null,
      placeHash: hashOf(config.hashingKeys, `sign-up from ${networkSite(networkAddress)}`),
    });
    await enqueueJob(tx, 'auth_mail_sign_up', { signUpId: String(signUpId) }, { priority });
    await countEvent(tx, { event: 'signed_up', at: now });
  });
}
