/** Brings the list of movements that is shown up to date: after a change of our own, an event, and a gap in which no events were heard. */
import { queryClient } from '@athos/app-core/query-client';
import type { InfiniteData } from '@tanstack/react-query';
import { fetchPage, historyQuery, PAGE_SIZE, type HistoryPage, type Movement } from './history.ts';
import { currentUuid } from './session.ts';

const newestId = (pages: readonly HistoryPage[]): number => pages[0]?.movements[0]?.id ?? 0;

type KnownPages = InfiniteData<HistoryPage, unknown>;

const movementsOf = ({ pages }: KnownPages): readonly Movement[] =>
  pages.flatMap(({ movements }) => movements);

/**
 * Replaces what the newest page covers, since a send in it may have arrived meanwhile, and keeps the rest. Starts over if movements between
 * both are missing.
 */
function withNewest(known: KnownPages, newest: HistoryPage): KnownPages {
  const oldestFreshId = newest.movements.at(-1)?.id ?? 0;
  if (newest.nextCursor !== null && newestId(known.pages) < oldestFreshId)
    return { pages: [newest], pageParams: [null] };
  // A response that was overtaken by a later one lacks the movements of that one.
  const newer = movementsOf(known).filter(({ id }) => id > newestId([newest]));
  const [first, ...others] = known.pages.map((page) => ({
    ...page,
    movements: page.movements.filter(({ id }) => id < oldestFreshId),
  }));
  if (first === undefined) return known;
  const movements = [...newer, ...newest.movements, ...first.movements];
  return { ...known, pages: [{ ...first, movements }, ...others] };
}

/** Updates the newest part of the list, if it is loaded. After a failure the list stays as it is, because it is only out of date. */
export async function refreshHistory(): Promise<void> {
  if (queryClient.getQueryData(historyQuery.queryKey) === undefined) return;
  const userUuid = currentUuid();
  const newest = await fetchPage(null).catch(() => undefined);
  // Another user may have signed in meanwhile.
  if (newest === undefined || currentUuid() !== userUuid) return;
  queryClient.setQueryData(historyQuery.queryKey, (known) =>
    known === undefined ? undefined : withNewest(known, newest),
  );
}

const isArriving = (movement: Movement): boolean =>
  movement.kind === 'send' && movement.state === 'arriving';

/**
 * Reads again what may have changed while no events were heard. Of the list that is its newest page, or every page if a send below that was
 * still on its way.
 */
export async function catchUpOnHistory(): Promise<void> {
  await refreshHistory();
  const known = queryClient.getQueryData(historyQuery.queryKey);
  const isListStale = known !== undefined && movementsOf(known).slice(PAGE_SIZE).some(isArriving);
  await queryClient.invalidateQueries({
    queryKey: ['history'],
    predicate: ({ queryKey }) => isListStale || queryKey[1] !== historyQuery.queryKey[1],
  });
}
