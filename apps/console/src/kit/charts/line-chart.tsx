/** A line chart over days: one line per series, distinguished by colour and dashes. */
import { m } from '@athos/messages/messages';
import { classNames } from '@athos/ui/primitives/class-names';
import { scaleLinear, scalePoint } from 'd3-scale';
import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import type { ReactNode, SVGProps } from 'react';
import { ChartFrame, type Plot } from './chart-frame.tsx';
import { dashOf, inkOf, type ChartTable, type Series } from './series.ts';

interface LineChartProps {
  title: string;
  lead?: ReactNode;
  rowLabel: string;
  /** One label per place: `12 Nov`. */
  rows: readonly string[];
  series: readonly Series[];
  /** Further columns of the table, which are not drawn. */
  more?: readonly Series[];
  /** Each series in the previous period, in the same order: faint dots in the colour of its own line. */
  before?: readonly Series[];
  axisText: (value: number) => string;
  /** The values are counts, so the axis has no ticks between integers. */
  isCount?: boolean;
  /** The end of the axis, if no value reaches it. */
  max?: number;
  /** Whether the axis begins at 0, which is the default. */
  isFromZero?: boolean;
  /** A value applies until the next one, so the line has steps. */
  isStepped?: boolean;
  emptyText?: string | undefined;
}

const HEIGHT = 176;
/** Half the width of the widest line, so that no line is cut off at the edge. */
const EDGE = 3;
/** Room for the label of the highest tick, which is above its line like all others. */
const TICK_ROOM = 18;
const TICKS = 3;
/** Dots, which no series uses, so that the previous period never looks like another series. */
const BEFORE_STROKE = {
  strokeWidth: 2,
  strokeOpacity: 0.6,
  strokeDasharray: '0 5',
  strokeLinecap: 'round',
} as const;

type Point = number | undefined;
const isThere = (value: Point): boolean => value !== undefined;

/** The range of the axis. A flat line gets some room, too. */
function domainOf(values: readonly Point[], { max, isFromZero = true }: LineChartProps) {
  const known = values.filter((value) => value !== undefined);
  const low = isFromZero ? 0 : Math.min(...known);
  const high = Math.max(max ?? 0, ...known);
  return low < high ? ([low, high] as const) : ([0, high === 0 ? 1 : high * 1.2] as const);
}

export function LineChart(props: LineChartProps) {
  const { title, lead, rowLabel, rows, series, more = [], before = [], emptyText } = props;
  const table: ChartTable = { rowLabel, rows, columns: [...series, ...more, ...before] };
  return (
    <ChartFrame
      title={title}
      lead={lead}
      table={table}
      emptyText={emptyText}
      locate={(x) => Math.round(x * (rows.length - 1))}
      legend={(cursor) => <Legend series={series} before={before} rows={rows} cursor={cursor} />}
    >
      {({ cursor, width }) => (
        <>
          <Lines {...props} width={width} cursor={cursor} />
          <div className="text-caption text-ink-quiet flex justify-between gap-4 pt-1" aria-hidden>
            <span>{rows[0]}</span>
            {rows.length > 1 && <span>{rows.at(-1)}</span>}
          </div>
        </>
      )}
    </ChartFrame>
  );
}

function Lines(props: LineChartProps & Plot) {
  const { rows, series, before = [], axisText, isStepped = false, isCount = false } = props;
  const { width, cursor } = props;
  const domain = domainOf(
    [...series, ...before].flatMap(({ values }) => values),
    props,
  );
  const y = scaleLinear()
    .domain(domain)
    .range([HEIGHT - EDGE, TICK_ROOM])
    .nice(TICKS);
  const ticks = y.ticks(TICKS).filter((tick) => !isCount || Number.isInteger(tick));
  const x = scalePoint<number>()
    .domain(rows.map((_row, index) => index))
    .range([EDGE, Math.max(EDGE, width - EDGE)]);
  const xOf = (index: number): number => x(index) ?? 0;
  return (
    <div className="relative" style={{ height: HEIGHT }}>
      <svg width="100%" height={HEIGHT} aria-hidden className="block overflow-visible">
        {ticks.map((tick) => (
          <line key={tick} x1={0} x2="100%" y1={y(tick)} y2={y(tick)} className="stroke-line" />
        ))}
        {width > 0 && (
          <>
            <Paths series={series} before={before} isStepped={isStepped} xOf={xOf} y={y} />
            {cursor !== undefined && (
              <Cursor x={xOf(cursor)} values={series.map(({ values }) => values[cursor])} y={y} />
            )}
          </>
        )}
      </svg>
      {ticks.map((tick) => (
        <span
          key={tick}
          aria-hidden
          style={{ top: y(tick) }}
          className="text-caption text-ink-quiet tabular pointer-events-none absolute left-0 -translate-y-full"
        >
          {axisText(tick)}
        </span>
      ))}
    </div>
  );
}

