import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import type { PurchaseItem } from '@athos/contract/wallet/purchases';
import { athHundredths, microAth, parseUnits } from '@athos/domain/money';
import { createAttemptLimit } from '../../../platform/limits/attempt-limit.ts';
import { endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import { createFairGate } from '../../../platform/limits/gate.ts';
import { presentPictureOf } from '../../../platform/storage/stored-picture.ts';
import type { BuyDeps } from './buy.ts';
import type { CartLine } from './cart-check.ts';
import { selectItemsOfUser, type PurchaseItemRow } from './purchase.sql.ts';
import { Checkout } from './checkout.ts';
import { sendTip } from './tip.ts';

/**
 * The most items that `my_purchases` answers. It holds the largest cart there can be (50 offers of 99), and items that can
 * still be redeemed go before redeemed ones, so nobody loses sight of what can be used; a list without end would let one
 * user's past hold a connection and a megabyte at every visit.
 */
const MY_ITEMS_MAX = 5_000;

/**
 * Tips and repeats hold a connection while they wait for the buyer's lock and for the ledger, which serves one after the
 * other anyway: more at once would only keep connections from everybody else. Nobody waits past the end of the request.
 */
const LONE_TRANSACTIONS = {
  atOnceMax: 3,
  waitingMax: 500,
  waitMaxMs: 3_500,
  waitingOfOneMax: 50,
};
/** 5,000 items take a tenth of a second of this process: nobody's may be all that it does. */
const LISTS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500, waitingOfOneMax: 20 };

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

/** The lists of the wire, in matching order (spec 3), as lines. */
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
  const pass = createFairGate(LONE_TRANSACTIONS);
  const listing = createFairGate(LISTS);
  const checkout = new Checkout(deps, pass);

  endpoint(app, deps, api.purchase, async ({ user, body, key }) => {
    const bought = await checkout.buy({ userId: user.userId, key, lines: readLines(body) });
    return {
      purchase_id: Number(bought.purchaseId),
      items: bought.items.map(presentItem),
      balance: bought.balance.toString(),
    };
  });

  endpoint(app, deps, api.myPurchases, async ({ user, reply }) => {
    const items = await listing(user.userId, () =>
      selectItemsOfUser(deps.db, user.userId, MY_ITEMS_MAX),
    );
    reply.header('cache-control', 'no-store');
    return { purchases: items.map(presentItem) };
  });

  endpoint(app, deps, api.tip, async ({ user, body, key }) => {
    takeTip(user.userId);
    const tip = {
      userId: user.userId,
      key,
      offerId: body.offer_id,
      amount: microAth(parseUnits(body.amount)),
      from: body.tip_from,
      note: body.note,
    };
    const tipped = await pass(user.userId, () => sendTip(deps, tip));
    return { id: Number(tipped.transferId), balance: tipped.balance.toString() };
  });
}
