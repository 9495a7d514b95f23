/** A bar chart of named values, one bar below the other. Two parts of a bar differ in colour and hatching. */
import { classNames } from '@athos/ui/primitives/class-names';
import { scaleLinear } from 'd3-scale';
import { useId, type ReactNode } from 'react';
import { ChartFrame } from './chart-frame.tsx';
import type { ChartTable, Series } from './series.ts';

interface BarsProps {
  title: string;
  lead?: ReactNode;
  /** The table may have more rows than are drawn. */
  table: ChartTable;
  bars: readonly Bar[];
  emptyText?: string | undefined;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly text: ReactNode;
  /** The whole of which the bar is a part, drawn hatched behind it. */
  readonly whole?: number;
}

/** `12 of 40`: a column of the table with one number per row. */
export const columnOf = (label: string, numbers: readonly number[]): Series => ({
  label,
  values: numbers,
  texts: numbers.map((value) => value.toLocaleString('en-US')),
  raws: numbers.map(String),
});

export function Bars({ title, lead, table, bars, emptyText }: BarsProps) {
  const width = scaleLinear()
    .domain([0, Math.max(1, ...bars.map(({ value, whole = 0 }) => Math.max(value, whole)))])
    .range([0, 100]);
  return (
    <ChartFrame
      title={title}
      lead={lead}
      table={table}
      emptyText={emptyText}
      locate={(_x, y) => Math.floor(y * bars.length)}
    >
      {({ cursor }) => (
        <div className="flex flex-col">
          {bars.map((bar, index) => (
            <div
              key={index}
              className={classNames(
                'rounded-dense -mx-2 flex flex-col gap-1 px-2 py-1.5',
                cursor === index && 'bg-sunken',
              )}
            >
              <div className="text-dense flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="min-w-0 wrap-anywhere">{bar.label}</span>
                <span className="tabular ml-auto font-semibold">{bar.text}</span>
              </div>
              <BarLine value={width(bar.value)} whole={width(bar.whole ?? 0)} />
            </div>
          ))}
        </div>
      )}
    </ChartFrame>
  );
}

function BarLine({ value, whole }: { value: number; whole: number }) {
  const hatch = useId();
  return (
    <svg width="100%" height={8} aria-hidden className="text-accent block">
      <rect width="100%" height={8} rx={2} className="fill-sunken" />
      {whole > 0 && (
        <>
          <defs>
            <pattern
              id={hatch}
              width={6}
              height={6}
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <line
                x1={0}
                x2={0}
                y1={0}
                y2={6}
                stroke="currentColor"
                strokeWidth={2}
                strokeOpacity={0.6}
              />
            </pattern>
          </defs>
          <rect width={`${whole}%`} height={8} rx={2} fill={`url(#${hatch})`} />
        </>
      )}
      <rect width={`${value}%`} height={8} rx={2} fill="currentColor" />
    </svg>
  );
}
