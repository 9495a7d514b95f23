/** The balance of every account at the end of a day. The day is in the address. */
import { classNames } from '@athos/ui/primitives/class-names';
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';
import { DenseField } from '../../kit/dense-field.tsx';
import { ObjectLink, Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { inWords } from '../../kit/in-words.ts';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import { paths } from '../../routes/paths.ts';

type AssetBalances = AdminAnswer<'trialBalance'>['assets'][number];

export function TrialBalanceScreen() {
  const [params, setParams] = useSearchParams();
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const day = params.get('day') ?? today;
  const { item, failure, reload } = useAdminItem('trialBalance', { query: { day } });
  const held = item?.assets.filter(({ accounts }) => accounts.length > 0);
  return (
    <Page title={m.ledger_trial_title()}>
      <div className="max-w-48">
        <DenseField
          label={m.ledger_trial_day()}
          type="date"
          max={today}
          value={day}
          onValueChange={(next) => {
            if (next !== '') setParams({ day: next }, { replace: true });
          }}
        />
      </div>
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {item === undefined && failure === undefined && <Skeleton className="h-96 w-full" />}
      {held?.length === 0 && <p className="text-dense text-ink-quiet">{m.ledger_trial_none()}</p>}
      <div className="rail:grid-cols-2 grid items-start gap-6">
        {held?.map((balances) => (
          <Section key={balances.asset} title={balances.asset}>
            <Balances balances={balances} />
          </Section>
        ))}
      </div>
    </Page>
  );
}

/** Where account and balance do not fit side by side, the balance is below. */
const rowClass =
  'h-10 @max-[22rem]/trial:flex @max-[22rem]/trial:h-auto @max-[22rem]/trial:flex-wrap @max-[22rem]/trial:justify-between @max-[22rem]/trial:gap-x-3 @max-[22rem]/trial:py-2';

function Balances({ balances }: { balances: AssetBalances }) {
  const { asset, accounts, customers, sum } = balances;
  return (
    <div className="@container/trial">
      <table className="text-dense @max-[22rem]/trial:block w-full border-collapse">
        <thead className="sr-only">
          <tr>
            <th scope="col">{m.ledger_account()}</th>
            <th scope="col">{m.ledger_balance()}</th>
          </tr>
        </thead>
        <tbody className="divide-line @max-[22rem]/trial:block divide-y">
          {accounts.map(({ id, code, balance }) => (
            <tr key={id} className={rowClass}>
              <th scope="row" className="text-left font-normal">
                <ObjectLink to={paths.ledgerAccount(id)}>{inWords(code)}</ObjectLink>
              </th>
              <td className="text-right">
                <Money units={balance} asset={asset} />
              </td>
            </tr>
          ))}
          {asset !== 'USD' && (
            <tr className={rowClass}>
              <th scope="row" className="text-left font-normal">
                {m.ledger_trial_customers()}
              </th>
              <td className="text-right">
                <Money units={customers} asset={asset} />
              </td>
            </tr>
          )}
        </tbody>
        <tfoot className="@max-[22rem]/trial:block">
          <tr className={classNames(rowClass, 'border-line-strong border-t-2 font-semibold')}>
            <th scope="row" className="text-left">
              <span className="inline-flex flex-wrap items-center gap-3">
                {m.ledger_trial_sum()}
                {sum === '0' ? (
                  <Badge tone="success">{m.ledger_trial_balanced()}</Badge>
                ) : (
                  <Badge tone="danger">{m.ledger_trial_unbalanced()}</Badge>
                )}
              </span>
            </th>
            <td className="text-right">
              <Money units={sum} asset={asset} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
