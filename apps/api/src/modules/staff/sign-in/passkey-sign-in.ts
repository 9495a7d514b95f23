import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { forgiveAttempt, makeAttempt, type Attempt } from '../../../platform/limits/guesses.ts';
import { selectPasskey, updateSignCount, type PasskeyRow } from '../factors/factors.sql.ts';
import { judgeSignIn, type UsedPasskey } from '../factors/own-passkeys.ts';
import type { StaffDeps } from '../staff-deps.ts';
import { beginSession, type OpenedFrom } from './begin-session.ts';
import { passkeyAttempt } from './sign-in-attempts.ts';
import { lockActive } from './sign-in.sql.ts';

/** Returns the token of the new session; `undefined` if the signature is refused or the person may not sign in. */
async function open(
  deps: StaffDeps,
  response: UsedPasskey,
  known: PasskeyRow,
  { attempt, from }: { readonly attempt: Attempt; readonly from: OpenedFrom },
): Promise<string | undefined> {
  const { db, clock, config } = deps;
  const signCount = await judgeSignIn(deps, response, known);
  if (signCount === undefined) return undefined;
  return db.transaction().execute(async (tx) => {
    const isDemoAllowed = !config.isProduction;
    const person = await lockActive(tx, known.staffId, { isDemoAllowed });
    if (person === undefined) return undefined;
    const isNewest = await updateSignCount(tx, known.id, { signCount, now: dateOf(clock) });
    if (!isNewest) return undefined;
    await forgiveAttempt(tx, attempt);
    return beginSession(tx, deps, { person, isEnrolled: true, by: 'passkey', from });
  });
}

/**
 * Signs in with a passkey alone, which counts as both factors because it verifies the user. Returns the session's token. Throws
 * `incorrect_credentials`, `too_many_attempts`.
 */
export async function signInWithPasskey(
  deps: StaffDeps,
  response: UsedPasskey,
  from: OpenedFrom,
): Promise<string> {
  const { db } = deps;
  const attempt = passkeyAttempt(deps, response.id, from.networkAddress);
  return makeAttempt(db, deps, attempt, async () => {
    const known = await selectPasskey(db, response.id);
    const token = known && (await open(deps, response, known, { attempt, from }));
    if (token !== undefined) return token;
    await enqueueJob(db, 'staff_refused_sign_in', {
      staffId: known?.staffId ?? null,
      requestId: from.requestId,
      isLastCode: false,
    });
    throw new AppError('incorrect_credentials');
  });
}
