import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { DayState, differencesOf, isDifferent } from './day-state.tsx';
import { typeTitle } from './money-words.ts';

type Day = AdminAnswer<'reconciliationDay'>;

/** One day: the totals with both differences, and what moved the balance on it. */
export function DayDetail({ day }: { day: string }) {
  const read = useAdminItem('reconciliationDay', { params: { day } });
  return (
    <DetailOf read={read} kind={m.reconciliation_day()} backTo={paths.reconciliation}>
      {(item) => (
        <Detail
          kind={m.reconciliation_day()}
          title={<Time at={day} precision="day" />}
          plainTitle={m.reconciliation_day_of({ day })}
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

const headClass = 'text-caption text-ink-quiet h-9 px-2 font-semibold';

function Types({ types }: Pick<Day, 'types'>) {
  return (
    <div
      role="group"
      aria-label={m.reconciliation_moved()}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls sideways by keyboard
      tabIndex={0}
      className="rounded-small bg-surface inset-ring-line overflow-x-auto inset-ring"
    >
      <table className="text-dense w-full border-collapse text-right">
        <thead>
          <tr className="border-line border-b">
            <th scope="col" className={`${headClass} text-left`}>
              {m.reconciliation_type()}
            </th>
            <th scope="col" className={headClass}>
              {m.reconciliation_count()}
            </th>
            <th scope="col" className={headClass}>
              {m.reconciliation_amount()}
            </th>
            <th scope="col" className={headClass}>
              {m.reconciliation_fee()}
            </th>
            <th scope="col" className={headClass}>
              {m.reconciliation_net()}
            </th>
          </tr>
        </thead>
        <tbody className="divide-line divide-y">
          {types.map(({ type, count, amountUsdCents, feeUsdCents, netUsdCents }) => (
            <tr key={type} className="h-10">
              <th scope="row" className="px-2 text-left font-semibold">
                {typeTitle(type)}
              </th>
              <td className="tabular px-2">{count.toLocaleString('en-US')}</td>
              <td className="px-2 whitespace-nowrap">
                <Money units={amountUsdCents} asset="USD" />
              </td>
              <td className="px-2 whitespace-nowrap">
                <Money units={feeUsdCents} asset="USD" />
              </td>
              <td className="px-2 whitespace-nowrap">
                <Money units={netUsdCents} asset="USD" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
