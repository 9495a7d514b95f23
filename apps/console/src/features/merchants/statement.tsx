/** The monthly statement: opening balance, movements by day, closing balance. The month is in the address. */
import { useValue } from '@athos/app-core/value';
import { exactAthText, parseUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import FileDown from 'lucide-react/icons/file-down';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Amounts } from '../../kit/amounts.tsx';
import { csvOf } from '../../kit/charts/series.ts';
import { localMoment } from '../../kit/days.ts';
import { DenseField } from '../../kit/dense-field.tsx';
import { Section } from '../../kit/detail.tsx';
import { download } from '../../kit/download.ts';
import { FailureView } from '../../kit/failure.tsx';
import { Money } from '../../kit/money.tsx';
import { dayText, Time } from '../../kit/time.tsx';
import { timeZone } from '../../state/time-zone.ts';
import type { Merchant } from './merchant-screen.tsx';

type MonthStatement = AdminAnswer<'merchantStatement'>;
type Day = MonthStatement['days'][number];

export function Statement({ merchant }: { merchant: Merchant }) {
  const zone = useValue(timeZone);
  const [params, setParams] = useSearchParams();
  const [present] = useState(() => localMoment(Date.now(), zone).slice(0, 7));
  const month = params.get('month') ?? present;
  const { item, failure, reload } = useAdminItem('merchantStatement', {
    params: { id: merchant.id },
    query: { month },
  });
  return (
    <Section
      title={m.merchants_statement()}
      actions={
        item !== undefined && (
          <Button
            variant="quiet"
            isDense
            icon={<FileDown size={16} aria-hidden />}
            onClick={() => download(`merchant-${merchant.id}-${month}.csv`, csvOfStatement(item))}
          >
            {m.merchants_csv()}
          </Button>
        )
      }
    >
      <div className="max-w-48">
        <DenseField
          label={m.merchants_month()}
          type="month"
          max={present}
          value={month}
          onValueChange={(next) => {
            if (/^\d{4}-\d{2}$/.test(next)) setParams({ month: next }, { replace: true });
          }}
        />
      </div>
      {item === undefined &&
        (failure === undefined ? (
          <Skeleton className="h-64 w-full" />
        ) : (
          <FailureView failure={failure} onRetry={reload} />
        ))}
      {item !== undefined && <Month statement={item} />}
    </Section>
  );
}

const negated = (units: string): string =>
  units === '0' ? '0' : units.startsWith('-') ? units.slice(1) : `-${units}`;

function Month({ statement }: { statement: MonthStatement }) {
  const { opening, total, days, countedUntil } = statement;
  return (
    <>
      {countedUntil === null && (
        <Notice kind="info" title={m.merchants_counting()}>
          {m.merchants_counting_text()}
        </Notice>
      )}
      <Amounts
        lines={[
          { label: m.merchants_opening(), units: opening, asset: 'ATH' },
          {
            label: m.merchants_sales_of({ count: total.saleCount }),
            units: total.sales,
            asset: 'ATH',
          },
          {
            label: m.merchants_refunds_of({ count: total.refundCount }),
            units: negated(total.refunds),
            asset: 'ATH',
          },
          { label: m.merchants_settled(), units: negated(total.settled), asset: 'ATH' },
          { label: m.merchants_held(), units: negated(total.held), asset: 'ATH' },
          { label: m.merchants_closing(), units: total.balance, asset: 'ATH', isSum: true },
        ]}
      />
      {countedUntil !== null && (
        <p className="text-caption text-ink-quiet">
          {m.merchants_counted_until()} <Time at={countedUntil} />
        </p>
      )}
      {days.length === 0 ? (
        <p className="text-dense text-ink-quiet">{m.merchants_statement_none()}</p>
      ) : (
        <DayTable days={days} />
      )}
    </>
  );
}

const dayColumns = (): readonly { title: string; units: (day: Day) => string }[] => [
  { title: m.merchants_sales(), units: ({ sales }) => sales },
  { title: m.merchants_refunds(), units: ({ refunds }) => negated(refunds) },
  { title: m.merchants_settled(), units: ({ settled }) => negated(settled) },
  { title: m.merchants_held(), units: ({ held }) => negated(held) },
  { title: m.merchants_balance(), units: ({ balance }) => balance },
];

/** Where the columns do not fit side by side, each day is a block with one line per kind of movement. */
function DayTable({ days }: { days: readonly Day[] }) {
  const columns = dayColumns();
  return (
    <div className="@container/days">
      <table className="text-dense @max-[42rem]/days:block w-full border-collapse">
        <caption className="sr-only">{m.merchants_days()}</caption>
        <thead className="text-caption text-ink-quiet @max-[42rem]/days:sr-only">
          <tr className="border-line border-b">
            <th scope="col" className="py-1.5 pr-3 text-left font-semibold">
              {m.merchants_day()}
            </th>
            {columns.map(({ title }) => (
              <th key={title} scope="col" className="py-1.5 pl-3 text-right font-semibold">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-line @max-[42rem]/days:block divide-y">
          {days.map((day) => (
            <tr
              key={day.day}
              className="@max-[42rem]/days:flex @max-[42rem]/days:flex-col @max-[42rem]/days:py-2"
            >
              <th
                scope="row"
                className="tabular py-1.5 pr-3 text-left font-semibold @min-[42rem]/days:font-normal"
              >
                {dayText(day.day)}
              </th>
              {columns.map(({ title, units }) => (
                <DayCell key={title} title={title} units={units(day)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Empty if nothing moved. */
function DayCell({ title, units }: { title: string; units: string }) {
  if (units === '0') {
    return <td className="text-ink-quiet pl-3 text-right @max-[42rem]/days:hidden">–</td>;
  }
  return (
    <td className="@min-[42rem]/days:py-1.5 @min-[42rem]/days:pl-3 @max-[42rem]/days:flex @max-[42rem]/days:flex-wrap @max-[42rem]/days:justify-between @max-[42rem]/days:gap-x-4 text-right">
      <span aria-hidden className="text-ink-quiet @min-[42rem]/days:hidden">
        {title}
      </span>
      <Money units={units} asset="ATH" />
    </td>
  );
}

const decimal = (units: string): string =>
  units.startsWith('-')
    ? `-${exactAthText(parseUnits(units.slice(1)))}`
    : exactAthText(parseUnits(units));

/** One row for each day with movements, between the opening balance and the month's total. Amounts in ATH and in raw micro-units. */
export function csvOfStatement({ month, opening, total, days }: MonthStatement): string {
  const nothing = {
    saleCount: 0,
    sales: '0',
    refundCount: 0,
    refunds: '0',
    settled: '0',
    held: '0',
  };
  const rows = [
    { name: 'opening', ...nothing, balance: opening },
    ...days.map((day) => ({ name: day.day, ...day })),
    { name: month, ...total },
  ];
  const column = (label: string, cell: (row: (typeof rows)[number]) => string) => {
    const cells = rows.map(cell);
    return { label, texts: cells, raws: cells };
  };
  const amounts = ['sales', 'refunds', 'settled', 'held', 'balance'] as const;
  return csvOf({
    rowLabel: 'day',
    rows: rows.map(({ name }) => name),
    columns: [
      column('sales made', ({ saleCount }) => String(saleCount)),
      column('refunds made', ({ refundCount }) => String(refundCount)),
      ...amounts.flatMap((name) => [
        column(`${name} in ATH`, (row) => decimal(row[name])),
        column(`${name} in micro-units`, (row) => row[name]),
      ]),
    ],
  });
}
