import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import type { PurchaseItem } from '@athos/contract/wallet/purchases';
import { athHundredths, microAth, parseUnits } from '@athos/domain/money';
import { createAttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import { userCaller } from '../../../platform/limits/caller.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { requireConfirmedSpend } from '../../identity/index.ts';
import { presentPictureOf } from '../../../platform/storage/stored-picture.ts';
import type { BuyDeps } from './buy.ts';
import type { CartLine } from './cart-check.ts';
import { selectItemsOfUser, type PurchaseItemRow } from './purchase.sql.ts';
import { createCheckout } from './checkout.ts';
import { describePurchase, describeTip } from './describe-spend.ts';
import { sendTip } from './tip.ts';

/**
 * The maximum number of items that `my_purchases` returns, more than the largest cart contains (50 offers of 99 items). Above it,
 * redeemed items are left out first, so that usable ones stay visible. Without a limit, a long purchase history would cost a connection
 * and a megabyte on every visit.
 */
const MY_ITEMS_MAX = 5_000;

/**
 * Tips and replays hold a connection while they wait for the user's lock and for the ledger, which serializes them anyway, so running
 * more of them at once would only occupy connections. `waitMaxMs` is below the timeout of a request.
 */
const LONE_TRANSACTIONS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500, ofCallerMax: 1 };
/** 5,000 items take 100 ms of this process's time, so each user gets only a share of it. */
const LISTS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500, ofCallerMax: 1 };

const presentItem = (item: PurchaseItemRow): PurchaseItem => ({
  id: Number(item.id),
  purchase_id: Number(item.purchase_id),
  purchase_date: item.purchased_at.toISOString(),
  redeemed_at: item.redeemed_at?.toISOString() ?? null,
  redeemed_venue: item.redeemed_venue,
  offer: {
    id: item.offer_id,
    title: item.title,
    img: item.img,
    note: item.note,
    active: item.active,
    kind: item.kind,
    amount_cents: item.price_ath_hundredths,
    picture: presentPictureOf(item),
  },
});

/** Reads the lines from the request's parallel lists (spec 3). */
const readLines = (body: {
  offer_ids: readonly number[];
  offer_counts: readonly number[];
  offer_amounts?: readonly number[] | undefined;
}): CartLine[] =>
  body.offer_ids.map((offerId, index) => {
    const seenPrice = body.offer_amounts?.[index];
    return {
      offerId,
      itemCount: body.offer_counts[index] ?? 0,
      seenPrice: seenPrice === undefined ? undefined : athHundredths(seenPrice),
    };
  });

interface PurchaseRouteDeps extends BuyDeps, EndpointDeps {
  readonly config: { readonly limits: { readonly sendsPerSecond: number } };
}

export function registerPurchaseRoutes(app: FastifyInstance, deps: PurchaseRouteDeps): void {
  const takeTip = createAttemptLimit(deps.clock, deps.config.limits.sendsPerSecond);
  const transactionGate = createGate(LONE_TRANSACTIONS);
  const listGate = createGate(LISTS);
  const buy = createCheckout(deps, transactionGate);

  endpoint(app, deps, api.purchase, async ({ user, body, key, confirmation }) => {
    const lines = readLines(body);
    await requireConfirmedSpend(deps, { user, confirmation, key }, () =>
      describePurchase(deps, lines),
    );
    const bought = await buy({ userId: user.userId, key, lines });
    return {
      purchase_id: Number(bought.purchaseId),
      items: bought.items.map(presentItem),
      balance: bought.balance.toString(),
    };
  });

  endpoint(app, deps, api.myPurchases, async ({ user, reply }) => {
    const items = await listGate(userCaller(user.userId), () =>
      selectItemsOfUser(deps.db, user.userId, MY_ITEMS_MAX),
    );
    reply.header('cache-control', 'no-store');
    return { purchases: items.map(presentItem) };
  });

  endpoint(app, deps, api.tip, async ({ user, body, key, confirmation }) => {
    await takeTip(user.userId, () => deps.ledger.isKeyUsed(user.userId, key));
    await requireConfirmedSpend(deps, { user, confirmation, key }, () =>
      describeTip(deps.db, body),
    );
    const tip = {
      userId: user.userId,
      key,
      offerId: body.offer_id,
      amount: microAth(parseUnits(body.amount)),
      from: body.tip_from,
      note: body.note,
    };
    const tipped = await transactionGate(userCaller(user.userId), () => sendTip(deps, tip));
    return { id: Number(tipped.transferId), balance: tipped.balance.toString() };
  });
}
