import { mainToken } from '@athos/brand/brand';
import {
  formatAthRoundedUp,
  microAthFromHundredths,
  usdOfTokens,
  type AthHundredths,
} from '@athos/domain/money';
import { UsdApprox } from '@athos/ui/balance';
import { useDisplayRate } from '../../api/rate.ts';

/** An offer's price in ATH with its dollars. */
export function Price({ price, isLarge = false }: { price: AthHundredths; isLarge?: boolean }) {
  const usdPerAth = useDisplayRate();
  const amount = microAthFromHundredths(price);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className={isLarge ? 'amount text-headline' : 'tabular text-body font-semibold'}>
        {formatAthRoundedUp(amount)}{' '}
        <span
          className={
            isLarge ? 'text-lead text-ink-quiet font-semibold' : 'text-caption text-ink-quiet'
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
