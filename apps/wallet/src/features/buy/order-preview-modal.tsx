import { mainToken } from '@athos/brand/brand';
import { formatAthRoundedUp, formatUsd, rateText, usdCents } from '@athos/domain/money';
import { brokenBuyLimit } from '@athos/domain/purchase-price';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { DetailList } from '@athos/ui/primitives/card';
import { Dialog } from '@athos/ui/overlays/dialog';
import { Notice } from '@athos/ui/primitives/notice';
import type { Quote } from '../../state/card-order.ts';
import { limitText } from './buy-words.ts';
import { useKept } from './use-kept.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

interface OrderPreviewModalProps {
  /** The dialog is closed while this is `undefined`. */
  preview: { readonly quote: Quote; readonly isRepriced: boolean } | undefined;
  onPurchase: (quote: Quote) => void;
  onClose: () => void;
}

/** Spec 2: Price, one combined fee line and Total, at the rate at which the preview was opened. 'Purchase' opens the card form. */
export function OrderPreviewModal({ preview, onPurchase, onClose }: OrderPreviewModalProps) {
  const shown = useKept(preview);
  const offlineReason = useOfflineReason();
  if (shown === undefined) return null;
  const { quote, isRepriced } = shown;
  const limit = brokenBuyLimit(quote.priceUsdCents);
  return (
    <Dialog
      isOpen={preview !== undefined}
      onClose={onClose}
      title={m.buy_order_title()}
      actions={
        <Button
          isWide
          disabledReason={offlineReason ?? (limit && limitText(limit))}
          onClick={() => onPurchase(quote)}
        >
          {m.buy_purchase()}
        </Button>
      }
    >
      {isRepriced && <Notice kind="info">{m.buy_rate_expired()}</Notice>}
      <OrderDetails quote={quote} />
    </Dialog>
  );
}

function OrderDetails({ quote }: { quote: Quote }) {
  const { symbol } = mainToken;
  const amount = formatAthRoundedUp(quote.amountMicroAth);
  const fees = usdCents(quote.productFeeUsdCents + quote.processingFeeUsdCents);
  return (
    <div className="flex flex-col gap-5">
      <div className="@container rounded-medium bg-ground inset-ring-line inset-ring flex flex-col gap-0.5 px-4 py-3.5">
        <span className="text-caption text-ink-quiet font-semibold">{m.buy_order_amount()}</span>
        <span className="amount text-balance-28" style={{ ['--length' as string]: amount.length }}>
          {m.buy_order_amount_value({ amount, symbol })}
        </span>
        <span className="text-caption text-ink-quiet tabular">
          {m.wallet_rate_line({ symbol, usd: `$${rateText(quote.usdPerAth)}` })}
        </span>
      </div>
      <DetailList
        details={[
          { label: m.buy_order_price(), value: formatUsd(quote.priceUsdCents) },
          { label: m.buy_order_fees(), value: formatUsd(fees) },
          {
            label: m.buy_order_total(),
            value: m.buy_order_total_value({ total: formatUsd(quote.totalUsdCents) }),
            isTotal: true,
          },
        ]}
      />
      <p className="text-caption text-ink-quiet">{m.buy_order_rate_note()}</p>
    </div>
  );
}
