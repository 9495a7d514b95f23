/**
 * Buying: one transaction reads prices, takes stock, inserts the items and moves the value. Carts of different buyers share a
 * transaction: the ledger stays locked from its statement to the commit, which limits the commit rate (decision 0006).
 */
import { microAth, type MicroAth } from '@athos/domain/money';
import { userAccountId, type Ledger } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { commitEarly } from '../../../platform/database/early-commit.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { brakeRefusal } from '../../../platform/settings/brakes.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { imageOf } from '../../../platform/storage/stored-picture.ts';
import { lockUsers } from '../../identity/index.ts';
import { pay, type Refused } from '../../transfers/index.ts';
import { lineTransfers, PURCHASE_WORDS } from './books.ts';
import { priceCart, type Cart, type PricedCart, type ShopState } from './cart-check.ts';
import { lockOffers, selectOffers, updateStock, type OfferRow } from './offers.sql.ts';
import {
  insertPurchases,
  selectBought,
  selectBoughtCounts,
  type ItemRow,
  type PurchaseItemRow,
} from './purchase.sql.ts';

export interface BuyDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly programme: ReadProgramme;
}

export interface Bought {
  readonly purchaseId: bigint;
  readonly items: readonly PurchaseItemRow[];
  readonly balance: MicroAth;
}

export type CartOutcome =
  | { readonly outcome: 'bought'; readonly bought: Bought }
  /** The key belongs to an earlier purchase, which `replayPurchase` returns again. */
  | { readonly outcome: 'replayed'; readonly purchaseId: bigint }
  | Refused;

async function readBalances(
  ledger: Ledger,
  carts: readonly Cart[],
): Promise<Map<bigint, MicroAth>> {
  const found = await ledger.balances(carts.map(({ userId }) => userAccountId(userId, 'ATH')));
  return new Map(
    carts.map(({ userId }) => [userId, microAth(found.get(userAccountId(userId, 'ATH')) ?? 0n)]),
  );
}

/** Locks the buyers, and reads the earlier purchases with the same keys and the offers of the carts. */
async function lockAndRead(
  tx: Tx,
  carts: readonly Cart[],
  at: Date,
): Promise<{
  readonly repeated: ReadonlyMap<bigint, bigint>;
  readonly offers: ReadonlyMap<number, OfferRow>;
}> {
  const userIds = carts.map(({ userId }) => userId);
  const offerIds = new Set(carts.flatMap(({ lines }) => lines.map(({ offerId }) => offerId)));
  const [, repeated, offers] = await pipelined(tx, (pipe) =>
    Promise.all([
      lockUsers(pipe, userIds),
      selectBought(pipe, carts),
      selectOffers(pipe, [...offerIds], at),
    ]),
  );
  return { repeated, offers: new Map(offers.map((offer) => [offer.id, offer])) };
}

/** Locks those offers of the carts that have limited stock, and reads them again. */
async function lockLimitedOffers(
  tx: Tx,
  { carts, found }: { carts: readonly Cart[]; found: ReadonlyMap<number, OfferRow> },
  at: Date,
): Promise<ReadonlyMap<number, OfferRow>> {
  const wantedIds = new Set(carts.flatMap(({ lines }) => lines.map(({ offerId }) => offerId)));
  const limitedIds = [...wantedIds].filter((id) => (found.get(id)?.stock_left ?? null) !== null);
  if (limitedIds.length === 0) return found;
  const [, locked] = await pipelined(tx, (pipe) =>
    Promise.all([lockOffers(pipe, limitedIds), selectOffers(pipe, limitedIds, at)]),
  );
  return new Map([...found, ...locked.map((offer) => [offer.id, offer] as const)]);
}

/** Reads how many items of an offer each user has bought, for offers with a limit per user. */
async function readBoughtCounts(
  tx: Tx,
  carts: readonly Cart[],
  offers: ReadonlyMap<number, OfferRow>,
): Promise<ShopState['boughtCount']> {
  const wanted = carts.flatMap(({ userId, lines }) =>
    lines
      .filter(({ offerId }) => (offers.get(offerId)?.user_count_max ?? null) !== null)
      .map(({ offerId }) => ({ userId, offerId })),
  );
  const rows = wanted.length === 0 ? [] : await selectBoughtCounts(tx, wanted);
  const counts = new Map(
    rows.map((row) => [`${row.user_id} ${row.offer_id}`, row.item_count] as const),
  );
  return (userId, offerId) => counts.get(`${userId} ${offerId}`) ?? 0;
}

/** Prices the carts in order. Each takes its stock before the next one is priced: first come, first served. */
function priceCarts(
  carts: readonly Cart[],
  state: ShopState,
): { priced: Map<Cart, PricedCart | AppError>; taken: Map<number, number> } {
  const stockLeft = new Map(state.stockLeft);
  const taken = new Map<number, number>();
  const priced = new Map<Cart, PricedCart | AppError>();
  for (const cart of carts) {
    const result = priceCart(cart, { ...state, stockLeft });
    priced.set(cart, result);
    if (result instanceof AppError) continue;
    for (const { offerId, itemCount } of cart.lines) {
      const left = stockLeft.get(offerId);
      if (left === undefined) continue;
      stockLeft.set(offerId, left - itemCount);
      taken.set(offerId, (taken.get(offerId) ?? 0) + itemCount);
    }
  }
  return { priced, taken };
}

const refuseAll = (carts: readonly Cart[], refusal: AppError): ReturnType<typeof priceCarts> => ({
  priced: new Map(carts.map((cart) => [cart, refusal])),
  taken: new Map(),
});

