import { mainToken } from '@athos/brand/brand';
import { formatUsd, parseAth, type MicroAth, type Rate } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { AmountInput } from '@athos/ui/money/amount-input';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useDisplayRate, usePublishedRate } from '../../api/rate.ts';
import {
  amountText,
  buyFault,
  CHIP_DOLLARS,
  stripLeadingZeros,
  totalOfText,
  usdOfText,
  type BuyFault,
  type Wish,
} from './buy-amount.ts';
import { limitText } from './buy-words.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

interface AmountFormProps {
  /** The wish that the form starts with. */
  firstWish: Wish;
  onPreview: (amount: MicroAth, usdPerAth: Rate) => void;
}

/** The amount with its value in USD and its total with fees, chips for round prices, and 'Preview'. */
export function AmountForm({ firstWish, onPreview }: AmountFormProps) {
  const displayRate = useDisplayRate();
  const publishedRate = usePublishedRate();
  const [wish, setWish] = useState(firstWish);
  const text = amountText(wish, displayRate);
  const usd = usdOfText(text, displayRate);
  const total = publishedRate && totalOfText(text, publishedRate);
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
        onValueChange={(next) => setWish({ kind: 'typed', text: stripLeadingZeros(next) })}
        unit={mainToken.symbol}
        equivalent={
          <span className="flex min-h-6 flex-wrap gap-x-2">
            <span>{usd && formatUsd(usd)}</span>
            {total !== undefined && (
              <span className="text-ink font-semibold">
                {m.buy_total({ total: formatUsd(total) })}
              </span>
            )}
          </span>
        }
      />
      <Chips
        chosen={wish.kind === 'worth' ? wish.dollars : undefined}
        onChoose={(dollars) => setWish({ kind: 'worth', dollars })}
      />
      <Button type="submit" isWide disabledReason={reason}>
        {m.buy_preview()}
      </Button>
    </form>
  );
}

type ChipDollars = (typeof CHIP_DOLLARS)[number];

interface ChipsProps {
  chosen: ChipDollars | undefined;
  onChoose: (dollars: ChipDollars) => void;
}

/** Round prices, without fees. */
function Chips({ chosen, onChoose }: ChipsProps) {
  return (
    <div
      role="group"
      aria-label={m.buy_chips()}
      className="grid grid-cols-[repeat(auto-fit,minmax(4.25rem,1fr))] gap-2"
    >
      {CHIP_DOLLARS.map((dollars) => (
        <button
          key={dollars}
          type="button"
          aria-pressed={dollars === chosen}
          onClick={() => onChoose(dollars)}
          className="target rounded-pill bg-surface text-body inset-ring-line-strong hover:bg-sunken aria-pressed:inset-ring-accent aria-pressed:text-accent-text px-3 font-semibold inset-ring transition duration-150 ease-out active:scale-[0.98] aria-pressed:inset-ring-2"
        >
          {m.buy_chip({ dollars })}
        </button>
      ))}
    </div>
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
