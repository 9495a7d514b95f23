import { m } from '@athos/messages/messages';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../routes/paths.ts';
import type { WayBack } from './buy-success-modal.tsx';
import type { Buy } from './use-buy.ts';

const OrderPreviewModal = lazy(async () => ({
  default: (await import('./order-preview-modal.tsx')).OrderPreviewModal,
}));
const CardPaymentModal = lazy(async () => ({
  default: (await import('./card-payment-modal.tsx')).CardPaymentModal,
}));
const BuySuccessModal = lazy(async () => ({
  default: (await import('./buy-success-modal.tsx')).BuySuccessModal,
}));

/** The screen of the purchase that lacked ATH. An address may hold anything, so other values are ignored. */
function wayBackIn(search: string): WayBack | undefined {
  const to = new URLSearchParams(search).get('back') ?? '';
  if (to === paths.cart) return { to, label: m.buy_success_cart() };
  return to.startsWith(`${paths.marketplace}/`) ? { to, label: m.buy_success_offer() } : undefined;
}

/**
 * The modals of the flow. The card form is loaded while the user reads the preview, the provider's script only when the
 * form opens.
 */
export function BuyModals({ buy, search }: { buy: Buy; search: string }) {
  const { step } = buy;
  const navigate = useNavigate();
  const [hasBegun, setHasBegun] = useState(false);
  if (step.name !== 'amount' && !hasBegun) setHasBegun(true);
  const paid = step.name === 'card' ? step.quote : undefined;
  return (
    <>
      <Suspense fallback={null}>
        <OrderPreviewModal
          preview={step.name === 'preview' ? step : undefined}
          onPurchase={buy.purchase}
          onClose={buy.leave}
        />
      </Suspense>
      {hasBegun && (
        <Suspense fallback={null}>
          <CardPaymentModal
            quote={paid}
            order={buy.order}
            onClose={buy.leave}
            onComplete={buy.celebrate}
            onRateExpired={buy.reprice}
          />
          <BuySuccessModal
            bought={step.name === 'bought' ? step.quote : undefined}
            wayBack={wayBackIn(search)}
            onClose={() => void navigate(paths.home)}
          />
        </Suspense>
      )}
    </>
  );
}
