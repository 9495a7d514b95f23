import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/button';
import { EmptyState } from '@athos/ui/empty-state';
import { TextLink } from '@athos/ui/link';
import { Notice } from '@athos/ui/notice';
import { richText } from '@athos/ui/rich-text';
import { Screen } from '@athos/ui/screen';
import ShoppingCart from 'lucide-react/icons/shopping-cart';
import { useState } from 'react';
import { useCartCheck } from '../../api/cart-check.ts';
import type { PurchaseFailure } from '../../api/purchase.ts';
import { paths } from '../../routes/paths.ts';
import { useCart } from '../../state/cart.ts';
import { buyCart } from './buy-cart.ts';
import { CartFooter } from './cart-footer.tsx';
import { CartLines } from './cart-lines.tsx';
import { PurchasingOverlay } from './purchasing-overlay.tsx';
import { useRemoval } from './removal.tsx';
import { useBuyer } from '../../api/buyer.ts';

/** Spec 2 `/app/cart`. */
export function CartScreen() {
  const { cart, isPurchasing, store } = useCart();
  const [failure, setFailure] = useState<PurchaseFailure>();
  const { isFailed: isUnchecked } = useCartCheck(store);
  const buyer = useBuyer();
  const removal = useRemoval(store);
  const { items } = cart;

  const handleBuy = async (): Promise<void> => {
    setFailure(undefined);
    setFailure(await buyCart(store));
  };

  return (
    <>
      <div inert={isPurchasing}>
        <Screen
          title={m.cart_title()}
          backTo={paths.home}
          action={
            items.length === 0 ? undefined : (
              <CartFooter items={items} buyer={buyer} onBuy={() => void handleBuy()} />
            )
          }
        >
          {failure === 'unknown' && <UnknownOutcome />}
          {isUnchecked && <Notice kind="info">{m.cart_check_failed()}</Notice>}
          {items.length === 0 ? (
            <EmptyCart />
          ) : (
            <CartLines items={items} store={store} buyer={buyer} onRemove={removal.ask} />
          )}
        </Screen>
      </div>
      {removal.modal}
      {isPurchasing && <PurchasingOverlay />}
    </>
  );
}

function EmptyCart() {
  return (
    <EmptyState
      icon={<ShoppingCart size={28} />}
      title={m.cart_empty()}
      text={m.cart_empty_text()}
      action={
        <div className="flex flex-col items-center gap-2">
          <ButtonLink to={paths.home}>{m.cart_start_shopping()}</ButtonLink>
          <ButtonLink to={paths.myPurchases} variant="plain">
            {m.cart_see_purchases()}
          </ButtonLink>
        </div>
      }
    />
  );
}

/** The purchase may have gone through: what to do, and where to look. */
function UnknownOutcome() {
  return (
    <Notice kind="danger" title={m.cart_failed_unknown()}>
      {richText(m.cart_failed_unknown_where, {
        purchases: <TextLink to={paths.myPurchases}>{m.cart_see_purchases()}</TextLink>,
      })}
    </Notice>
  );
}
