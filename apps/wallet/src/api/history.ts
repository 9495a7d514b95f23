/** The user's movements, newest first, page by page (spec 7 `all_history`). */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
} from '@tanstack/react-query';
import { client } from './http.ts';

export type HistoryItem = AnswerOf<'historyItem'>;
export type HistoryPage = AnswerOf<'allHistory'>;

const PAGE_SIZE = 30;

const fetchPage = (cursor: string | undefined, signal?: AbortSignal): Promise<HistoryPage> =>
  client.call('allHistory', {
    query: { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
    ...(signal !== undefined && { signal }),
  });

export const historyQuery = infiniteQueryOptions({
  queryKey: ['history', 'list'],
  queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  // Fetching again would fetch every page; `refreshHistory` fetches only the newest.
  staleTime: Infinity,
});

export const useHistory = () => useInfiniteQuery(historyQuery);

/** One movement: from the list if it is there, otherwise from the server. */
export const useHistoryItem = (id: number | undefined) =>
  useQuery(
    queryOptions({
      queryKey: ['history', 'item', id],
      queryFn: ({ signal }) => client.call('historyItem', { params: { id: id ?? 0 }, signal }),
      enabled: id !== undefined,
      staleTime: Infinity,
      initialData: () =>
        queryClient
          .getQueryData(historyQuery.queryKey)
          ?.pages.flatMap(({ history }) => history)
          .find(({ data }) => data.id === id),
    }),
  );

const newestId = (pages: readonly HistoryPage[]): number => pages[0]?.history[0]?.data.id ?? 0;

type KnownPages = InfiniteData<HistoryPage, unknown>;

/** Puts newer movements before the known pages. Starts over if there are more than one page of them. */
function withNewer(known: KnownPages, newest: HistoryPage): KnownPages {
  const firstKnown = newest.history.findIndex(({ data }) => data.id <= newestId(known.pages));
  if (firstKnown === -1 && newest.next_cursor !== null)
    return { pages: [newest], pageParams: [undefined] };
  const newer = firstKnown === -1 ? newest.history : newest.history.slice(0, firstKnown);
  const [first, ...others] = known.pages;
  if (first === undefined || newer.length === 0) return known;
  return { ...known, pages: [{ ...first, history: [...newer, ...first.history] }, ...others] };
}

/** Adds new movements to the list, if there is one. After a failure the list stays: it is not wrong, only older. */
export async function refreshHistory(): Promise<void> {
  if (queryClient.getQueryData(historyQuery.queryKey) === undefined) return;
  const newest = await fetchPage(undefined).catch(() => undefined);
  if (newest === undefined) return;
  queryClient.setQueryData(historyQuery.queryKey, (known) =>
    known === undefined ? undefined : withNewer(known, newest),
  );
}
