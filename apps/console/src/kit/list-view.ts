/** The state of a list is in its address: filters, sort and columns (O-064), so a link shows everybody the same list. */
import { useValue } from '@athos/app-core/value';
import { parseAmount, type Asset } from '@athos/domain/money';
import { useSearchParams } from 'react-router';
import { timeZone } from '../state/time-zone.ts';
import { dayStart } from './days.ts';

export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

interface FilterBase<Id extends string> {
  /** The name in the address and in the query of the call. */
  readonly id: Id;
  readonly label: string;
}

export type Filter<Id extends string = string> = FilterBase<Id> &
  (
    | { readonly kind: 'choice'; readonly options: readonly FilterOption[] }
    | { readonly kind: 'text'; readonly hint?: string }
    /** A day in the programme's time zone: from its beginning or up to its end. */
    | { readonly kind: 'day'; readonly edge: 'from' | 'until' }
    /** An amount as typed, `12.5`; the call needs units of the asset. */
    | { readonly kind: 'amount'; readonly asset: Asset }
  );

export interface ListView {
  /** The active filters by id, as in the address. */
  readonly values: Readonly<Record<string, string>>;
  /** The same as parameters of the call, with the sort. */
  readonly query: Readonly<Record<string, string>>;
  readonly sort: string | undefined;
  /** The ids of the columns to show; `undefined` for all. */
  readonly columnIds: readonly string[] | undefined;
  /** The text in the address, which also identifies a saved view. */
  readonly search: string;
  setValue: (id: string, value: string | undefined) => void;
  setSort: (sort: string) => void;
  setColumns: (ids: readonly string[] | undefined) => void;
  /** Replaces the state of the list by that of a saved view. */
  show: (search: string) => void;
  clear: () => void;
}

/** The parameter of the search in the address of every list that has one. */
const SEARCH = 'q';
const SORT = 'sort';
const COLUMNS = 'columns';

/** The part of a list's state that can be saved: everything but a search, which may name a customer. */
export function savedSearch(search: string): string {
  const params = new URLSearchParams(search);
  params.delete(SEARCH);
  return params.toString();
}

/** A filter as a parameter of the call. An invalid day or amount is left out. */
function sentValue(filter: Filter, value: string, zone: string): string | undefined {
  switch (filter.kind) {
    case 'day':
      return dayStart(value, zone, filter.edge === 'until' ? 1 : 0);
    case 'amount':
      return parseAmount(value, filter.asset)?.toString();
    case 'choice':
    case 'text':
      return value;
  }
}

export function useListView(filters: readonly Filter[], defaultSort?: string): ListView {
  const [params, setParams] = useSearchParams();
  const zone = useValue(timeZone);

  function change(name: string, value: string | undefined): void {
    const next = new URLSearchParams(params);
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
    setParams(next, { replace: true });
  }

  const sort = params.get(SORT) ?? defaultSort;
  const values = Object.fromEntries(
    filters.flatMap(({ id }) => {
      const value = params.get(id);
      return value === null || value === '' ? [] : [[id, value]];
    }),
  );
  const query = Object.fromEntries(
    filters.flatMap((filter) => {
      const value = values[filter.id];
      const sent = value === undefined ? undefined : sentValue(filter, value, zone);
      return sent === undefined ? [] : [[filter.id, sent]];
    }),
  );
  return {
    values,
    query: { ...query, ...(sort !== undefined && { sort }) },
    sort,
    columnIds: params.get(COLUMNS)?.split(','),
    search: params.toString(),
    setValue: change,
    setSort: (sort) => change(SORT, sort === defaultSort ? undefined : sort),
    setColumns: (ids) => change(COLUMNS, ids?.join(',')),
    show: (search) => setParams(new URLSearchParams(search), { replace: true }),
    clear: () => setParams(new URLSearchParams(), { replace: true }),
  };
}
