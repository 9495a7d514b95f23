import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../routes/paths.ts';
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

/**
 * The modals of the flow. The card form is loaded while the user reads the preview, the provider's script only when the
 * form opens.
 */
export function BuyModals({ buy }: { buy: Buy }) {
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
            onClose={() => void navigate(paths.home)}
          />
        </Suspense>
      )}
    </>
  );
}
