import { mainToken } from '@athos/brand/brand';
import {
  formatAthRoundedUp,
  microAthFromHundredths,
  usdOfTokens,
  type AthHundredths,
  type Rate,
} from '@athos/domain/money';
import { UsdApprox } from '../money/balance.tsx';

interface PriceProps {
  price: AthHundredths;
  /**
   * Subscribed to once by the screen: a hundred observers of one query would take half of a category's rendering time.
   */
  usdPerAth: Rate;
  isLarge?: boolean;
}

/** An offer's price in ATH with its value in USD. */
export function Price({ price, usdPerAth, isLarge = false }: PriceProps) {
  const amount = microAthFromHundredths(price);
  const text = formatAthRoundedUp(amount);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span
        className={isLarge ? 'amount text-balance-28' : 'tabular text-body font-semibold'}
        style={{ ['--length' as string]: text.length }}
      >
        {text}{' '}
        <span
          className={
            isLarge
              ? 'text-lead text-ink-quiet inline-block font-semibold'
              : 'text-caption text-ink-quiet'
          }
        >
          {mainToken.symbol}
        </span>
      </span>{' '}
      <UsdApprox
        amount={usdOfTokens(amount, usdPerAth)}
        className={isLarge ? 'text-body text-ink-quiet' : 'text-caption text-ink-quiet'}
      />
    </span>
  );
}
