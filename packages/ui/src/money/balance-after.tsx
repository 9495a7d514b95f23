import { formatAthRoundedUp, missingOf, NO_UNITS, subtractMicroAth } from '@athos/domain/money';
import type { MicroAth, Rate } from '@athos/domain/money';
import { buyAmountFor } from '@athos/domain/purchase-price';
import { m } from '@athos/messages/messages';
import { ButtonLink } from '../primitives/button.tsx';
import { DetailList, type Detail } from '../primitives/card.tsx';
import { Skeleton } from '../primitives/skeleton.tsx';

export interface BalanceAfterProps {
  /** `undefined` while it is loading. */
  balance: MicroAth | undefined;
  /** The price of the pending purchase, including the contents of the cart. */
  cost: MicroAth;
  symbol: string;
  /** The total of the cart, listed if the cart is not empty. */
  inCart?: MicroAth;
}

/** The balance before and after a purchase, or the amount missing for it. */
export function BalanceAfter({ balance, cost, symbol, inCart = NO_MICRO_ATH }: BalanceAfterProps) {
  const amount = (value: MicroAth) => `${formatAthRoundedUp(value)} ${symbol}`;
  const details: Detail[] = [
    {
      label: m.common_balance(),
      value: balance === undefined ? <Skeleton className="h-5 w-28" /> : amount(balance),
    },
  ];
  if (isPositive(inCart)) details.push({ label: m.marketplace_in_cart(), value: amount(inCart) });
  if (balance !== undefined) {
    const missing = missingOf(balance, cost);
    details.push(
      missing === undefined
        ? { label: m.common_balance_after(), value: amount(subtractMicroAth(balance, cost)) }
        : {
            label: m.common_balance_missing(),
            value: <span className="text-danger">{amount(missing)}</span>,
          },
    );
  }
  return <DetailList details={details} />;
}

const NO_MICRO_ATH = NO_UNITS as MicroAth;
const isPositive = (amount: MicroAth): boolean => amount > NO_UNITS;

export interface BuyMissingProps {
  missing: MicroAth;
  usdPerAth: Rate;
  symbol: string;
  /** The buy screen, with the missing amount. */
  to: string;
}

/** Leads to the purchase of the missing amount, or of the nearest amount that one purchase allows. */
export function BuyMissing({ missing, usdPerAth, symbol, to }: BuyMissingProps) {
  const amount = buyAmountFor(missing, usdPerAth);
  const text = { amount: formatAthRoundedUp(amount), symbol };
  return (
    <div className="flex flex-col gap-2">
      <ButtonLink to={to} isWide>
        {m.common_buy_amount(text)}
      </ButtonLink>
      {amount !== missing && (
        <p className="text-caption text-ink-quiet text-center text-balance empty:hidden">
          {limitText(amount, missing, text)}
        </p>
      )}
    </div>
  );
}

/** The reason why the amount differs from the missing one by more than its rounding to 2 decimals. */
function limitText(
  amount: MicroAth,
  missing: MicroAth,
  text: { amount: string; symbol: string },
): string {
  if (amount < missing) return m.common_buy_amount_most(text);
  return formatAthRoundedUp(missing) === text.amount ? '' : m.common_buy_amount_least(text);
}
