import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { DetailList } from '@athos/ui/primitives/card';
import { Dialog } from '@athos/ui/overlays/dialog';
import { SuccessMoment } from '@athos/ui/overlays/success-moment';
import { InlineMarkdown } from '@athos/ui/text/markdown';
import QrCode from 'lucide-react/icons/qr-code';
import { useEffect, useState } from 'react';
import { paths } from '../../routes/paths.ts';
import { cartCount, cartTotal, lineTotal, type CartItem } from '../../state/cart-item.ts';
import type { CartPurchase } from '../../state/cart-purchase.ts';
import { amountText } from './cart-words.ts';

type DonePurchase = Extract<CartPurchase, { status: 'done' }>;

interface BoughtModalProps {
  /** The dialog is closed unless this is done. */
  purchase: CartPurchase;
  onClose: () => void;
}

/** What was bought, what is left, and the way to its QR code. Backdrop, Esc and 'Done' close it. */
export function BoughtModal({ purchase, onClose }: BoughtModalProps) {
  // Still shown while the dialog fades out.
  const [bought, setBought] = useState<DonePurchase>();
  if (purchase.status === 'done' && purchase !== bought) setBought(purchase);
  // Leaving the screen closes it, too.
  useEffect(() => onClose, [onClose]);
  if (bought === undefined) return null;
  const { content: items, data } = bought;
  return (
    <Dialog
      isOpen={purchase.status === 'done'}
      onClose={onClose}
      hasCloseButton={false}
      // The button that bought has disappeared with the cart's lines.
      focusAfter={() => document.getElementById('content')}
      title={m.cart_bought_title({ count: cartCount(items) })}
      actions={
        <>
          <Button variant="quiet" isWide onClick={onClose}>
            {m.common_done()}
          </Button>
          <ButtonLink
            to={paths.redeemPurchase(data.purchaseId)}
            isWide
            icon={<QrCode size={18} aria-hidden />}
            onClick={onClose}
          >
            {m.cart_bought_code()}
          </ButtonLink>
        </>
      }
    >
      <SuccessMoment />
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
          <span className="min-w-0 font-semibold">
            {`${item.count} × `}
            <InlineMarkdown text={item.offer.title} />
          </span>
          <span className="text-ink-quiet tabular ml-auto">{amountText(lineTotal(item))}</span>
        </li>
      ))}
    </ul>
  );
}