interface PathsProps {
  series: readonly Series[];
  before: readonly Series[];
  isStepped: boolean;
  xOf: (index: number) => number;
  y: (value: number) => number;
}

function Paths({ series, before, isStepped, xOf, y }: PathsProps) {
  const curve = isStepped ? curveStepAfter : curveLinear;
  const path = line<Point>()
    .curve(curve)
    .defined(isThere)
    .x((_value, index) => xOf(index))
    .y((value) => y(value ?? 0));
  const below = area<Point>()
    .curve(curve)
    .defined(isThere)
    .x((_value, index) => xOf(index))
    .y0(HEIGHT - EDGE)
    .y1((value) => y(value ?? 0));
  const [only] = series.length === 1 ? series : [];
  return (
    <>
      {only !== undefined && (
        <path
          d={below([...only.values]) ?? ''}
          className="text-accent"
          fill="currentColor"
          fillOpacity={0.1}
        />
      )}
      {before.map(({ label, values }, index) => (
        <path
          key={label}
          d={path([...values]) ?? ''}
          fill="none"
          stroke="currentColor"
          className={inkOf(index)}
          {...BEFORE_STROKE}
        />
      ))}
      {series.map(({ label, values }, index) => (
        <g key={label} className={inkOf(index)}>
          <path
            d={path([...values]) ?? ''}
            fill="none"
            stroke="currentColor"
            strokeWidth={2}
            strokeDasharray={dashOf(index)}
          />
          {values.length === 1 && values[0] !== undefined && (
            <circle cx={xOf(0)} cy={y(values[0])} r={3} fill="currentColor" />
          )}
        </g>
      ))}
    </>
  );
}

function Cursor(props: { x: number; values: readonly Point[]; y: (value: number) => number }) {
  return (
    <>
      <line x1={props.x} x2={props.x} y1={0} y2={HEIGHT} className="stroke-line-strong" />
      {props.values.map(
        (value, index) =>
          value !== undefined && (
            <circle
              key={index}
              cx={props.x}
              cy={props.y(value)}
              r={4}
              fill="currentColor"
              className={classNames(inkOf(index), 'stroke-surface')}
              strokeWidth={2}
            />
          ),
      )}
    </>
  );
}

interface LegendProps {
  series: readonly Series[];
  before: readonly Series[];
  rows: readonly string[];
  cursor: number | undefined;
}

/** The series with their marks, and their values at the cursor. It keeps its height, so the plot does not move. */
function Legend({ series, before, rows, cursor }: LegendProps) {
  // With two values each, several series would wrap when the cursor appears, so each has its own line from the beginning.
  const isColumn = before.length > 1;
  return (
    <div
      className={classNames(
        'text-caption flex min-h-10 content-start gap-x-4 gap-y-1',
        isColumn ? 'flex-col' : 'flex-wrap',
      )}
      aria-hidden
    >
      {series.map((one, index) => (
        <span key={one.label} className="inline-flex max-w-full flex-wrap items-center gap-x-1.5">
          <Mark ink={inkOf(index)} stroke={{ strokeWidth: 2, strokeDasharray: dashOf(index) }} />
          <span className="text-ink-quiet">{one.label}</span>
          {cursor !== undefined && (
            <>
              <span className="tabular font-semibold">{one.texts[cursor]}</span>
              <BeforeText text={before[index]?.texts[cursor]} />
            </>
          )}
        </span>
      ))}
      <span className="text-ink-quiet flex grow items-center gap-1.5">
        {before.length > 0 && (
          <>
            <Mark ink="text-ink-quiet" stroke={BEFORE_STROKE} />
            {m.dashboard_before()}
          </>
        )}
        {cursor !== undefined && <span className="ml-auto">{rows[cursor]}</span>}
      </span>
    </div>
  );
}

const Mark = ({ ink, stroke }: { ink: string; stroke: SVGProps<SVGLineElement> }) => (
  <svg width={20} height={8} className={ink}>
    <line x1={1} x2={20} y1={4} y2={4} stroke="currentColor" {...stroke} />
  </svg>
);

const BeforeText = ({ text }: { text: string | undefined }) =>
  text !== undefined && (
    <span className="tabular text-ink-quiet min-w-0 wrap-anywhere">
      {m.dashboard_before_value({ value: text })}
    </span>
  );
