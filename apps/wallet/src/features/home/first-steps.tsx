import { mainToken } from '@athos/brand/brand';
import { formatUsd, NO_UNITS, type TokenUnits } from '@athos/domain/money';
import { BUY_MIN_USD_CENTS } from '@athos/domain/purchase-price';
import { m } from '@athos/messages/messages';
import { List, ListRow, RowIcon } from '@athos/ui/primitives/list-row';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import { useId } from 'react';
import { useBalances } from '../../api/balance.ts';
import { useIsNewcomer } from '../../api/newcomer.ts';
import { usePendingPayments } from '../../api/pending-payments.ts';
import { paths } from '../../routes/paths.ts';

const isNothing = (amount: TokenUnits | undefined): boolean => amount === NO_UNITS;

/** What to do with an empty wallet. A pending purchase is told instead. */
export function FirstSteps() {
  const isEmpty = isNothing(useBalances()?.ATH);
  const isNewcomer = useIsNewcomer(isEmpty);
  const hasPending = usePendingPayments().length > 0;
  const headingId = useId();
  if (!isEmpty || hasPending) return null;
  const { symbol } = mainToken;
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3 pt-2">
      <h2 id={headingId} className="font-display text-title font-bold">
        {m.wallet_first_title()}
      </h2>
      <List>
        <ListRow
          to={paths.buy}
          title={isNewcomer ? m.wallet_first_buy({ symbol }) : m.wallet_first_buy_again({ symbol })}
          subtitle={m.wallet_first_buy_text({ least: formatUsd(BUY_MIN_USD_CENTS) })}
          leading={
            <RowIcon>
              <CreditCard size={20} />
            </RowIcon>
          }
        />
        <ListRow
          to={paths.enterRewardCode}
          title={m.wallet_first_code()}
          subtitle={m.wallet_first_code_text()}
          leading={
            <RowIcon>
              <Gift size={20} />
            </RowIcon>
          }
        />
      </List>
    </section>
  );
}
