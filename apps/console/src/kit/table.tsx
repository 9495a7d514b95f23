/**
 * The table of every list. It is a real table, and each row is a link to its object, so that all of the browser's ways to follow a link
 * work. `j k x Enter` move focus and selection among the rows.
 */
import { m } from '@athos/messages/messages';
import { classNames } from '@athos/ui/primitives/class-names';
import { Link } from '@athos/ui/primitives/link';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { useRef, type ReactNode, type RefObject } from 'react';
import { useKey } from './keys.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** End-aligned columns hold amounts, counts and times, which are compared. */
  readonly align?: 'end';
  /** The names under which the server sorts by this column. */
  readonly sort?: { readonly ascending?: string; readonly descending?: string };
  /** The minimum width of the list at which the column is shown. By default it is always shown. */
  readonly from?: 'medium' | 'large';
}

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}

interface TableProps<Row> {
  /** The accessible name. */
  label: string;
  /** The first column holds the row's link. */
  columns: readonly Column<Row>[];
  /** `undefined` shows rows that are loading. */
  rows: readonly Row[] | undefined;
  keyOf: (row: Row) => string;
  pathOf: (row: Row) => string;
  /** The row whose detail is open. */
  openKey?: string | undefined;
  sort?: string | undefined;
  onSort?: ((sort: string) => void) | undefined;
  selection?: Selection | undefined;
}

const FROM_CLASSES = {
  medium: 'hidden @min-[34rem]/list:table-cell',
  large: 'hidden @min-[56rem]/list:table-cell',
};

/** Stacks the cells of a row where there is no room for columns, as on a phone with large text. */
const STACKED_CLASS =
  '@max-[22rem]/list:flex @max-[22rem]/list:h-auto pointer-fine:@max-[22rem]/list:h-auto @max-[22rem]/list:flex-wrap @max-[22rem]/list:items-center @max-[22rem]/list:gap-y-1 @max-[22rem]/list:py-2';

const cellClass = <Row,>({ align, from }: Column<Row>): string =>
  classNames(
    'px-2 @min-[34rem]/list:px-3',
    align === 'end' ? '@min-[34rem]/list:whitespace-nowrap text-right' : 'text-left',
    from !== undefined && FROM_CLASSES[from],
  );

const SKELETON_COUNT = 8;

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, selection } = props;
  const table = useRef<HTMLTableElement>(null);
  useRowKeys(table, selection !== undefined);
  return (
    <div className="@container/list rounded-small bg-surface inset-ring-line overflow-x-auto inset-ring">
      <table
        ref={table}
        aria-label={label}
        aria-busy={rows === undefined}
        className="text-dense @max-[22rem]/list:block w-full border-collapse"
      >
        <thead className="@max-[22rem]/list:sr-only">
          <tr className="border-line border-b">
            {selection !== undefined && (
              <th scope="col" className="w-10 pl-3 text-left">
                <SelectAll {...props} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHead key={column.id} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody className="divide-line @max-[22rem]/list:block divide-y">
          {rows === undefined
            ? Array.from({ length: SKELETON_COUNT }, (_, index) => (
                <SkeletonRow key={index} columns={columns} hasBox={selection !== undefined} />
              ))
            : rows.map((row) => <TableRow key={props.keyOf(row)} row={row} {...props} />)}
        </tbody>
      </table>
    </div>
  );
}

type SortProps<Row> = Pick<TableProps<Row>, 'sort' | 'onSort'> & { column: Column<Row> };

function ColumnHead<Row>({ column, sort, onSort }: SortProps<Row>) {
  const { ascending, descending } = column.sort ?? {};
  const direction =
    sort === undefined
      ? undefined
      : sort === ascending
        ? 'ascending'
        : sort === descending
          ? 'descending'
          : undefined;
  const next = direction === 'descending' ? (ascending ?? descending) : (descending ?? ascending);
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={direction}
      className={classNames(
        cellClass(column),
        'text-caption text-ink-quiet h-9 font-semibold whitespace-nowrap',
      )}
    >
      {next === undefined || onSort === undefined ? (
        column.title
      ) : (
        <button
          type="button"
          onClick={() => onSort(next)}
          className="rounded-dense hover:text-ink -mx-1 inline-flex min-h-8 items-center gap-1 px-1 font-semibold"
        >
          {column.title}
          <Arrow
            size={14}
            aria-hidden
            className={direction === undefined ? 'opacity-0' : 'text-accent-text'}
          />
        </button>
      )}
    </th>
  );
}

