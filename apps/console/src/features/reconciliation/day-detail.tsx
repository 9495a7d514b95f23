import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { figures } from '../../kit/figures.ts';
import { Money } from '../../kit/money.tsx';
import { dayText, Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { DayState, differencesOf, isDifferent } from './day-state.tsx';
import { typeTitle } from './money-words.ts';

type Day = AdminAnswer<'reconciliationDay'>;

/** One day: the totals with both differences, and the movements of its balance. */
export function DayDetail({ day }: { day: string }) {
  const read = useAdminItem('reconciliationDay', { params: { day } });
  return (
    <DetailOf read={read} kind={m.reconciliation_day()} backTo={paths.reconciliation}>
      {(item) => (
        <Detail
          kind={m.reconciliation_day()}
          title={dayText(day)}
          plainTitle={m.reconciliation_day_of({ day: dayText(day) })}
          state={<DayState day={item} />}
          backTo={paths.reconciliation}
        >
          <Disagreement day={item} />
          <Totals day={item} />
          <Section title={m.reconciliation_moved()}>
            {item.types.length === 0 ? (
              <p className="text-dense text-ink-quiet">{m.reconciliation_moved_none()}</p>
            ) : (
              <Types types={item.types} />
            )}
          </Section>
        </Detail>
      )}
    </DetailOf>
  );
}

function Disagreement({ day }: { day: Day }) {
  if (day.isAgreed) return null;
  const link = (
    <ObjectLink to={paths.unmatchedMoney}>{m.reconciliation_tab_unmatched()}</ObjectLink>
  );
  return isDifferent(day) ? (
    <Notice kind="danger" title={m.reconciliation_differs_title()} action={link}>
      {m.reconciliation_differs_text()}
    </Notice>
  ) : (
    <Notice kind="info" action={link}>
      {m.reconciliation_unmatched_text()}
    </Notice>
  );
}

function Totals({ day }: { day: Day }) {
  const { ofProvider, ofBooks } = differencesOf(day);
  const facts = [
    [m.reconciliation_provider(), day.providerUsdCents],
    [m.reconciliation_nets(), day.netsUsdCents],
    [m.reconciliation_in_flight(), day.inFlightUsdCents],
    [m.reconciliation_clearing(), day.clearingUsdCents],
    [m.reconciliation_difference_of_provider(), ofProvider],
    [m.reconciliation_difference_of_books(), ofBooks],
  ] as const;
  return (
    <Section title={m.reconciliation_totals()}>
      <p className="text-caption text-ink-quiet">{m.reconciliation_totals_hint()}</p>
      <dl className="text-dense divide-line flex flex-col divide-y">
        {facts.map(([label, units]) => (
          <div key={label} className="flex min-h-9 flex-wrap items-center justify-between gap-x-4">
            <dt className="text-ink-quiet">{label}</dt>
            <dd className="ml-auto">
              <Money units={units} asset="USD" />
            </dd>
          </div>
        ))}
      </dl>
      <Facts facts={[{ label: m.reconciliation_checked(), value: <Time at={day.checkedAt} /> }]} />
    </Section>
  );
}

/** The movements by type: the net amount, and below it the parts. */
function Types({ types }: Pick<Day, 'types'>) {
  return (
    <ul className="text-dense divide-line flex flex-col divide-y">
      {types.map(({ type, count, amountUsdCents, feeUsdCents, netUsdCents }) => (
        <li key={type} className="flex flex-col gap-0.5 py-2">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span>
              <span className="font-semibold">{typeTitle(type)}</span>{' '}
              <span className="text-ink-quiet tabular">× {figures(count)}</span>
            </span>
            <span className="ml-auto">
              <Money units={netUsdCents} asset="USD" />
            </span>
          </span>
          <span className="text-caption text-ink-quiet flex flex-wrap justify-end gap-x-4">
            <span>
              {m.reconciliation_amount()} <Money units={amountUsdCents} asset="USD" />
            </span>
            <span>
              {m.reconciliation_fee()} <Money units={feeUsdCents} asset="USD" />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
