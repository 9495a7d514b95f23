import { mainToken } from '@athos/brand/brand';
import {
  exactAthText,
  formatAthRoundedUp,
  missingOf,
  NO_UNITS,
  usdOfTokens,
} from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { UsdApprox } from '@athos/ui/money/balance';
import { BalanceAfter, BuyMissing } from '@athos/ui/money/balance-after';
import { Button } from '@athos/ui/primitives/button';
import { useDisplayRate } from '../../api/rate.ts';
import { paths } from '../../routes/paths.ts';
import { cartTotal, type CartItem } from '../../state/cart-item.ts';
import type { Buyer } from '../../state/offer-block.ts';
import { buyReason, hasProblem } from './cart-words.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

interface CartFooterProps {
  items: readonly CartItem[];
  /** An earlier purchase is being retried. It may have gone through, so neither balance nor stock is checked here. */
  isSettling: boolean;
  buyer: Buyer;
  onBuy: () => void;
}

/** The total, the balance after it, and 'Buy', or the way to buy the missing ATH. */
export function CartFooter({ items, isSettling, buyer, onBuy }: CartFooterProps) {
  const usdPerAth = useDisplayRate();
  const total = cartTotal(items);
  const totalText = formatAthRoundedUp(total);
  const offlineReason = useOfflineReason();
  const { balance } = buyer;
  const isChecked = !isSettling && !hasProblem(items, buyer);
  const missing = balance === undefined || !isChecked ? undefined : missingOf(balance, total);
  return (
    <div className="flex flex-col gap-4">
      {/* Spec 2: shown only when the total is positive. */}
      {total > NO_UNITS && (
        <dl className="@container/total flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className="text-lead font-semibold">{m.cart_total()}</dt>
          <dd className="ml-auto flex flex-col items-end">
            <span
              className="amount text-balance-28 text-right"
              style={{ ['--length' as string]: totalText.length }}
            >
              {totalText}{' '}
              <span className="text-lead text-ink-quiet inline-block font-semibold">
                {mainToken.word}
              </span>
            </span>
            <UsdApprox
              amount={usdOfTokens(total, usdPerAth)}
              className="text-body text-ink-quiet"
            />
          </dd>
        </dl>
      )}
      {!isSettling && total > NO_UNITS && (
        <BalanceAfter balance={balance} cost={total} symbol={mainToken.symbol} />
      )}
      <Button
        isWide
        disabledReason={offlineReason ?? (isSettling ? undefined : buyReason(items, buyer))}
        onClick={onBuy}
      >
        {m.cart_buy()}
      </Button>
      {missing !== undefined && (
        <BuyMissing
          missing={missing}
          usdPerAth={usdPerAth}
          symbol={mainToken.symbol}
          to={paths.buyMissing(exactAthText(missing), paths.cart)}
        />
      )}
    </div>
  );
}
