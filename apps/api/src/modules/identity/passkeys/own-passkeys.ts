/** How owners add passkeys and remove them. A session alone is not enough for either. */
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { madePasskey } from '@athos/contract/passkeys';
import { m } from '@athos/messages/messages';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import {
  judgeMadePasskey,
  passkeyMakeOptions,
  type PasskeySite,
} from '../../../platform/factors/passkeys.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { lockPassword } from '../passwords/password-change.sql.ts';
import { asOwner, type Owner } from '../second-step/as-owner.ts';
import { judgeCode, spendCode, notifyOfSecondStep, type Proof } from '../second-step/codes.ts';
import { selectConfirmedAt } from '../second-step/second-step.sql.ts';
import { lockOpenSession } from '../sessions/sessions.sql.ts';
import { deletePasskey, ensureHandle, insertPasskey, selectPasskeys } from './passkeys.sql.ts';

/** More devices than any person has. */
const PASSKEYS_MAX = 10;
/** 256 bits cannot be guessed. */
const HANDLE_BYTES = 32;

interface OwnerProof {
  readonly password: string;
  /** Required only if signing in takes a code too. */
  readonly code?: string | undefined;
}

/** Binds the challenge to the session in which the proof was given. */
const purposeOf = ({ userId, sessionId }: Pick<Owner, 'userId' | 'sessionId'>): string =>
  `passkey of ${userId} in ${sessionId}`;

/**
 * Runs `act` for a caller who has the password and, if the account asks for codes, a code. Otherwise a stolen session and the password
 * would be enough to get around the codes. Throws `incorrect_password`, `invalid_code`, `too_many_attempts`, `try_again`.
 */
const withProof = <Result>(
  deps: AuthDeps,
  owner: Owner,
  { password, code = '' }: OwnerProof,
  act: (tx: Tx, email: string) => Promise<Result>,
): Promise<Result> =>
  asOwner<Proof | undefined, Result>(
    deps,
    { owner, password },
    async () =>
      (await selectConfirmedAt(deps.db, owner.userId)) && judgeCode(deps, owner.userId, code),
    async (tx, email, proof) => {
      if (proof !== undefined) await spendCode(tx, deps, owner.userId, proof);
      // An authenticator app has been added since the check.
      else if ((await selectConfirmedAt(tx, owner.userId)) !== undefined) {
        throw new AppError('try_again', { retryAfterSeconds: 1 });
      }
      return act(tx, email);
    },
  );

async function requireRoom(tx: Tx, userId: bigint) {
  const known = await selectPasskeys(tx, userId);
  if (known.length >= PASSKEYS_MAX) throw new AppError('factor_limit_reached');
  return known;
}

/** Returns the options with which the browser creates a passkey. Throws `factor_limit_reached` and the errors of `withProof`. */
export async function beginPasskey(
  deps: AuthDeps,
  site: PasskeySite,
  owner: Owner,
  proof: OwnerProof,
) {
  const { email, handle, known } = await withProof(deps, owner, proof, async (tx, email) => {
    const known = await requireRoom(tx, owner.userId);
    const handle = await ensureHandle(tx, owner.userId, randomBytes(HANDLE_BYTES));
    return { email, handle, known };
  });
  const person = { handle, address: email, name: email };
  return passkeyMakeOptions(site, purposeOf(owner), person, known);
}

/** Adds the passkey, named after the device. Throws `invalid_passkey`, `factor_limit_reached`, `session_ended`. */
export async function registerPasskey(
  deps: AuthDeps,
  site: PasskeySite,
  owner: Owner,
  response: z.output<typeof madePasskey>,
): Promise<void> {
  const { userId, sessionId, device } = owner;
  const made = await judgeMadePasskey(site, purposeOf(owner), response);
  if (made.outcome === 'refused') throw new AppError('invalid_passkey', { cause: made.cause });
  const now = dateOf(deps.clock);
  await deps.db.transaction().execute(async (tx) => {
    // A new password ends the other sessions, and with them the passkeys that they have begun to add.
    const isOpen =
      (await lockPassword(tx, userId)) !== undefined &&
      (await lockOpenSession(tx, { userId, sessionId }, now)) !== undefined;
    if (!isOpen) throw new AppError('session_ended');
    await requireRoom(tx, userId);
    const name = device.name ?? m.security_device_unknown();
    const isNew = await insertPasskey(tx, made, { userId, name, now });
    if (!isNew) throw new AppError('invalid_passkey');
    // From now on the account has a limit above which it confirms its spends.
    await deps.sessions.forgetUser(tx, userId);
    await notifyOfSecondStep(tx, deps, userId, 'passkey_added');
  });
}

/** Throws `not_found` and the errors of `withProof`. */
export const endPasskey = (
  deps: AuthDeps,
  owner: Owner,
  id: string,
  proof: OwnerProof,
): Promise<void> =>
  withProof(deps, owner, proof, async (tx) => {
    if (!(await deletePasskey(tx, { id, userId: owner.userId }))) throw new AppError('not_found');
    await notifyOfSecondStep(tx, deps, owner.userId, 'passkey_removed');
  });
