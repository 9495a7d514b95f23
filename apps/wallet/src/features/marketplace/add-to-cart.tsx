import { CART_COUNT_MIN } from '@athos/domain/cart-limits';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { plainText } from '@athos/ui/text/markdown';
import { QuantityPicker } from '@athos/ui/fields/quantity-picker';
import { toasts } from '@athos/ui/overlays/toast-store';
import ShoppingCart from 'lucide-react/icons/shopping-cart';
import { useState } from 'react';
import type { Offer } from '../../api/offer.ts';
import { useCart } from '../../state/cart.ts';
import { addBlockReason } from './offer-words.ts';
import { useBuyer } from '../../api/buyer.ts';

/** Spec 2: the quantity, and 'Add to cart'. */
export function AddToCart({ offer }: { offer: Offer }) {
  const [count, setCount] = useState(CART_COUNT_MIN);
  const { cart, store } = useCart();
  const buyer = useBuyer();

  const handleAdd = (): void => {
    store.add(offer, count);
    toasts.show('success', m.marketplace_added({ count }), 3000);
    setCount(CART_COUNT_MIN);
  };

  return (
    <div className="flex items-start gap-3">
      <div className="flex min-h-13 items-center">
        <QuantityPicker
          label={m.marketplace_quantity_label({ title: plainText(offer.title) })}
          value={count}
          onValueChange={setCount}
        />
      </div>
      <Button
        isWide
        icon={<ShoppingCart size={18} aria-hidden />}
        disabledReason={addBlockReason(offer, count, cart.items, buyer)}
        onClick={handleAdd}
      >
        {m.marketplace_add()}
      </Button>
    </div>
  );
}
