import { isFrozen } from '@athos/app-core/intents/intent';
import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { TextLink } from '@athos/ui/primitives/link';
import { Notice } from '@athos/ui/primitives/notice';
import { richText } from '@athos/ui/text/rich-text';
import { optionalPart } from '@athos/ui/layout/optional-part';
import { Screen } from '@athos/ui/layout/screen';
import ShoppingCart from 'lucide-react/icons/shopping-cart';
import { Suspense, useState } from 'react';
import { useCartCheck } from '../../api/cart-check.ts';
import { paths } from '../../routes/paths.ts';
import { cartCount, cartTotal, type CartItem } from '../../state/cart-item.ts';
import { cartPurchaseOf, useCartPurchase } from '../../state/cart-purchase.ts';
import { useCart } from '../../state/cart.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { buyCart } from './buy-cart.ts';
import { CartFooter } from './cart-footer.tsx';
import { CartLines } from './cart-lines.tsx';
import { amountText } from './cart-words.ts';
import { PurchasingOverlay } from './purchasing-overlay.tsx';
import { useRemoval } from './removal.tsx';
import { useBuyer } from '../../api/buyer.ts';

// Without it, a toast still says that the cart was bought.
const BoughtModal = optionalPart(async () => (await import('./bought-modal.tsx')).BoughtModal);

/** Spec 2 `/app/cart`. */
export function CartScreen() {
  const { cart, store } = useCart();
  const userUuid = useUserUuid();
  const purchase = useCartPurchase();
  const isPurchasing = purchase.status === 'asking';
  // The purchase may have gone through, so its lines can be neither changed nor checked.
  const isSettling = isFrozen(purchase);
  const { isFailed: isUnchecked } = useCartCheck(store, isPurchasing);
  const buyer = useBuyer();
  const removal = useRemoval(store);
  // The modal's code begins to load with the purchase.
  const [hasAsked, setHasAsked] = useState(false);
  if (!hasAsked && (isPurchasing || purchase.status === 'done')) setHasAsked(true);
  const { items } = cart;
  const isEmpty = items.length === 0 && !isSettling;

  return (
    <>
      <div inert={isPurchasing} className="flex grow flex-col">
        <Screen
          title={m.cart_title()}
          backTo={paths.home}
          actionPlace="beside"
          action={
            isEmpty ? undefined : (
              <CartFooter
                items={items}
                isSettling={isSettling}
                buyer={buyer}
                onBuy={() => void buyCart(userUuid)}
              />
            )
          }
        >
          {purchase.status === 'unknown' && <UnknownOutcome items={purchase.content} />}
          {isUnchecked && !isSettling && <Notice kind="info">{m.cart_check_failed()}</Notice>}
          {isEmpty ? (
            <EmptyCart />
          ) : (
            <fieldset disabled={isSettling} className="contents">
              <CartLines
                items={items}
                store={store}
                buyer={isSettling ? undefined : buyer}
                onRemove={removal.ask}
              />
            </fieldset>
          )}
        </Screen>
      </div>
      {removal.modal}
      {isPurchasing && <PurchasingOverlay />}
      {hasAsked && (
        <Suspense>
          <BoughtModal purchase={purchase} onClose={cartPurchaseOf(userUuid).reset} />
        </Suspense>
      )}
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

/** Says which purchase may have gone through, what to do, and where to check. */
function UnknownOutcome({ items }: { items: readonly CartItem[] }) {
  return (
    <Notice kind="danger" title={m.cart_failed_unknown()}>
      {m.cart_failed_unknown_what({
        count: cartCount(items),
        amount: amountText(cartTotal(items)),
      })}{' '}
      {richText(m.cart_failed_unknown_where, {
        purchases: <TextLink to={paths.myPurchases}>{m.cart_see_purchases()}</TextLink>,
      })}
    </Notice>
  );
}
