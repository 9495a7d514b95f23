/**
 * Holds on a customer. The ledger stops movements out of or into the balance: its account state is the union of the standing holds.
 * Signing in, buying tokens and redeeming check the holds themselves.
 */
import type { HoldKind } from '@athos/contract/console/holds';
import type { HeldMovement, Ledger } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import {
  deleteLifted,
  lockHolder,
  selectHeldKinds,
  selectUsersWithEnded,
  updateEnded,
  updateLifted,
  upsertHold,
  type HoldCause,
  type NewHold,
} from './holds.sql.ts';

export interface HoldDeps {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly sessions: { revokeAll(tx: Tx, userId: bigint): Promise<void> };
}

const MOVEMENTS: readonly HeldMovement[] = ['send', 'spend', 'receive'];

/** Runs `change`, then stores the union of the standing holds in the ledger. Takes the ledger's lock last, and only if it is needed. */
async function changeHolds<T>(
  { ledger }: Pick<HoldDeps, 'ledger'>,
  tx: Tx,
  { userId, change }: { readonly userId: bigint; readonly change: () => Promise<T> },
): Promise<T> {
  await lockHolder(tx, userId);
  const before = await selectHeldKinds(tx, userId);
  const result = await change();
  const after = await selectHeldKinds(tx, userId);
  if (MOVEMENTS.some((movement) => before.has(movement) !== after.has(movement))) {
    const held = MOVEMENTS.filter((movement) => after.has(movement));
    await ledger.setHeldMovements(tx, userId, held);
  }
  return result;
}

/**
 * Places a hold, or replaces that of the same cause. A hold on signing in ends all sessions. Call it last in `tx`, because it may lock
 * the ledger. Sending, spending and receiving stop with the commit, even for requests in progress.
 */
export function placeHold(deps: HoldDeps, tx: Tx, hold: NewHold): Promise<void> {
  const { userId, kinds } = hold;
  return changeHolds(deps, tx, {
    userId,
    async change() {
      await upsertHold(tx, hold, dateOf(deps.clock));
      if (kinds.includes('sign_in')) await deps.sessions.revokeAll(tx, userId);
    },
  });
}

/** Lifts the hold of one cause and leaves the others. Returns whether there was one. Call it last, like `placeHold`. */
export function liftHold(
  deps: Pick<HoldDeps, 'clock' | 'ledger'>,
  tx: Tx,
  { userId, cause, liftedBy }: { userId: bigint; cause: HoldCause; liftedBy?: string },
): Promise<boolean> {
  const lifted = { at: dateOf(deps.clock), by: liftedBy };
  return changeHolds(deps, tx, {
    userId,
    change: () => updateLifted(tx, { userId, cause }, lifted),
  });
}

/** Whether a standing hold stops `kind`. */
export const isHeld = async (tx: Tx | Db, userId: bigint, kind: HoldKind): Promise<boolean> =>
  (await selectHeldKinds(tx, userId)).has(kind);

/** The refusal while a hold stands. `nothing` tells the user what was not done. */
export const accountRestricted = (nothing: string): AppError =>
  new AppError('account_restricted', { detail: `${nothing} Ask support why.` });

/** Throws `account_restricted` while a hold stops `kind`. `nothing` tells the user what was not done. */
export async function requireNotHeld(
  tx: Tx | Db,
  { userId, kind, nothing }: { userId: bigint; kind: HoldKind; nothing: string },
): Promise<void> {
  if (await isHeld(tx, userId, kind)) throw accountRestricted(nothing);
}

/** Throws `account_restricted` while any hold stands, because deleting the account would defeat the hold. */
export async function requireNoHold(tx: Tx, userId: bigint): Promise<void> {
  if ((await selectHeldKinds(tx, userId)).size === 0) return;
  throw accountRestricted('Nothing was deleted.');
}

/** About 5 s of work on one connection, and far more holds than expire in a minute. */
const LIFTED_PER_RUN_MAX = 1_000;
/** As long as redemptions are stored: until a card payment can no longer be disputed. */
const LIFTED_KEPT_MS = 500 * 24 * 60 * 60_000;

/** Lifts expired holds, one transaction for each user. */
export async function liftEnded(deps: HoldDeps & { readonly db: Db }): Promise<void> {
  const now = dateOf(deps.clock);
  for (const userId of await selectUsersWithEnded(deps.db, now, LIFTED_PER_RUN_MAX)) {
    await deps.db
      .transaction()
      .execute((tx) =>
        changeHolds(deps, tx, { userId, change: () => updateEnded(tx, userId, now) }),
      );
  }
}

export const pruneHolds = ({ db, clock }: { readonly db: Db; readonly clock: Clock }) =>
  deleteLifted(db, new Date(clock.nowMs() - LIFTED_KEPT_MS));
