/** A whole list: title with count, filters, table, and further pages by cursor. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { classNames } from '@athos/ui/primitives/class-names';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { AdminList, Count } from '../api/admin.ts';
import { ColumnChoice, shownColumns } from './column-choice.tsx';
import { FailureView } from './failure.tsx';
import { FilterBar } from './filter-bar.tsx';
import { useKey } from './keys.ts';
import type { Filter, ListView } from './list-view.ts';
import { Page } from './page.tsx';
import { SavedViews } from './saved-views.tsx';
import { Table, type Column, type Selection } from './table.tsx';
import { LoadMore } from './load-more.tsx';

export interface ListPageProps<Row> {
  title: string;
  list: AdminList<Row>;
  view: ListView;
  filters: readonly Filter[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** The address of a row's detail, without the list's query, which is kept. */
  pathOf: (row: Row) => string;
  /** The row whose detail is open beside the list. */
  openKey?: string | undefined;
  /** The address of the list itself, to which Esc returns from a detail. */
  path: string;
  emptyText: string;
  /** In the header, such as "Export this list". */
  actions?: ReactNode;
  selection?: Selection;
  /** Acts on the selected rows, in a bar that appears with the first one. */
  bulk?: ReactNode;
  /** A search box or tabs above the filters. */
  lead?: ReactNode;
  /** Beside the button for more rows, such as the time up to which the server has searched. */
  endNote?: ReactNode;
}

/** `1,284`, or `more than 10,000`. */
export function countText({ value, isAtLeast }: Count): string {
  const figures = value.toLocaleString('en-US');
  return isAtLeast ? m.console_count_at_least({ count: figures }) : figures;
}

/** A first page that has found nothing yet has no count either. */
const isCounted = (count: Count | undefined): count is Count =>
  count !== undefined && (count.value > 0 || !count.isAtLeast);

export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, list, view, filters, columns, selection } = props;
  const navigate = useNavigate();
  const suffix = view.search === '' ? '' : `?${view.search}`;
  useKey(
    'Escape',
    props.openKey === undefined ? undefined : m.console_keys_close(),
    () => void navigate(props.path + suffix),
  );
  return (
    <Page
      title={title}
      count={isCounted(list.count) ? countText(list.count) : undefined}
      actions={
        <>
          <SavedViews list={props.path} view={view} />
          <ColumnChoice columns={columns} view={view} />
          {props.actions}
        </>
      }
    >
      {props.lead}
      {filters.length > 0 && <FilterBar filters={filters} view={view} />}
      {selection !== undefined && selection.keys.size > 0 && (
        <BulkBar selection={selection}>{props.bulk}</BulkBar>
      )}
      {list.failure !== undefined && <FailureView failure={list.failure} onRetry={list.reload} />}
      {list.rows?.length === 0 && !list.hasMore ? (
        <EmptyList {...props} />
      ) : (
        (list.rows !== undefined || list.failure === undefined) && (
          <div className={classNames('transition-opacity', list.isStale && 'opacity-60')}>
            <Table
              label={title}
              columns={shownColumns(columns, view.columnIds)}
              rows={list.rows}
              keyOf={props.keyOf}
              pathOf={(row) => props.pathOf(row) + suffix}
              openKey={props.openKey}
              sort={view.sort}
              onSort={view.setSort}
              selection={selection}
            />
          </div>
        )
      )}
      <ListEnd list={list} note={props.endNote} />
    </Page>
  );
}

function EmptyList<Row>({ view, emptyText }: ListPageProps<Row>) {
  const isFiltered = Object.keys(view.values).length > 0;
  return (
    <EmptyState
      title={isFiltered ? m.console_list_no_match_title() : m.console_list_empty_title()}
      text={isFiltered ? m.console_list_no_match() : emptyText}
      action={
        isFiltered && (
          <Button variant="quiet" isDense onClick={view.clear}>
            {m.console_filters_clear()}
          </Button>
        )
      }
    />
  );
}

function BulkBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  return (
    <div
      role="group"
      aria-label={m.console_bulk()}
      className="bg-sunken rounded-small text-dense z-20 flex flex-wrap items-center gap-2 px-3 py-1.5 small:sticky small:top-2"
    >
      <span role="status" className="tabular font-semibold">
        {m.console_bulk_count({ count: selection.keys.size })}
      </span>
      {children}
      <Button variant="plain" isDense onClick={() => selection.onChange(new Set())}>
        {m.console_bulk_clear()}
      </Button>
    </div>
  );
}

/** Shows how much of the list is loaded, and loads the next page. */
function ListEnd<Row>({ list, note }: { list: AdminList<Row>; note: ReactNode }) {
  const shown = list.rows?.length ?? 0;
  if (list.count === undefined || (shown === 0 && !list.hasMore)) return null;
  return (
    <footer className="text-caption text-ink-quiet flex flex-wrap items-center gap-3 pb-6">
      {shown > 0 && (
        <span role="status" className="tabular">
          {m.console_list_shown({ shown, count: countText(list.count) })}
        </span>
      )}
      {note}
      <LoadMore list={list} />
    </footer>
  );
}
