/** How the rate went, as a line, and as a table for whoever cannot see it. */
import type { RateRangeName } from '@athos/contract/console/rate';
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { Time } from '../../kit/time.tsx';

const RANGE_TITLES: Readonly<Record<RateRangeName, () => string>> = {
  hour: m.rate_range_hour,
  day: m.rate_range_day,
  week: m.rate_range_week,
  month: m.rate_range_month,
  quarter: m.rate_range_quarter,
};

const RANGES = Object.keys(RANGE_TITLES) as readonly RateRangeName[];

interface Point {
  readonly at: string;
  readonly usdPerAth: string;
}

export function RateSeries() {
  const [range, setRange] = useState<RateRangeName>('day');
  const { item, failure, reload } = useAdminItem('rateSeries', { query: { range } });
  const points = item?.items.flatMap(({ at, usdPerAth }) =>
    usdPerAth === null ? [] : [{ at, usdPerAth }],
  );
  return (
    <Section
      title={m.rate_series_title()}
      actions={
        <div className="w-36">
          <DenseSelect
            label={m.rate_range()}
            isLabelHidden
            value={range}
            onValueChange={(next) => setRange(RANGES.find((known) => known === next) ?? 'day')}
            options={RANGES.map((value) => ({ value, label: RANGE_TITLES[value]() }))}
          />
        </div>
      }
    >
      {points === undefined && failure === undefined && <Skeleton className="h-40 w-full" />}
      {points === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {points?.length === 0 && <p className="text-dense text-ink-quiet">{m.rate_none()}</p>}
      {points !== undefined && points.length > 0 && <Series points={points} />}
    </Section>
  );
}

const WIDTH = 720;
const HEIGHT = 160;
const TABLE_ROWS = 24;

/** A rate holds until the next one, so the line has steps. */
function stepsOf(points: readonly Point[], lowest: number, highest: number): string {
  const span = highest - lowest || 1;
  const yOf = ({ usdPerAth }: Point): string =>
    (HEIGHT - ((Number(usdPerAth) - lowest) / span) * HEIGHT).toFixed(1);
  const step = WIDTH / Math.max(points.length - 1, 1);
  return points
    .map((point, index) => {
      const x = (index * step).toFixed(1);
      return index === 0 ? `M${x} ${yOf(point)}` : `H${x}V${yOf(point)}`;
    })
    .join('');
}

function Series({ points }: { points: readonly Point[] }) {
  const rates = points.map(({ usdPerAth }) => Number(usdPerAth));
  const [lowest, highest] = [Math.min(...rates), Math.max(...rates)];
  const every = Math.ceil(points.length / TABLE_ROWS);
  const rows = points.filter((_point, index) => (points.length - 1 - index) % every === 0);
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <div className="flex gap-2">
        <svg
          role="img"
          aria-label={m.rate_series_label({ lowest, highest })}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="text-accent border-line h-40 min-w-0 grow border-b border-l"
        >
          <path
            d={stepsOf(points, lowest, highest)}
            fill="none"
            stroke="currentColor"
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <div
          aria-hidden
          className="text-caption text-ink-quiet tabular flex flex-col justify-between"
        >
          <span>{highest}</span>
          {highest !== lowest && <span>{lowest}</span>}
        </div>
      </div>
      <details>
        <summary className="control text-dense text-accent-text inline-flex cursor-pointer items-center font-semibold">
          {m.rate_series_table()}
        </summary>
        <table className="text-dense tabular w-full max-w-md">
          <thead>
            <tr className="text-caption text-ink-quiet border-line border-b text-left">
              <th scope="col" className="h-9 font-semibold">
                {m.console_time()}
              </th>
              <th scope="col" className="text-right font-semibold">
                {m.rate_unit()}
              </th>
            </tr>
          </thead>
          <tbody className="divide-line divide-y">
            {rows.toReversed().map(({ at, usdPerAth }) => (
              <tr key={at}>
                <td className="h-8">
                  <Time at={at} />
                </td>
                <td className="text-right">{usdPerAth}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
