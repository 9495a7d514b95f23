import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import type { Contributions } from '../../capability.ts';
import type { Ledger } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { AppError } from '../../platform/errors.ts';
import { callerOf, userCaller } from '../../platform/limits/caller.ts';
import { createGate } from '../../platform/limits/gate.ts';
import { findOwnTransfer, indexHistory } from '../activity/index.ts';
import { createSaltKeys, type SaltKey } from './leaf.ts';
import { makeReceipt, ownView, presentDay } from './make-receipt.ts';
import { selectDays, selectSealKeys } from './seals.sql.ts';
import { readShared, shareReceipt } from './share-receipt.ts';
import { deleteShare, selectShares, type Share } from './shares.sql.ts';

export interface ReceiptDeps extends EndpointDeps, Pick<Contributions, 'historySources'> {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly config: { readonly receiptKeys: readonly Buffer[]; readonly publicUrl: string };
}

/** A receipt takes about a millisecond of one core, and no person requests two at once. */
const RECEIPTS = { atOnceMax: 4, waitingMax: 200, waitMaxMs: 3_500, ofCallerMax: 1 };
/** Anyone may call these, so they may use only a few of the database's connections. One shared receipt uses up to two at once (`findArrival`). */
const SHARED_RECEIPTS = { atOnceMax: 1, waitingMax: 200, waitMaxMs: 3_500 };
const HEADS = { atOnceMax: 2, waitingMax: 2_000, waitMaxMs: 2_000 };

/** A head never changes, and it does no harm if a new one is visible a minute later. */
const CACHE = 'public, max-age=60';

const presentShare = ({ id, transferId, withNames, madeAt, expiresAt }: Share) => ({
  id,
  movement_id: Number(transferId),
  with_names: withNames,
  made_at: madeAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});

/** What anyone may read: receipts that were shared, and the heads of the ledger. */
function registerPublicRoutes(
  app: FastifyInstance,
  deps: ReceiptDeps,
  saltKeys: readonly SaltKey[],
): void {
  const { db, ledger, clock } = deps;
  const [sharedGate, headsGate] = [createGate(SHARED_RECEIPTS), createGate(HEADS)];

  endpoint(app, deps, api.sharedReceipt, async ({ body, request, reply }) => {
    const { receipt, taken, expiresAt } = await sharedGate(callerOf(request), () =>
      readShared({ db, ledger, clock, saltKeys }, body.token),
    );
    reply.header('cache-control', 'no-store');
    return {
      receipt: receipt ?? null,
      ...(taken && { taken }),
      expires_at: expiresAt.toISOString(),
    };
  });

  endpoint(app, deps, api.ledgerHeads, async ({ query: { limit, until }, request, reply }) => {
    const { days, keys } = await headsGate(callerOf(request), async () => ({
      days: await selectDays(db, { limit, untilDay: until }),
      keys: await selectSealKeys(db),
    }));
    reply.header('cache-control', CACHE);
    return { heads: days.map(presentDay), keys: keys.map((key) => key.toString('hex')) };
  });
}

export function registerReceiptRoutes(app: FastifyInstance, deps: ReceiptDeps): void {
  const { db, ledger, clock, config } = deps;
  const saltKeys = createSaltKeys(config.receiptKeys);
  const gate = createGate(RECEIPTS);
  const index = indexHistory(deps.historySources);
  registerPublicRoutes(app, deps, saltKeys);

  endpoint(app, deps, api.receipt, async ({ user, params, reply }) => {
    const transfer = await findOwnTransfer({ ledger, index }, user.userId, BigInt(params.id));
    if (transfer === undefined) throw new AppError('not_found');
    const receipt = await gate(userCaller(user.userId), () =>
      makeReceipt({ db, saltKeys }, transfer, ownView(transfer, user.userId)),
    );
    reply.header('cache-control', 'no-store');
    return { receipt: receipt ?? null };
  });

  endpoint(app, deps, api.shareReceipt, async ({ user: { userId }, params, body, reply }) => {
    const transfer = await findOwnTransfer({ ledger, index }, userId, BigInt(params.id));
    if (transfer === undefined) throw new AppError('not_found');
    const { with_names: withNames, days } = body;
    const { share, token } = await shareReceipt(deps, { userId, transfer, withNames, days });
    reply.header('cache-control', 'no-store');
    return { ...presentShare(share), link: `${config.publicUrl}/receipt#${token}` };
  });

  endpoint(app, deps, api.receiptShares, async ({ user, reply }) => {
    reply.header('cache-control', 'no-store');
    return { shares: (await selectShares(db, user.userId, dateOf(clock))).map(presentShare) };
  });

  endpoint(app, deps, api.endReceiptShare, async ({ user, params }) => {
    if (!(await deleteShare(db, user.userId, params.id))) throw new AppError('not_found');
    return { success: true } as const;
  });
}
