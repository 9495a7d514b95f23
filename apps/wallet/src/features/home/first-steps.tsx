import { mainToken } from '@athos/brand/brand';
import { BUY_MIN_USD_CENTS } from '@athos/domain/purchase-price';
import { formatUsd } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { List, ListRow, RowIcon } from '@athos/ui/primitives/list-row';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import { useId } from 'react';
import { useIsNewcomer } from '../../api/newcomer.ts';
import { paths } from '../../routes/paths.ts';

/** Suggests first steps to a user with an empty wallet. */
export function FirstSteps() {
  const isNewcomer = useIsNewcomer();
  const headingId = useId();
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
