/** A heat map by place and hour. A cell is larger and stronger for higher values, so that it is readable without colour. */
import { scaleBand, scaleLinear, scaleSqrt } from 'd3-scale';
import { ChartFrame, type Plot } from './chart-frame.tsx';
import type { ChartTable } from './series.ts';

export interface HeatRow {
  readonly label: string;
  /** One value per column. */
  readonly values: readonly number[];
}

interface HeatMapProps {
  title: string;
  rowLabel: string;
  /** `14:00`. */
  columns: readonly string[];
  rows: readonly HeatRow[];
  /** `31 redemptions`. */
  textOf: (value: number) => string;
  emptyText?: string | undefined;
}

const ROW_HEIGHT = 24;
const OPACITY_MIN = 0.45;
/** A label for every sixth column. */
const LABELLED = 6;

export function HeatMap({ title, rowLabel, columns, rows, textOf, emptyText }: HeatMapProps) {
  const cells = rows.flatMap(({ label, values }) =>
    values.map((value, index) => ({ label, value, column: columns[index] ?? '' })),
  );
  const table: ChartTable = {
    rowLabel,
    rows: rows.map(({ label }) => label),
    columns: columns.map((label, index) => {
      const texts = rows.map(({ values }) => String(values[index] ?? 0));
      return { label, texts, raws: texts };
    }),
  };
  return (
    <ChartFrame
      title={title}
      table={table}
      emptyText={emptyText}
      spoken={cells.map(({ label, column, value }) => `${label}, ${column}: ${textOf(value)}`)}
      rowLength={columns.length}
      locate={(x, y) =>
        Math.min(rows.length - 1, Math.floor(y * rows.length)) * columns.length +
        Math.min(columns.length - 1, Math.floor(x * columns.length))
      }
      legend={(cursor) => {
        const cell = cursor === undefined ? undefined : cells[cursor];
        return (
          <p className="text-caption text-ink-quiet min-h-5" aria-hidden>
            {cell !== undefined && (
              <>
                {cell.label}, {cell.column}{' '}
                <span className="text-ink font-semibold">{textOf(cell.value)}</span>
              </>
            )}
          </p>
        );
      }}
    >
      {({ cursor, width }) => <Cells columns={columns} rows={rows} cursor={cursor} width={width} />}
    </ChartFrame>
  );
}

interface CellsProps extends Plot, Pick<HeatMapProps, 'columns' | 'rows'> {}

function Cells({ columns, rows, cursor, width }: CellsProps) {
  const most = Math.max(1, ...rows.flatMap(({ values }) => values));
  const side = scaleSqrt().domain([0, most]).range([0, 1]);
  const opacity = scaleLinear().domain([0, most]).range([OPACITY_MIN, 1]);
  const x = scaleBand<number>()
    .domain(columns.map((_label, index) => index))
    .range([0, width]);
  return (
    <>
      {rows.map((row, rowIndex) => (
        <div key={row.label} className="flex flex-col pt-1">
          <span className="text-caption min-w-0 wrap-anywhere" aria-hidden>
            {row.label}
          </span>
          <svg width="100%" height={ROW_HEIGHT} aria-hidden className="text-accent block">
            <rect width="100%" height={ROW_HEIGHT} rx={2} className="fill-sunken" />
            {width > 0 &&
              row.values.map((value, index) => (
                <Cell
                  key={index}
                  x={x(index) ?? 0}
                  width={x.bandwidth()}
                  part={side(value)}
                  opacity={opacity(value)}
                  isCurrent={cursor === rowIndex * columns.length + index}
                />
              ))}
          </svg>
        </div>
      ))}
      <div className="text-caption text-ink-quiet flex pt-1" aria-hidden>
        {columns
          .filter((_label, index) => index % LABELLED === 0)
          .map((label) => (
            <span key={label} className="min-w-0 flex-1">
              {label.replace(':00', '')}
            </span>
          ))}
      </div>
    </>
  );
}

interface CellProps {
  x: number;
  width: number;
  /** The share of the cell's side, from 0 to 1. */
  part: number;
  opacity: number;
  isCurrent: boolean;
}

function Cell({ x, width, part, opacity, isCurrent }: CellProps) {
  const [w, h] = [part * Math.max(0, width - 2), part * (ROW_HEIGHT - 2)];
  return (
    <>
      {part > 0 && (
        <rect
          x={x + (width - w) / 2}
          y={(ROW_HEIGHT - h) / 2}
          width={w}
          height={h}
          rx={2}
          fill="currentColor"
          fillOpacity={opacity}
        />
      )}
      {isCurrent && (
        <rect
          x={x + 1}
          y={1}
          width={Math.max(0, width - 2)}
          height={ROW_HEIGHT - 2}
          rx={2}
          fill="none"
          className="stroke-ink"
          strokeWidth={2}
        />
      )}
    </>
  );
}
