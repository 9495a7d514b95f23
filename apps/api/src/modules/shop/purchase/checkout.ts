/** The checkout: carts of different buyers share transactions, and replays run separately. */
import { userCaller } from '../../../platform/limits/caller.ts';
import type { Gate } from '../../../platform/limits/gate.ts';
import { PayTogether, type Refused } from '../../transfers/index.ts';
import { replayPurchase } from './replay-purchase.ts';
import { buyTogether, type Bought, type BuyDeps, type CartOutcome } from './buy.ts';
import type { Cart } from './cart-check.ts';

const itemCountOf = ({ lines }: Cart): number =>
  lines.reduce((count, { itemCount }) => count + itemCount, 0);

/** Buys a cart, once per key. Throws an AppError if refused. */
type Buy = (cart: Cart) => Promise<Bought>;

/** Create one per process. Replays do not join a shared transaction; they go through `replayGate`. */
export function createCheckout(deps: BuyDeps, replayGate: Gate): Buy {
  const carts = new PayTogether<Cart, Exclude<CartOutcome, Refused>>({
    name: 'carts',
    payAll: (together) => buyTogether(deps, together),
    rowCountOf: itemCountOf,
  });
  return async (cart) => {
    const result = await carts.pay(cart);
    if (result.outcome === 'bought') return result.bought;
    return replayGate(userCaller(cart.userId), () => replayPurchase(deps, cart, result.purchaseId));
  };
}
