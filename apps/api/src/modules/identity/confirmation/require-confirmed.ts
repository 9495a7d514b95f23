/** Requires a fresh proof of the user's identity for an act, where the rules ask for one (decision 0071). */
import { createHash } from 'node:crypto';
import type { ConfirmationMethod } from '@athos/contract/wallet/confirmations';
import {
  limitOf,
  needsConfirmation,
  type ConfirmationLimit,
  type ConfirmedAct,
} from '@athos/domain/confirmation-rules';
import { usdCents, type UsdCents } from '@athos/domain/money';
import type { Ledger } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { takeChallenge } from '../../../platform/factors/challenges.sql.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import {
  isCounted,
  lockLimit,
  selectFactors,
  updateSpent,
  upsertCounted,
  type Factors,
  type StoredLimit,
} from './confirmations.sql.ts';
import { lockOpenUser } from '../users.sql.ts';

export interface ConfirmingDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** An act to confirm. A confirmation is valid for this act only. */
export interface Act {
  readonly act: ConfirmedAct;
  /** The values that distinguish the act from others: receiver, amount, asset. */
  readonly parts: readonly string[];
  /** Shown to the owner: members of the problem document. */
  readonly facts?: Readonly<Record<string, string>>;
}

type Confirmer = Pick<SignedInUser, 'userId' | 'userUuid' | 'sessionId' | 'confirmsSpends'>;

/** The caller, with the `X-Confirmation` header of the request. */
interface Caller {
  readonly user: Confirmer;
  readonly confirmation: string | undefined;
}

const actHashOf = ({ userUuid }: Pick<Confirmer, 'userUuid'>, { act, parts }: Act): Buffer =>
  createHash('sha256')
    .update(`confirm-v1\n${JSON.stringify([userUuid, act, ...parts])}`)
    .digest();

/** Binds a confirmation to the session that requested it and to its act (hexadecimal). */
export const confirmationPurpose = (sessionId: string, actHash: string): string =>
  `confirmation of ${actHash} in ${sessionId}`;

/**
 * An account with an authenticator app confirms with a code or a passkey, because its password alone does not open the account either.
 * Other accounts may also confirm with the password.
 */
export const methodsOf = ({ hasTotp, hasPasskey }: Factors): ConfirmationMethod[] => [
  ...(hasPasskey ? (['passkey'] as const) : []),
  hasTotp ? 'totp' : 'password',
];

/** The limit that applies at a time. */
export function limitInForce(stored: StoredLimit, factors: Factors, now: Date): ConfirmationLimit {
  const { own } = stored.next !== undefined && stored.next.from <= now ? stored.next : stored;
  return limitOf(own, factors.hasTotp || factors.hasPasskey);
}

function refusal(user: Confirmer, act: Act, factors: Factors): AppError {
  return new AppError('confirmation_required', {
    detail: 'Nothing was done. Confirm that it is you, and send the same request again.',
    extra: {
      ...act.facts,
      action: act.act,
      action_hash: actHashOf(user, act).toString('hex'),
      methods: methodsOf(factors),
    },
  });
}

/** Uses up a confirmation. Returns whether it was valid for this act in this session. */
async function takeConfirmation(
  tx: Tx,
  { user, confirmation }: Caller,
  { actHash, now }: { readonly actHash: Buffer; readonly now: Date },
): Promise<boolean> {
  if (confirmation === undefined) return false;
  const purpose = confirmationPurpose(user.sessionId, actHash.toString('hex'));
  return takeChallenge(tx, confirmation, { purpose, now });
}

/** Requires a confirmation for an act that always needs one. Throws `confirmation_required`. */
export async function requireConfirmed(
  tx: Tx,
  { clock }: Pick<ConfirmingDeps, 'clock'>,
  caller: Caller,
  act: Act,
): Promise<void> {
  const { user } = caller;
  const taken = { actHash: actHashOf(user, act), now: dateOf(clock) };
  if (await takeConfirmation(tx, caller, taken)) return;
  throw refusal(user, act, await selectFactors(tx, user.userId));
}

/** The spend that a request makes. */
export interface Spend extends Act {
  readonly worth: UsdCents;
  /** Whether this is a send to a receiver whom no send of this account has reached before. */
  readonly isFirstTime?: boolean;
}

interface Counted {
  readonly caller: Caller;
  readonly key: string;
  readonly spend: Spend;
  readonly factors: Factors;
}

/** Counts a spend, or resets the count with a confirmation. Returns `false` if the spend needs a confirmation. */
async function count(
  { clock, db }: ConfirmingDeps,
  { caller, key, spend, factors }: Counted,
): Promise<boolean> {
  const { userId } = caller.user;
  const { worth, isFirstTime = false } = spend;
  const actHash = actHashOf(caller.user, spend);
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    if (!(await lockOpenUser(tx, userId))) throw new AppError('session_ended');
    const stored = await lockLimit(tx, userId);
    const limit = limitInForce(stored, factors, now);
    if (limit === undefined || (await isCounted(tx, userId, { key, actHash }))) return true;
    const { spent } = stored;
    if (!needsConfirmation(limit, { worth, spent, isFirstTime })) {
      await updateSpent(tx, userId, usdCents(spent + worth));
    } else if (await takeConfirmation(tx, caller, { actHash, now })) {
      await updateSpent(tx, userId, usdCents(0n));
    } else return false;
    await upsertCounted(tx, userId, { key, actHash, at: now });
    return true;
  });
}

/**
 * Requires a confirmation for a spend if it exceeds the account's limit. Costs accounts without a limit nothing: `describe` is called
 * only for others. A spend is counted before it is made, and stays counted if it is refused afterwards: that may require a confirmation
 * too early, never too late. The same request under the same key passes again. Throws `confirmation_required`; then nothing was counted,
 * and the key can be used again.
 */
export async function requireConfirmedSpend(
  deps: ConfirmingDeps & { readonly ledger: Ledger },
  caller: Caller & { readonly key: string },
  describe: () => Promise<Spend>,
): Promise<void> {
  const { user, key } = caller;
  if (user.confirmsSpends !== true) return;
  const factors = await selectFactors(deps.db, user.userId);
  const spend = await describe();
  if (await count(deps, { caller, key, spend, factors })) return;
  // The ledger replays the first outcome for the same request, and refuses another request under its key.
  if (await deps.ledger.isKeyUsed(user.userId, key)) return;
  throw refusal(user, spend, factors);
}
