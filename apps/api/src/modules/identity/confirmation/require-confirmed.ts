/** Lets an act pass only with a fresh proof of who it is, where the rules ask for one (decision 0071). */
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

export interface ConfirmingDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** What is confirmed. A confirmation is good for this and nothing else. */
export interface Act {
  readonly act: ConfirmedAct;
  /** Everything that makes it another act if it differs: receiver, amount, asset. */
  readonly parts: readonly string[];
  /** Shown to the owner: members of the problem document. */
  readonly facts?: Readonly<Record<string, string>>;
}

type Confirmer = Pick<SignedInUser, 'userId' | 'userUuid' | 'sessionId' | 'confirmsSpends'>;

/** Who acts, and the `X-Confirmation` that came with the request. */
interface Caller {
  readonly user: Confirmer;
  readonly confirmation: string | undefined;
}

const actHashOf = ({ userUuid }: Pick<Confirmer, 'userUuid'>, { act, parts }: Act): Buffer =>
  createHash('sha256')
    .update(`confirm-v1\n${JSON.stringify([userUuid, act, ...parts])}`)
    .digest();

/** Binds a confirmation to the session that asked for it and to its act (hexadecimal). */
export const confirmationPurpose = (sessionId: string, actHash: string): string =>
  `confirmation of ${actHash} in ${sessionId}`;

/**
 * Whoever has an authenticator app confirms with a code or a passkey, because the password alone does not open the account either.
 * Everybody else may take the password.
 */
export const methodsOf = ({ hasTotp, hasPasskey }: Factors): ConfirmationMethod[] => [
  ...(hasPasskey ? (['passkey'] as const) : []),
  hasTotp ? 'totp' : 'password',
];

/** The limit that holds at a time. */
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

/** Uses a confirmation up. Returns whether it was good for this act of this session. */
async function takeConfirmation(
  tx: Tx,
  { user, confirmation }: Caller,
  { actHash, now }: { readonly actHash: Buffer; readonly now: Date },
): Promise<boolean> {
  if (confirmation === undefined) return false;
  const purpose = confirmationPurpose(user.sessionId, actHash.toString('hex'));
  return takeChallenge(tx, confirmation, { purpose, now });
}

/** For an act that always takes a confirmation. Throws `confirmation_required`. */
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

/** What a request spends. */
export interface Spend extends Act {
  readonly worth: UsdCents;
  /** A send to somebody whom no send of this account has reached. */
  readonly isFirstTime?: boolean;
}

interface Counted {
  readonly caller: Caller;
  readonly key: string;
  readonly spend: Spend;
  readonly factors: Factors;
}

/** Counts a spend, or resets the count with a confirmation. Returns `false` if it takes one. */
async function count(
  { clock, db }: ConfirmingDeps,
  { caller, key, spend, factors }: Counted,
): Promise<boolean> {
  const { userId } = caller.user;
  const { worth, isFirstTime = false } = spend;
  const actHash = actHashOf(caller.user, spend);
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
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
 * For what spends. Costs accounts without a limit nothing: `describe` is asked for the others alone. A spend is counted before it is
 * made, and stays counted if it is refused then: that asks for a confirmation too early, never too late. The same request under the
 * same key passes again. Throws `confirmation_required`; then nothing was counted, and the key is free.
 */
export async function requireConfirmedSpend(
  deps: ConfirmingDeps & { readonly ledger: Ledger },
  { key, ...caller }: Caller & { readonly key: string },
  describe: () => Promise<Spend>,
): Promise<void> {
  const { user } = caller;
  if (user.confirmsSpends !== true) return;
  const factors = await selectFactors(deps.db, user.userId);
  const spend = await describe();
  if (await count(deps, { caller, key, spend, factors })) return;
  // The ledger answers a repeated request as it did at first, and refuses another one under its key.
  if (await deps.ledger.isKeyUsed(user.userId, key)) return;
  throw refusal(user, spend, factors);
}
