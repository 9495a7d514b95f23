import { mainToken } from '@athos/brand/brand';
import { formatUsd, parseAth, type MicroAth, type Rate } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { AmountInput } from '@athos/ui/money/amount-input';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useDisplayRate, usePublishedRate } from '../../api/rate.ts';
import {
  buyFault,
  defaultAmountText,
  stripLeadingZeros,
  usdOfText,
  type BuyFault,
} from './buy-amount.ts';
import { limitText } from './buy-words.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

interface AmountFormProps {
  onPreview: (amount: MicroAth, usdPerAth: Rate) => void;
}

/** The amount with its value in USD, and 'Preview'. */
export function AmountForm({ onPreview }: AmountFormProps) {
  const displayRate = useDisplayRate();
  const publishedRate = usePublishedRate();
  const [typed, setTyped] = useState<string>();
  // Until it is edited, the amount follows the rate. Otherwise the default could fall below the minimum.
  const text = typed ?? defaultAmountText(displayRate);
  const usd = usdOfText(text, displayRate);
  const amount = parseAth(text);
  const offlineReason = useOfflineReason();
  const reason = offlineReason ?? reasonText(buyFault(text, displayRate), publishedRate);

  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason !== undefined || amount === undefined || publishedRate === undefined) return;
    onPreview(amount, publishedRate);
  };

  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4" noValidate>
      <AmountInput
        label={m.buy_amount_label()}
        value={text}
        onValueChange={(next) => setTyped(stripLeadingZeros(next))}
        unit={mainToken.symbol}
        equivalent={<span className="inline-block min-h-6">{usd && formatUsd(usd)}</span>}
      />
      <Button type="submit" isWide disabledReason={reason}>
        {m.buy_preview()}
      </Button>
    </form>
  );
}

/** The reason why 'Preview' is disabled. Purchases never use the fallback rate (D-148). */
function reasonText(
  fault: BuyFault | undefined,
  publishedRate: Rate | undefined,
): string | undefined {
  if (fault === 'empty') return m.buy_reason_empty();
  if (fault !== undefined) return limitText(fault);
  return publishedRate === undefined ? m.buy_reason_no_rate() : undefined;
}
