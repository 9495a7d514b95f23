import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { purchase } from '../../api/purchase.ts';
import { cartPurchaseOf, type CartPurchase } from '../../state/cart-purchase.ts';
import { cartOf } from '../../state/cart.ts';
import { failureText } from './cart-words.ts';

/**
 * Buys the contents of the cart, even if the user leaves its screen before the response. A failure keeps the cart,
 * shows the reason, and is returned; the client has logged it.
 */
export const buyCart = (userUuid: string): Promise<CartPurchase> =>
  cartPurchaseOf(userUuid).ask(cartOf(userUuid).get().items, async (intent) => {
    const show = toasts.attempt('purchase');
    const outcome = await purchase(intent);
    if (outcome.status === 'done') show('success', m.cart_bought(), 3000);
    else show('danger', failureText(outcome), 5000);
    return outcome;
  });
