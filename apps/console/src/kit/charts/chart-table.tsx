import { m } from '@athos/messages/messages';
import type { KeyboardEvent } from 'react';
import type { ChartTable } from './series.ts';

interface ChartTableProps {
  title: string;
  table: ChartTable;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** The numbers of a chart, all of them and exact. */
export function ChartTableView({ title, table, onKeyDown }: ChartTableProps) {
  const { rowLabel, rows, columns } = table;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- one key leads back to the chart
    <div
      role="region"
      aria-label={m.dashboard_chart_table_of({ title })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="rounded-dense focus-visible:outline-focus max-h-80 overflow-auto focus-visible:outline-2"
    >
      <table className="text-dense w-full border-collapse">
        <thead className="bg-surface sticky top-0">
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
        <tbody className="divide-line divide-y">
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                {row}
              </th>
              {columns.map(({ label, texts }) => (
                <td key={label} className="tabular py-1.5 pl-3 text-right whitespace-nowrap">
                  {texts[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
