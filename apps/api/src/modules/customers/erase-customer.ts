/**
 * Erasing a customer (O-081): the same effects as the deletion of an account (decision 0010), requested by one member of staff and
 * decided by another. The balances are forfeited, so a refund or a write-off must be made first.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { consoleApi } from '@athos/contract/console/calls';
import { ERRORS } from '@athos/contract/errors';
import { exactAthText, microAth, parseUnits, TOKEN_ASSETS, usdOfTokens } from '@athos/domain/money';
import type { Action } from '../../capability.ts';
import type { Forfeited } from '../../ledger/index.ts';
import { dateOf } from '../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { perform, type PerformDeps } from '../approvals/index.ts';
import {
  closeAccount,
  lockPassword,
  requireClosable,
  selectOpenSessions,
  selectUserByUuid,
  type ClosingDeps,
} from '../identity/index.ts';
import { selectCurrentRate } from '../rate/index.ts';
import { countUnredeemedItems } from '../shop/index.ts';
import { presentBalances, readBalances } from '../transfers/index.ts';

export type EraseDeps = ConsoleDeps & PerformDeps & ClosingDeps;

const erasing = z.object({
  uuid: z.string(),
  /** The balances that the voters were shown. No more than these may be forfeited. */
  forfeits: z.partialRecord(z.enum(TOKEN_ASSETS), z.string()),
});
type Erasing = z.output<typeof erasing>;

async function requireOpen(db: Db | Tx, uuid: string) {
  const user = await selectUserByUuid(db, uuid);
  if (user === undefined || user.closed_at !== null) throw new AppError('not_found');
  return user;
}

type Balances = Awaited<ReturnType<typeof readBalances>>;

/** The amounts of these balances that the ledger would forfeit. */
const forfeitsOf = (balances: Balances): Erasing['forfeits'] =>
  Object.fromEntries(
    TOKEN_ASSETS.filter((asset) => balances[asset] > 0n).map((asset) => [
      asset,
      balances[asset].toString(),
    ]),
  );

/** Amounts such as `12.5 ATH`, for the voters. */
const amountTexts = (forfeits: Erasing['forfeits']): string[] =>
  Object.entries(forfeits).map(([asset, units]) => `${exactAthText(parseUnits(units))} ${asset}`);

const isSame = (forfeits: Erasing['forfeits'], forfeited: readonly Forfeited[]): boolean =>
  TOKEN_ASSETS.every(
    (asset) =>
      forfeits[asset] === forfeited.find((part) => part.asset === asset)?.amountUnits.toString(),
  );

export const eraseAction: Action<EraseDeps, Erasing> = {
  name: 'customer.erase',
  subjectType: 'customer',
  permission: 'customers.erase',
  policy: 'erasurePolicy',
  unit: 'ATH',
  payload: erasing,
  async lock(_deps, tx, { payload }) {
    const user = await selectUserByUuid(tx, payload.uuid);
    if (user === undefined) throw new AppError('not_found');
    // The same lock as for the owner's own deletion. A weaker lock could not be upgraded to it later without a deadlock.
    await lockPassword(tx, user.id);
  },
  /** Nothing is measured, so the action needs a vote whatever the policy says. */
  async preview(deps, tx, { payload: { uuid } }) {
    const { id: userId, email } = await requireOpen(tx, uuid);
    await requireClosable(deps, tx, userId);
    const balances = await readBalances(deps.ledger, userId);
    const rate = await selectCurrentRate(tx);
    const forfeits = forfeitsOf(balances);
    return {
      subjectId: uuid,
      version: JSON.stringify(forfeits),
      customer: { userId, uuid, email },
      amount: { asset: 'ATH', units: balances.ATH },
      ...(rate !== undefined && { usdCents: usdOfTokens(microAth(balances.ATH), rate) }),
      before: { state: 'open', unredeemed_items: await countUnredeemedItems(tx, userId) },
      after: { state: 'erased', forfeits: amountTexts(forfeits) },
    };
  },
  async execute(deps, tx, { id: key, payload: { uuid, forfeits } }) {
    const { id: userId } = await requireOpen(tx, uuid);
    const current = await lockPassword(tx, userId);
    if (current === undefined) throw new AppError('not_found');
    const closing = { userId, key, email: current.email, by: 'staff' } as const;
    const forfeited = await closeAccount(deps, tx, closing);
    // The voters did not agree to forfeit value that arrived while the last vote was cast.
    if (!isSame(forfeits, forfeited)) throw new AppError('state_changed');
  },
};

async function findObstacle(deps: EraseDeps, userId: bigint) {
  try {
    await deps.db.transaction().execute((tx) => requireClosable(deps, tx, userId));
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code } = error;
    return { code, title: ERRORS[code].title };
  }
}

export function registerErasure(app: FastifyInstance, deps: EraseDeps): void {
  const { db, clock, ledger } = deps;

  consoleEndpoint(app, deps, consoleApi.customerErasure, async ({ params }) => {
    const { id: userId } = await requireOpen(db, params.uuid);
    return {
      balances: presentBalances(await readBalances(ledger, userId)).balances,
      session_count: (await selectOpenSessions(db, userId, dateOf(clock))).length,
      unredeemed_count: await countUnredeemedItems(db, userId),
      obstacle: await findObstacle(deps, userId),
    };
  });

  consoleEndpoint(app, deps, consoleApi.eraseCustomer, async (act) => {
    const { uuid } = act.params;
    const { id: userId } = await requireOpen(act.tx, uuid);
    const forfeits = forfeitsOf(await readBalances(ledger, userId));
    return perform(deps, act, eraseAction, {
      payload: { uuid, forfeits },
      reason: act.body.reason,
    });
  });
}
