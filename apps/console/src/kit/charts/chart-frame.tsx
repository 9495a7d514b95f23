/**
 * The frame of every chart: title, legend, and the plot with a cursor that keys and pointers move. The same numbers are available as a
 * table, by one key, and as CSV. The values at the cursor are in the legend, so nothing covers the plot and nothing moves.
 */
import { m } from '@athos/messages/messages';
import { classNames } from '@athos/ui/primitives/class-names';
import ChartSpline from 'lucide-react/icons/chart-spline';
import FileDown from 'lucide-react/icons/file-down';
import Table2 from 'lucide-react/icons/table-2';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { download } from '../download.ts';
import { DenseIconButton } from '../icon-button.tsx';
import { useWidth } from '../width.ts';
import { ChartTableView } from './chart-table.tsx';
import { csvOf, spokenRows, type ChartTable } from './series.ts';

export interface Plot {
  /** The place under the cursor. */
  readonly cursor: number | undefined;
  /** In CSS pixels; 0 until the plot is measured. */
  readonly width: number;
}

interface ChartFrameProps {
  title: string;
  /** An introduction to the figures, or the most important figure. */
  lead?: ReactNode;
  table: ChartTable;
  /** Announced for each place. By default the rows of the table. */
  spoken?: readonly string[] | undefined;
  /** The number of places that Up and Down skip, in a plot with several rows. */
  rowLength?: number;
  /** The place at a point of the plot. Both coordinates are from 0 to 1; the width is in CSS pixels. */
  locate: (x: number, y: number, width: number) => number;
  /** Shown instead of a plot that would be empty. */
  emptyText?: string | undefined;
  legend?: (cursor: number | undefined) => ReactNode;
  children: (plot: Plot) => ReactNode;
}

const fileName = (title: string): string =>
  `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`;

/** `T` switches between chart and table. */
const isToggle = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 't' && !ctrlKey && !metaKey && !altKey;

export function ChartFrame(props: ChartFrameProps) {
  const { title, lead, table, emptyText } = props;
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const wasKey = useRef(false);

  const toggle = (isByKey: boolean): void => {
    wasKey.current = isByKey;
    setIsTable((is) => !is);
  };
  // The focused element is gone, so the focus moves to the element that replaced it.
  useEffect(() => {
    if (wasKey.current) body.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    wasKey.current = false;
  }, [isTable]);

  return (
    <section
      aria-labelledby={id}
      className="rounded-small bg-surface inset-ring-line flex min-w-0 flex-col gap-3 p-4 inset-ring"
    >
      <header className="flex min-w-0 items-start gap-2">
        <h2 id={id} className="text-dense min-w-0 grow pt-1.5 font-bold wrap-anywhere">
          {title}
        </h2>
        {emptyText === undefined && (
          <div className="-mt-1 -mr-1 flex shrink-0">
            <DenseIconButton
              label={
                isTable ? m.dashboard_chart_chart({ title }) : m.dashboard_chart_table({ title })
              }
              icon={
                isTable ? <ChartSpline size={16} aria-hidden /> : <Table2 size={16} aria-hidden />
              }
              aria-keyshortcuts="T"
              onClick={() => toggle(false)}
            />
            <DenseIconButton
              label={m.dashboard_chart_csv({ title })}
              icon={<FileDown size={16} aria-hidden />}
              onClick={() => download(fileName(title), csvOf(table))}
            />
          </div>
        )}
      </header>
      {lead}
      <div ref={body} className="flex min-w-0 flex-col gap-3">
        {emptyText !== undefined ? (
          <p className="text-dense text-ink-quiet flex min-h-24 items-center">{emptyText}</p>
        ) : isTable ? (
          <ChartTableView
            title={title}
            table={table}
            onKeyDown={(event) => {
              if (isToggle(event)) toggle(true);
            }}
          />
        ) : (
          <PlotArea {...props} onTable={() => toggle(true)} />
        )}
      </div>
    </section>
  );
}

/** The new place after a key; `undefined` for other keys. */
function movedBy(key: string, at: number, last: number, rowLength: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return at - 1;
    case 'ArrowRight':
      return at + 1;
    case 'ArrowUp':
      return at - rowLength;
    case 'ArrowDown':
      return at + rowLength;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

function PlotArea(props: ChartFrameProps & { onTable: () => void }) {
  const { title, table, spoken, rowLength = 1, locate, legend, onTable, children } = props;
  const { ref, width } = useWidth();
  const [cursor, setCursor] = useState<number>();
  const texts = spoken ?? spokenRows(table);
  const last = texts.length - 1;
  // New figures may have fewer places.
  const at = cursor === undefined ? undefined : Math.min(cursor, last);

  function onKeyDown(event: KeyboardEvent): void {
    const next = movedBy(
      event.key,
      at ?? (event.key === 'ArrowRight' ? -1 : last + 1),
      last,
      rowLength,
    );
    if (isToggle(event)) onTable();
    if (event.key === 'Escape') setCursor(undefined);
    if (next === undefined) return;
    event.preventDefault();
    if (next >= 0 && next <= last) setCursor(next);
  }

  return (
    <>
      {legend?.(at)}
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={m.dashboard_chart_cursor({ title })}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={texts[at ?? last]}
        onKeyDown={onKeyDown}
        onPointerMove={({ clientX, clientY, currentTarget }) => {
          const box = currentTarget.getBoundingClientRect();
          const [x, y] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
          const place = locate(x, y, box.width);
          setCursor(Math.max(0, Math.min(last, place)));
        }}
        onPointerLeave={() => setCursor(undefined)}
        onBlur={() => setCursor(undefined)}
        className={classNames(
          'rounded-dense focus-visible:outline-focus relative min-w-0 touch-pan-y focus-visible:outline-2 focus-visible:outline-offset-2',
        )}
      >
        {children({ cursor: at, width })}
      </div>
    </>
  );
}