async function readShop(
  tx: Tx,
  given: {
    readonly carts: readonly Cart[];
    readonly balances: ReadonlyMap<bigint, MicroAth>;
    readonly found: ReadonlyMap<number, OfferRow>;
    readonly at: Date;
  },
): Promise<ShopState> {
  const { carts, balances, found, at } = given;
  const offers = await lockLimitedOffers(tx, { carts, found }, at);
  return {
    offers,
    stockLeft: new Map(
      [...offers.values()].flatMap(({ id, stock_left: left }) =>
        left === null ? [] : [[id, left]],
      ),
    ),
    boughtCount: await readBoughtCounts(tx, carts, offers),
    balanceOf: (userId) => balances.get(userId) ?? microAth(0n),
    nowMs: at.getTime(),
  };
}

/** Inserts the accepted carts and moves their value. Throws `PaymentRefused`. */
async function writePurchases(
  { ledger }: BuyDeps,
  tx: Tx,
  sale: {
    readonly carts: readonly PricedCart[];
    readonly offers: ReadonlyMap<number, OfferRow>;
    readonly at: Date;
  },
): Promise<ReadonlyMap<bigint, Bought>> {
  const { carts, offers, at } = sale;
  const soldIds = new Set(carts.flatMap(({ lines }) => lines.map(({ offerId }) => offerId)));
  const sold = [...soldIds].flatMap((id) => offers.get(id) ?? []);
  const purchases = carts.map(({ userId, key, total, lines }) => ({
    userId,
    key,
    totalAthHundredths: total,
    lines: lines.map(({ offerId, itemCount, price }) => ({
      offerId,
      itemCount,
      priceAthHundredths: price,
    })),
  }));
  const soldAsShown = sold.map((offer) => ({ ...offer, img: imageOf(offer, offer.img) }));
  const transfers = carts.flatMap(({ userId, key, lines }) =>
    lineTransfers(
      { userId, key },
      lines.map(({ total, offerId }) => ({
        total,
        merchantId: offers.get(offerId)?.merchant_id ?? null,
      })),
    ),
  );
  const [items, paid] = await pipelined(tx, (pipe) =>
    Promise.all([
      insertPurchases(pipe, purchases, soldAsShown, at),
      pay(pipe, ledger, transfers, PURCHASE_WORDS),
    ]),
  );
  invariant(paid.outcome === 'done', 'a key without a purchase has moved nothing');
  const itemsOf = Map.groupBy(items, ({ user_id }) => user_id);
  let transferCount = 0;
  return new Map(
    carts.map((cart) => {
      transferCount += cart.lines.length;
      const last = paid.transfers[transferCount - 1];
      const own = itemsOf.get(cart.userId) ?? [];
      const [first] = own;
      invariant(
        last !== undefined && first !== undefined,
        'what was bought has items and was paid',
      );
      return [
        cart.userId,
        {
          purchaseId: first.purchase_id,
          items: own.map((item) => itemAsBought(item, { cart, offers, at })),
          balance: microAth(last.debitAfterUnits),
        },
      ];
    }),
  );
}

function itemAsBought(
  item: ItemRow,
  { cart, offers, at }: { cart: PricedCart; offers: ReadonlyMap<number, OfferRow>; at: Date },
): PurchaseItemRow {
  const line = cart.lines[item.line];
  const offer = offers.get(line?.offerId ?? 0);
  invariant(line !== undefined && offer !== undefined, 'an item belongs to a line of its cart');
  return {
    ...offer,
    ...item,
    offer_id: line.offerId,
    img: imageOf(offer, offer.img),
    price_ath_hundredths: line.price,
    purchased_at: at,
    redeemed_at: null,
    redeemed_venue: null,
  };
}

/**
 * Buys carts of different users in one transaction, deciding each separately. Guards in order: replay, brake, existence, state, money.
 * Throws `PaymentRefused` if the ledger refuses one of the carts; then, as after any other error, nothing was bought.
 */
export async function buyTogether(deps: BuyDeps, carts: readonly Cart[]): Promise<CartOutcome[]> {
  // Read before the transaction to keep it short. If a balance falls in the meantime, the ledger refuses.
  const balances = await readBalances(deps.ledger, carts);
  const stopped = await brakeRefusal(deps.programme, 'spending');
  return deps.db.transaction().execute(async (tx) => {
    // Committed early even if all carts are refused, because they hold the locks of their offers too.
    await commitEarly(tx);
    const at = dateOf(deps.clock);
    const { repeated, offers } = await lockAndRead(tx, carts, at);
    const fresh = carts.filter(({ userId }) => !repeated.has(userId));
    const state = await readShop(tx, { carts: fresh, balances, found: offers, at });
    const { priced, taken } =
      stopped === undefined ? priceCarts(fresh, state) : refuseAll(fresh, stopped);
    const accepted = [...priced.values()].flatMap((result) =>
      result instanceof AppError ? [] : [result],
    );
    if (taken.size > 0) await updateStock(tx, taken);
    const bought =
      accepted.length === 0
        ? new Map<bigint, Bought>()
        : await writePurchases(deps, tx, { carts: accepted, offers: state.offers, at });
    return carts.map((cart) => {
      const purchaseId = repeated.get(cart.userId);
      if (purchaseId !== undefined) return { outcome: 'replayed', purchaseId };
      const result = priced.get(cart);
      if (result instanceof AppError) return { outcome: 'refused', error: result };
      const own = bought.get(cart.userId);
      invariant(own !== undefined, 'a cart is bought or refused');
      return { outcome: 'bought', bought: own };
    });
  });
}
