import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { purchase } from '../../api/purchase.ts';
import { cartPurchaseOf, type CartPurchase } from '../../state/cart-purchase.ts';
import { cartOf } from '../../state/cart.ts';
import { failureText } from './cart-words.ts';

/**
 * Buys what is in the cart, even if its screen is left before the answer. A failure keeps the cart, says why, and is returned;
 * the client has logged it.
 */
export const buyCart = (userUuid: string): Promise<CartPurchase> =>
  cartPurchaseOf(userUuid).ask(cartOf(userUuid).get().items, async (intent) => {
    const outcome = await purchase(intent);
    if (outcome.status === 'done') toasts.show('success', m.cart_bought(), 3000);
    else toasts.show('danger', failureText(outcome), 5000);
    return outcome;
  });