function TableRow<Row>(props: TableProps<Row> & { row: Row }) {
  const { row, columns, selection } = props;
  const key = props.keyOf(row);
  const isOpen = key === props.openKey;
  const isSelected = selection?.keys.has(key) ?? false;
  return (
    <tr
      className={classNames(
        'hover:bg-sunken relative h-11 transition-colors duration-150 ease-out pointer-fine:h-10',
        STACKED_CLASS,
        'has-[a[data-row]:focus-visible]:outline-focus has-[a[data-row]:focus-visible]:outline-2 has-[a[data-row]:focus-visible]:-outline-offset-2',
        (isOpen || isSelected) && 'bg-sunken',
      )}
    >
      {selection !== undefined && (
        <td className="w-10 pl-3">
          <RowCheckbox
            label={m.console_table_select()}
            isChecked={isSelected}
            onChange={() => selection.onChange(toggled(selection.keys, key))}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          className={classNames(cellClass(column), 'max-w-full py-1.5 @max-[22rem]/list:py-0')}
        >
          {index === 0 ? (
            <Link
              to={props.pathOf(row)}
              data-row={key}
              aria-current={isOpen || undefined}
              className="font-semibold outline-none after:absolute after:inset-0"
            >
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

function SelectAll<Row>(props: TableProps<Row> & { selection: Selection }) {
  const { rows = [], selection, keyOf } = props;
  const isAll = rows.length > 0 && rows.every((row) => selection.keys.has(keyOf(row)));
  return (
    <RowCheckbox
      label={m.console_table_select_all()}
      isChecked={isAll}
      onChange={() => selection.onChange(new Set(isAll ? [] : rows.map(keyOf)))}
    />
  );
}

function RowCheckbox(props: { label: string; isChecked: boolean; onChange: () => void }) {
  return (
    <span className="control relative z-10 -ml-2 inline-flex items-center justify-center">
      <input
        type="checkbox"
        aria-label={props.label}
        checked={props.isChecked}
        onChange={props.onChange}
        className="size-4"
      />
    </span>
  );
}

function SkeletonRow<Row>(props: { columns: readonly Column<Row>[]; hasBox: boolean }) {
  return (
    <tr className={classNames('h-11 pointer-fine:h-10', STACKED_CLASS)}>
      {props.hasBox && (
        <td className="pl-3">
          <Skeleton className="size-4" />
        </td>
      )}
      {props.columns.map((column, index) => (
        <td key={column.id} className={classNames(cellClass(column), 'max-w-full')}>
          <Skeleton
            className={classNames(
              'h-3.5 w-full',
              index === 0 ? 'max-w-32' : 'max-w-20',
              column.align === 'end' && 'ml-auto',
            )}
          />
        </td>
      ))}
    </tr>
  );
}

/** The keys move the real focus, so Enter and all other browser functions work on the row. */
function useRowKeys(table: RefObject<HTMLTableElement | null>, hasSelection: boolean): void {
  function move(step: 1 | -1): void {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])];
    const current = links.findIndex(
      (link) => link.closest('tr')?.contains(document.activeElement) === true,
    );
    const open = links.findIndex((link) => link.ariaCurrent === 'true');
    const from = current === -1 ? open : current;
    const next = from === -1 && step === -1 ? links.length - 1 : from + step;
    links[Math.max(0, Math.min(links.length - 1, next))]?.focus();
  }
  useKey('j', m.console_keys_next(), () => move(1));
  useKey('k', m.console_keys_previous(), () => move(-1));
  useKey('x', hasSelection ? m.console_keys_select() : undefined, () =>
    table.current?.querySelector<HTMLElement>('tr:focus-within input[type=checkbox]')?.click(),
  );
}
