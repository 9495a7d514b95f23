import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { DetailList } from '@athos/ui/primitives/card';
import { Dialog } from '@athos/ui/overlays/dialog';
import { toasts } from '@athos/ui/overlays/toast-store';
import { SuccessMoment } from '@athos/ui/overlays/success-moment';
import { InlineMarkdown } from '@athos/ui/text/markdown';
import { useEffect, useState } from 'react';
import { paths } from '../../routes/paths.ts';
import { cartCount, cartTotal, lineTotal, type CartItem } from '../../state/cart-item.ts';
import type { CartPurchase } from '../../state/cart-purchase.ts';
import { amountText } from './cart-words.ts';

type DonePurchase = Extract<CartPurchase, { status: 'done' }>;

interface BoughtModalProps {
  /** The dialog is open only while its status is `done`. */
  purchase: CartPurchase;
  onClose: () => void;
}

/** The purchased items, the remaining balance, and the way to their QR code. Backdrop, Esc and 'Done' close it. */
export function BoughtModal({ purchase, onClose }: BoughtModalProps) {
  // Kept so that the dialog still shows it while it fades out.
  const [bought, setBought] = useState<DonePurchase>();
  if (purchase.status === 'done' && purchase !== bought) setBought(purchase);
  // Leaving the screen also closes it.
  useEffect(() => onClose, [onClose]);
  if (bought === undefined) return null;
  const { content: items, data } = bought;
  const title = m.cart_bought_title({ count: cartCount(items) });
  const handleShowCode = (): void => {
    // Toasts would cover the code for some seconds.
    toasts.clear();
    onClose();
  };
  return (
    <Dialog
      isOpen={purchase.status === 'done'}
      onClose={onClose}
      hasCloseButton={false}
      // The 'Buy' button has disappeared with the cart's lines.
      focusAfter={() => document.getElementById('content')}
      isTitleHidden
      title={title}
      actions={
        <>
          <Button variant="quiet" isWide onClick={onClose}>
            {m.common_done()}
          </Button>
          <ButtonLink to={paths.redeemPurchase(data.purchaseId)} isWide onClick={handleShowCode}>
            {m.cart_bought_code()}
          </ButtonLink>
        </>
      }
    >
      <div className="flex flex-col items-center gap-3 text-center">
        <SuccessMoment />
        <p aria-hidden="true" className="font-display text-headline font-bold text-balance">
          {title}
        </p>
      </div>
      <BoughtLines items={items} />
      <DetailList
        details={[
          { label: m.cart_bought_paid(), value: amountText(cartTotal(items)) },
          { label: m.cart_bought_balance(), value: amountText(data.balance), isTotal: true },
        ]}
      />
    </Dialog>
  );
}

function BoughtLines({ items }: { items: readonly CartItem[] }) {
  return (
    <ul aria-label={m.cart_bought_lines()} className="flex flex-col gap-2">
      {items.map((item) => (
        <li
          key={item.offer.id}
          className="text-body flex flex-wrap items-baseline justify-between gap-x-4"
        >
          <span className="min-w-0 grow basis-40 font-semibold">
            {`${item.count} × `}
            <InlineMarkdown text={item.offer.title} />
          </span>
          <span className="text-ink-quiet tabular ml-auto">{amountText(lineTotal(item))}</span>
        </li>
      ))}
    </ul>
  );
}
