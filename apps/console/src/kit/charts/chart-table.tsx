import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { classNames } from '@athos/ui/primitives/class-names';
import { useState, type KeyboardEvent } from 'react';
import type { ChartTable } from './series.ts';

interface ChartTableProps {
  title: string;
  table: ChartTable;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** About as high as a chart. A box that scrolls inside the page would catch touches that should scroll the page. */
const ROWS_AT_FIRST = 10;
/** With more columns than this, such as the hours of a day, they never fit side by side. */
const COLUMNS_MAX = 8;

/** Each row is a block with one line per number. */
const BLOCKS = {
  table: 'block',
  head: 'sr-only',
  body: 'block',
  row: 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,6.5rem),1fr))] gap-x-6 py-2',
  name: 'col-span-full font-semibold',
  cell: 'flex flex-wrap justify-between gap-x-3',
  label: '',
};
/** Blocks are used only where the columns do not fit side by side. */
const COLUMNS = {
  table: '@max-[26rem]/numbers:block',
  head: '@max-[26rem]/numbers:sr-only',
  body: '@max-[26rem]/numbers:block',
  row: '@max-[26rem]/numbers:block @max-[26rem]/numbers:py-2',
  name: '@min-[26rem]/numbers:py-1.5 @min-[26rem]/numbers:pr-3 @min-[26rem]/numbers:font-normal @max-[26rem]/numbers:block font-semibold',
  cell: '@min-[26rem]/numbers:py-1.5 @min-[26rem]/numbers:pl-3 @min-[26rem]/numbers:whitespace-nowrap @max-[26rem]/numbers:flex @max-[26rem]/numbers:flex-wrap @max-[26rem]/numbers:justify-between @max-[26rem]/numbers:gap-x-3',
  label: '@min-[26rem]/numbers:hidden',
};

/** The numbers of a chart, complete and exact. */
export function ChartTableView({ title, table, onKeyDown }: ChartTableProps) {
  const { rowLabel, rows, columns } = table;
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, ROWS_AT_FIRST);
  const classes = columns.length > COLUMNS_MAX ? BLOCKS : COLUMNS;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- one key leads back to the chart
    <div
      role="region"
      aria-label={m.dashboard_chart_table_of({ title })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the key is pressed here
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="@container/numbers rounded-dense focus-visible:outline-focus flex flex-col items-start gap-2 focus-visible:outline-2"
    >
      <table className={classNames('text-dense w-full border-collapse', classes.table)}>
        <thead className={classNames('text-caption text-ink-quiet', classes.head)}>
          <tr className="border-line border-b">
            <th scope="col" className="py-1.5 pr-3 text-left font-semibold">
              {rowLabel}
            </th>
            {columns.map(({ label }) => (
              <th key={label} scope="col" className="py-1.5 pl-3 text-right font-semibold">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classNames('divide-line divide-y', classes.body)}>
          {shown.map((row, index) => (
            <tr key={index} className={classes.row}>
              <th scope="row" className={classNames('tabular text-left', classes.name)}>
                {row}
              </th>
              {columns.map(({ label, texts }) => (
                <td key={label} className={classNames('tabular text-right', classes.cell)}>
                  <span aria-hidden className={classNames('text-ink-quiet', classes.label)}>
                    {label}
                  </span>
                  {texts[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <Button variant="quiet" isDense onClick={() => setIsWhole(true)}>
          {m.dashboard_chart_all_rows({ count: rows.length })}
        </Button>
      )}
    </div>
  );
}
