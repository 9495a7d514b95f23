/** Signing in with a passkey alone. It counts as two factors, because it verifies its holder. */
import type { z } from 'zod';
import type { usedPasskey } from '@athos/contract/passkeys';
import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import {
  judgeUsedPasskey,
  passkeyUseOptions,
  type PasskeySite,
} from '../../../platform/factors/passkeys.ts';
import { attemptSubject, takeAttempt } from '../../../platform/limits/attempt-counters.sql.ts';
import { networkSite } from '../../../platform/limits/caller.ts';
import { makeAttempt, type Attempt } from '../../../platform/limits/guesses.ts';
import { requireNotHeld } from '../../holds/index.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { lockPassword } from '../passwords/password-change.sql.ts';
import { forgetRecovery } from '../recovery/recovery.ts';
import { notifyOfSecondStep } from '../second-step/codes.ts';
import { beginSession } from '../sign-in/begin-session.ts';
import { planAttempt, type Origin } from '../sign-in/sign-in-limits.ts';
import { selectPasskey, updateSignCount, type SignInPasskey } from './passkeys.sql.ts';

type UsedPasskey = z.output<typeof usedPasskey>;

const SIGN_IN = 'sign-in with a passkey';
/** Every sign-in screen requests a challenge, and another one when it has expired. */
const CHALLENGES_PER_MINUTE = 30;

/**
 * Lists no passkeys, because the caller is not known yet. `takeRoom` bounds the challenges of all callers together. Throws
 * `too_many_requests`.
 */
export async function signInOptions(
  deps: AuthDeps,
  site: PasskeySite,
  { networkAddress, takeRoom }: { networkAddress: string; takeRoom: () => Promise<void> },
) {
  const { db, clock, config } = deps;
  const limit = {
    subject: attemptSubject(
      config.hashingKeys,
      `passkey challenges ${networkSite(networkAddress)}`,
    ),
    windowMs: 60_000,
    countMax: CHALLENGES_PER_MINUTE,
  };
  await db
    .transaction()
    .execute((tx) => takeAttempt(tx, [limit], dateOf(clock), 'too_many_requests'));
  await takeRoom();
  return passkeyUseOptions(site, SIGN_IN);
}

/**
 * Returns the signature count; `undefined` if the signature is refused. The count is compared later, so that the owner is told of a
 * copied passkey only if the signature is right.
 */
async function judge(
  site: PasskeySite,
  response: UsedPasskey,
  known: SignInPasskey,
): Promise<number | undefined> {
  const used = await judgeUsedPasskey(site, SIGN_IN, response, { ...known, signCount: 0 });
  const isOwn = response.response.userHandle === known.handle.toString('base64url');
  return used.outcome === 'used' && isOwn ? used.signCount : undefined;
}

/** Returns the session's token; `undefined` if the passkey is refused. */
async function open(
  deps: AuthDeps,
  known: SignInPasskey,
  { signCount, origin, attempt }: { signCount: number; origin: Origin; attempt: Attempt },
): Promise<string | undefined> {
  const { userId } = known;
  return deps.db.transaction().execute(async (tx) => {
    if ((await lockPassword(tx, userId)) === undefined) return undefined;
    await requireNotHeld(tx, { userId, kind: 'sign_in', nothing: 'You are not signed in.' });
    if (!(await updateSignCount(tx, known.id, { signCount, now: dateOf(deps.clock) }))) {
      await notifyOfSecondStep(tx, deps, userId, 'passkey_copied');
      return undefined;
    }
    // A user who signs in with a passkey needs no recovery, so a stranger may have begun it.
    await forgetRecovery(tx, deps.clock, userId);
    const { device } = origin;
    return beginSession(tx, deps, { user: known, device, attempt, method: 'passkey' });
  });
}

/** Opens a session. Throws `incorrect_credentials`, `account_restricted`, `too_many_attempts`. */
export async function signInWithPasskey(
  deps: AuthDeps,
  site: PasskeySite,
  response: UsedPasskey,
  origin: Origin,
): Promise<{ token: string; userUuid: string }> {
  const { db } = deps;
  const known = await selectPasskey(db, response.id);
  // Wrong signatures count like wrong passwords of the same account.
  const attempt = await planAttempt(db, deps, known?.email ?? `passkey ${response.id}`, origin);
  return makeAttempt(db, deps, attempt, async () => {
    const signCount = known && (await judge(site, response, known));
    const token =
      known && signCount !== undefined
        ? await open(deps, known, { signCount, origin, attempt })
        : undefined;
    if (known === undefined || token === undefined) throw new AppError('incorrect_credentials');
    return { token, userUuid: known.userUuid };
  });
}
