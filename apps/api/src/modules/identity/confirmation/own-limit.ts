/** How owners see and change the limit above which they must confirm a spend. */
import {
  isRaise,
  limitOf,
  RAISE_WAIT_MS,
  type ConfirmationLimit,
} from '@athos/domain/confirmation-rules';
import { usdCents, type UsdCents } from '@athos/domain/money';
import { dateOf } from '../../../platform/clock.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { notifyOfSecondStep } from '../second-step/codes.ts';
import {
  lockLimit,
  selectFactors,
  selectLimit,
  updateLimit,
  type Factors,
  type StoredLimit,
} from './confirmations.sql.ts';
import { limitInForce, requireConfirmed } from './require-confirmed.ts';

export interface OwnLimit {
  readonly limit: ConfirmationLimit;
  /** The limit that applies if the owner has not chosen one. */
  readonly usual: ConfirmationLimit;
  /** A raise that has not come into force yet. */
  readonly next: { readonly limit: ConfirmationLimit; readonly from: Date } | undefined;
}

const hasFactor = ({ hasTotp, hasPasskey }: Factors): boolean => hasTotp || hasPasskey;

function presentLimit(stored: StoredLimit, factors: Factors, now: Date): OwnLimit {
  const { next } = stored;
  const isWaiting = next !== undefined && next.from > now;
  return {
    limit: limitInForce(stored, factors, now),
    usual: limitOf(undefined, hasFactor(factors)),
    next: isWaiting ? { limit: limitOf(next.own, hasFactor(factors)), from: next.from } : undefined,
  };
}

export async function readOwnLimit({ db, clock }: AuthDeps, userId: bigint): Promise<OwnLimit> {
  const factors = await selectFactors(db, userId);
  return presentLimit(await selectLimit(db, userId), factors, dateOf(clock));
}

/**
 * Sets the limit; `undefined` restores the usual one. A lower limit applies at once and cancels a pending raise. A raise needs a
 * confirmation, is announced by mail, and applies after a day. Throws `confirmation_required`.
 */
export async function changeOwnLimit(
  deps: AuthDeps,
  caller: { readonly user: SignedInUser; readonly confirmation: string | undefined },
  wanted: UsdCents | undefined,
): Promise<OwnLimit> {
  const { db, clock, sessions } = deps;
  const { userId } = caller.user;
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    const stored = await lockLimit(tx, userId);
    const factors = await selectFactors(tx, userId);
    const before = limitInForce(stored, factors, now);
    const isRaised = isRaise(before, limitOf(wanted, hasFactor(factors)));
    if (isRaised) {
      const parts = [wanted === undefined ? 'usual' : String(wanted)];
      await requireConfirmed(tx, deps, caller, { act: 'raise_limit', parts });
      await notifyOfSecondStep(tx, deps, userId, 'limit_raised');
    }
    const changed: StoredLimit = isRaised
      ? {
          ...stored,
          own: before,
          next: { own: wanted, from: new Date(now.getTime() + RAISE_WAIT_MS) },
        }
      : { ...stored, own: wanted, next: undefined };
    await updateLimit(tx, userId, changed);
    // Every process has to know that this account has a limit.
    await sessions.forgetUser(tx, userId);
    return presentLimit(changed, factors, now);
  });
}

/** The limit for an amount in cents, which the request's schema has bounded. */
export const limitOfCents = (cents: number | null): UsdCents | undefined =>
  cents === null ? undefined : usdCents(BigInt(cents));
