/** The history of the rate. A rate applies until the next one. */
import { useValue } from '@athos/app-core/value';
import type { RateRangeName } from '@athos/contract/console/rate';
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { LineChart } from '../../kit/charts/line-chart.tsx';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { momentText } from '../../kit/time.tsx';
import { timeZone } from '../../state/time-zone.ts';

const RANGE_TITLES: Readonly<Record<RateRangeName, () => string>> = {
  hour: m.rate_range_hour,
  day: m.rate_range_day,
  week: m.rate_range_week,
  month: m.rate_range_month,
  quarter: m.rate_range_quarter,
};

const RANGES = Object.keys(RANGE_TITLES) as readonly RateRangeName[];

type RateAt = AdminAnswer<'rateSeries'>['items'][number];

export function RateSeries() {
  const [range, setRange] = useState<RateRangeName>('day');
  const { item, failure, reload } = useAdminItem('rateSeries', { query: { range } });
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="w-36 self-end">
        <DenseSelect
          label={m.rate_range()}
          isLabelHidden
          value={range}
          onValueChange={(next) => setRange(RANGES.find((known) => known === next) ?? 'day')}
          options={RANGES.map((value) => ({ value, label: RANGE_TITLES[value]() }))}
        />
      </div>
      {item !== undefined ? (
        <Series items={item.items} />
      ) : failure === undefined ? (
        <Skeleton className="h-72 w-full" />
      ) : (
        <FailureView failure={failure} onRetry={reload} />
      )}
    </div>
  );
}

/** The label of a tick between two rates, without floating-point noise. */
const tickText = (rate: number): string => String(Number(rate.toPrecision(6)));

function Series({ items }: { items: readonly RateAt[] }) {
  const zone = useValue(timeZone);
  const rates = items.map(({ usdPerAth }) => usdPerAth);
  return (
    <LineChart
      title={m.rate_series_title()}
      rowLabel={m.console_time()}
      rows={items.map(({ at }) => momentText(at, zone))}
      series={[
        {
          label: m.rate_unit(),
          values: rates.map((rate) => (rate === null ? undefined : Number(rate))),
          texts: rates.map((rate) => rate ?? '–'),
          raws: rates.map((rate) => rate ?? ''),
        },
      ]}
      axisText={tickText}
      isFromZero={false}
      isStepped
      emptyText={rates.every((rate) => rate === null) ? m.rate_none() : undefined}
    />
  );
}
