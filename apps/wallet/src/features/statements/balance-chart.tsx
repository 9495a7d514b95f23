import { ApiError } from '@athos/client/errors';
import { formatAthRoundedUp, type TokenAsset } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Card } from '@athos/ui/primitives/card';
import { ChoiceRow } from '@athos/ui/primitives/choice-row';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { HEIGHT, pathOf, WIDTH } from './chart-path.ts';
import { symbolOf } from './symbol.ts';
import { balanceHistoryQuery, type BalancePoint } from '../../api/statements.ts';

const PERIODS = ['30', '90', '365'] as const;
const dayText = (isoTime: string): string =>
  new Date(isoTime).toLocaleDateString('en-US', { dateStyle: 'medium' });

/** The balance of the last days as a line chart, and as a table for users who want the numbers. */
export function BalanceChart({ asset }: { asset: TokenAsset }) {
  const [days, setDays] = useState<(typeof PERIODS)[number]>('30');
  const { data: points, error, refetch } = useQuery(balanceHistoryQuery(asset, Number(days)));
  const isTooMany = error instanceof ApiError && error.code === 'too_many_movements';
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="font-display text-title font-bold">{m.statements_chart_title()}</h2>
      <ChoiceRow
        legend={m.statements_chart_period()}
        options={PERIODS.map((value) => ({
          value,
          label:
            value === '365' ? m.statements_chart_year() : m.statements_chart_days({ count: value }),
        }))}
        value={days}
        onValueChange={setDays}
      />
      {points !== undefined ? (
        <Chart points={points} symbol={symbolOf(asset)} />
      ) : isTooMany ? (
        <p className="text-body text-ink-quiet text-pretty">{m.statements_chart_too_many()}</p>
      ) : error === null ? (
        <Skeleton className="h-28 w-full" />
      ) : (
        <FailureNotice text={m.statements_chart_failed()} onTryAgain={() => void refetch()} />
      )}
    </Card>
  );
}

function Chart({ points, symbol }: { points: readonly BalancePoint[]; symbol: string }) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const sorted = points.map(({ units }) => units).toSorted((one, other) => (one < other ? -1 : 1));
  const [low = first.units, high = last.units] = [sorted[0], sorted.at(-1)];
  const text = m.statements_chart_text({
    first: formatAthRoundedUp(first.units),
    last: formatAthRoundedUp(last.units),
    low: formatAthRoundedUp(low),
    high: formatAthRoundedUp(high),
    symbol,
  });
  return (
    <>
      <svg
        role="img"
        aria-label={text}
        viewBox={`-20 -40 ${WIDTH + 40} ${HEIGHT + 80}`}
        preserveAspectRatio="none"
        className="text-primary h-28 w-full overflow-visible"
      >
        <path
          d={pathOf(points, low, high)}
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <div className="text-caption text-ink-quiet flex justify-between gap-4">
        <span>{dayText(first.at)}</span>
        <span>{dayText(last.at)}</span>
      </div>
      <p className="text-body text-pretty">{text}</p>
      <details>
        <summary className="text-body target flex cursor-pointer items-center font-semibold">
          {m.statements_chart_table()}
        </summary>
        <table className="text-caption mt-2 w-full">
          <thead>
            <tr className="text-ink-quiet">
              <th scope="col" className="py-1 text-start font-semibold">
                {m.statements_chart_day()}
              </th>
              <th scope="col" className="py-1 text-end font-semibold">
                {m.statements_chart_balance()}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ at, units }) => (
              <tr key={at}>
                <td className="py-1">
                  <time dateTime={at}>
                    {new Date(at).toLocaleString('en-US', {
                      dateStyle: 'medium',
                      timeStyle: 'short',
                    })}
                  </time>
                </td>
                <td className="amount py-1 text-end">{formatAthRoundedUp(units)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
