import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import {
  notePurchase,
  noteRefusedPurchase,
  purchase,
  purchaseFailure,
  type PurchaseFailure,
} from '../../api/purchase.ts';
import { confirmCart, settleCart } from '../../state/cart-intent.ts';
import type { CartStore } from '../../state/cart.ts';
import { failureText } from './cart-words.ts';

/**
 * Buys what is in the cart, also when its screen is left meanwhile. Where an earlier purchase may have been made, that one
 * is asked for again and no other. A failure keeps the cart, says why, and is returned; the call has logged it. Does nothing while a
 * purchase runs.
 */
export async function buyCart(store: CartStore): Promise<PurchaseFailure | undefined> {
  if (store.isPurchasing()) return undefined;
  store.setPurchasing(true);
  const { items, key, isRepeat } = confirmCart(store);
  try {
    await purchase(items, key);
    settleCart(store, key, true);
    toasts.show('success', m.cart_bought(), 3000);
    notePurchase();
    return undefined;
  } catch (error) {
    const failure = purchaseFailure(error, isRepeat);
    if (failure !== 'unknown') settleCart(store, key, false);
    toasts.show('danger', failureText(failure), 5000);
    noteRefusedPurchase();
    return failure;
  } finally {
    store.setPurchasing(false);
  }
}
