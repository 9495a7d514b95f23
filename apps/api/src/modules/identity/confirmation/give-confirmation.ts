/** How owners prove their identity and get a confirmation for one act. */
import type { z } from 'zod';
import type { ConfirmationMethod, givenProof } from '@athos/contract/wallet/confirmations';
import type { usedPasskey } from '@athos/contract/passkeys';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { insertChallenge } from '../../../platform/factors/challenges.sql.ts';
import {
  judgeUsedPasskey,
  passkeyUseOptions,
  type PasskeySite,
} from '../../../platform/factors/passkeys.ts';
import { attemptSubject, takeAttempt } from '../../../platform/limits/attempt-counters.sql.ts';
import { forgiveAttempt, makeAttempt, type Attempt } from '../../../platform/limits/guesses.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { selectPasskey, selectPasskeys, updateSignCount } from '../passkeys/passkeys.sql.ts';
import { lockPassword, selectPassword } from '../passwords/password-change.sql.ts';
import { asOwner, type Owner } from '../second-step/as-owner.ts';
import { judgeCode, spendCode, notifyOfSecondStep } from '../second-step/codes.ts';
import { planAttempt } from '../sign-in/sign-in-limits.ts';
import { confirmationPurpose, methodsOf } from './require-confirmed.ts';
import { selectFactors } from './confirmations.sql.ts';

type GivenProof = z.output<typeof givenProof>;

/** Enough time to send a request again. */
const CONFIRMATION_LIFETIME_MS = 5 * 60_000;
/** Each attempt to confirm begins a challenge, and no person makes one every two seconds. */
const CHALLENGES_PER_MINUTE = 30;

/** A passkey signs only for this session and this act. */
const passkeyPurpose = ({ sessionId }: Owner, actHash: string): string =>
  `passkey for ${actHash} in ${sessionId}`;

/** Returns what the browser signs with a passkey of the account. Throws `too_many_requests`, `not_found`. */
export async function confirmationOptions(
  deps: AuthDeps,
  site: PasskeySite,
  owner: Owner,
  actHash: string,
) {
  const { db, clock, config } = deps;
  const known = await selectPasskeys(db, owner.userId);
  if (known.length === 0) throw new AppError('not_found');
  const subject = attemptSubject(config.hashingKeys, `confirmation challenges ${owner.userId}`);
  const limit = { subject, windowMs: 60_000, countMax: CHALLENGES_PER_MINUTE };
  await db
    .transaction()
    .execute((tx) => takeAttempt(tx, [limit], dateOf(clock), 'too_many_requests'));
  return passkeyUseOptions(site, passkeyPurpose(owner, actHash), known);
}

/** Throws `invalid_request` for a method with which the account cannot confirm. */
async function requireMethod(
  db: AuthDeps['db'] | Tx,
  { userId }: Owner,
  method: ConfirmationMethod,
): Promise<void> {
  const methods = methodsOf(await selectFactors(db, userId));
  if (methods.includes(method)) return;
  throw new AppError('invalid_request', {
    detail: `This account confirms with: ${methods.join(', ')}.`,
  });
}

interface Asked {
  readonly owner: Owner;
  readonly actHash: string;
}

/** Makes the confirmation. The caller has locked the user, so that no factor is added meanwhile. */
async function makeConfirmation(
  tx: Tx,
  { clock }: AuthDeps,
  { owner, actHash }: Asked,
  method: ConfirmationMethod,
): Promise<string> {
  await requireMethod(tx, owner, method);
  const purpose = confirmationPurpose(owner.sessionId, actHash);
  const expiresAt = new Date(clock.nowMs() + CONFIRMATION_LIFETIME_MS);
  return (await insertChallenge(tx, { purpose, expiresAt })).toString('base64url');
}

async function attemptOf(deps: AuthDeps, owner: Owner): Promise<Attempt> {
  const current = await selectPassword(deps.db, owner.userId);
  if (current === undefined) throw new AppError('session_ended');
  return planAttempt(deps.db, deps, current.email, owner);
}

async function byCode(deps: AuthDeps, asked: Asked, code: string): Promise<string> {
  const { db } = deps;
  const { userId } = asked.owner;
  const attempt = await attemptOf(deps, asked.owner);
  return makeAttempt(db, deps, attempt, async () => {
    const proof = await judgeCode(deps, userId, code);
    return db.transaction().execute(async (tx) => {
      if ((await lockPassword(tx, userId)) === undefined) throw new AppError('session_ended');
      await spendCode(tx, deps, userId, proof);
      await forgiveAttempt(tx, attempt);
      return makeConfirmation(tx, deps, asked, 'totp');
    });
  });
}

async function byPasskey(
  deps: AuthDeps,
  site: PasskeySite,
  asked: Asked,
  response: z.output<typeof usedPasskey>,
): Promise<string> {
  const { db, clock } = deps;
  const { owner, actHash } = asked;
  const attempt = await attemptOf(deps, owner);
  const given = await makeAttempt(db, deps, attempt, async () => {
    const known = await selectPasskey(db, response.id);
    if (known?.userId !== owner.userId) throw new AppError('invalid_passkey');
    // The count is compared below, so that the owner is told of a copied passkey only if the signature is right.
    const used = await judgeUsedPasskey(site, passkeyPurpose(owner, actHash), response, {
      ...known,
      signCount: 0,
    });
    if (used.outcome === 'refused') throw new AppError('invalid_passkey', { cause: used.cause });
    return db.transaction().execute(async (tx) => {
      if ((await lockPassword(tx, owner.userId)) === undefined) throw new AppError('session_ended');
      const { signCount } = used;
      if (!(await updateSignCount(tx, known.id, { signCount, now: dateOf(clock) }))) {
        await notifyOfSecondStep(tx, deps, owner.userId, 'passkey_copied');
        return undefined;
      }
      await forgiveAttempt(tx, attempt);
      return makeConfirmation(tx, deps, asked, 'passkey');
    });
  });
  if (given === undefined) throw new AppError('invalid_passkey');
  return given;
}

/**
 * Returns a confirmation of an act, which works once, for five minutes, in this session. Throws `incorrect_password`, `invalid_code`,
 * `invalid_passkey`, `invalid_request`, `too_many_attempts`, `try_again`, `session_ended`.
 */
export async function giveConfirmation(
  deps: AuthDeps,
  site: () => PasskeySite,
  asked: Asked,
  proof: GivenProof,
): Promise<string> {
  const { owner } = asked;
  await requireMethod(deps.db, owner, proof.method);
  switch (proof.method) {
    case 'totp':
      return byCode(deps, asked, proof.code);
    case 'passkey':
      return byPasskey(deps, site(), asked, proof.passkey);
    case 'password':
      return asOwner(
        deps,
        { owner, password: proof.password },
        () => Promise.resolve(),
        (tx) => makeConfirmation(tx, deps, asked, 'password'),
      );
  }
}
