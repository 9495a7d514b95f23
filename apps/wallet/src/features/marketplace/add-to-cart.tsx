import { mainToken } from '@athos/brand/brand';
import { CART_COUNT_MIN } from '@athos/domain/cart-limits';
import { addMicroAth, exactAthText, missingOf } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { plainText } from '@athos/ui/text/markdown';
import { QuantityPicker } from '@athos/ui/fields/quantity-picker';
import { BalanceAfter, BuyMissing } from '@athos/ui/money/balance-after';
import { toasts } from '@athos/ui/overlays/toast-store';
import ShoppingCart from 'lucide-react/icons/shopping-cart';
import { useState } from 'react';
import { useBuyer } from '../../api/buyer.ts';
import type { Offer } from '../../api/offer.ts';
import { useDisplayRate } from '../../api/rate.ts';
import { paths } from '../../routes/paths.ts';
import { cartTotal, lineTotal } from '../../state/cart-item.ts';
import { useCart } from '../../state/cart.ts';
import { addBlockReason, balanceReason } from './offer-words.ts';

/** Spec 2: the quantity, and 'Add to cart', with the balance that would be left, or the way to buy the missing ATH. */
export function AddToCart({ offer }: { offer: Offer }) {
  const [count, setCount] = useState(CART_COUNT_MIN);
  const { cart, store } = useCart();
  const buyer = useBuyer();
  const usdPerAth = useDisplayRate();

  const handleAdd = (): void => {
    store.add(offer, count);
    toasts.show('success', m.marketplace_added({ count }), 3000);
    setCount(CART_COUNT_MIN);
  };

  const inCart = cartTotal(cart.items);
  const cost = addMicroAth(lineTotal({ offer, count }), inCart);
  const { balance } = buyer;
  const blockReason = addBlockReason(offer, count, cart.items, buyer);
  // A higher balance would not help if another reason blocks the purchase.
  const isSold = blockReason === undefined;
  const missing = isSold && balance !== undefined ? missingOf(balance, cost) : undefined;

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-3">
        <div className="flex min-h-13 items-center">
          <QuantityPicker
            label={m.marketplace_quantity_label({ title: plainText(offer.title) })}
            value={count}
            onValueChange={setCount}
          />
        </div>
        <div className="grow basis-40">
          <Button
            isWide
            icon={<ShoppingCart size={18} aria-hidden />}
            disabledReason={blockReason ?? balanceReason(cost, balance)}
            onClick={handleAdd}
          >
            {m.marketplace_add()}
          </Button>
        </div>
      </div>
      {/* Below the button, which must not move when a row appears. */}
      {isSold && (
        <BalanceAfter balance={balance} cost={cost} symbol={mainToken.symbol} inCart={inCart} />
      )}
      {missing !== undefined && (
        <BuyMissing
          missing={missing}
          usdPerAth={usdPerAth}
          symbol={mainToken.symbol}
          to={paths.buyMissing(exactAthText(missing), paths.offer(offer))}
        />
      )}
    </div>
  );
}
