import { mainToken } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Screen } from '@athos/ui/layout/screen';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import FileText from 'lucide-react/icons/file-text';
import ReceiptText from 'lucide-react/icons/receipt-text';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { refreshHistory } from '../../api/history-updates.ts';
import { useHistory, type HistoryFilter } from '../../api/history.ts';
import { paths } from '../../routes/paths.ts';
import { filterOf, isFiltered, NO_FILTER, searchOf } from './history-filter.ts';
import { HistoryList } from './history-list.tsx';
import { HistoryTools } from './history-tools.tsx';
import { useAsOf } from '../../state/as-of.ts';

const SKELETON_ROW_COUNT = 8;

/** Spec 2 `/app/history`: every movement, newest first, with infinite scrolling. The address holds the filter. */
export function HistoryScreen() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const filter = filterOf(new URLSearchParams(search));
  const hasFilter = isFiltered(filter);
  const [isOpen, setIsOpen] = useState(hasFilter);

  // A movement that is open beside the list stays open.
  function show(chosen: HistoryFilter): void {
    void navigate(`${pathname}${searchOf(chosen)}`, { replace: true });
  }

  return (
    <Screen title={m.history_title()} backTo={paths.settings}>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="quiet"
          isCompact
          aria-expanded={isOpen}
          icon={<SlidersHorizontal size={18} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {hasFilter ? m.history_filter_on() : m.history_filter()}
        </Button>
        <ButtonLink
          variant="quiet"
          isCompact
          to={paths.statements}
          icon={<FileText size={18} aria-hidden />}
        >
          {m.statements_screen_title()}
        </ButtonLink>
      </div>
      {isOpen && <HistoryTools filter={filter} onChange={show} />}
      {/* Remounted when the tools open or close, because the list measures its offset only once. */}
      <Movements
        key={String(isOpen)}
        filter={hasFilter ? filter : undefined}
        onClear={() => show(NO_FILTER)}
      />
    </Screen>
  );
}

interface MovementsProps {
  filter: HistoryFilter | undefined;
  onClear: () => void;
}

function Movements({ filter, onClear }: MovementsProps) {
  const { data, dataUpdatedAt, isError, isFetchNextPageError, refetch, ...paging } =
    useHistory(filter);
  const asOf = useAsOf(dataUpdatedAt);
  // Loads movements that arrived while the list was not shown.
  useEffect(() => void refreshHistory(), []);
  const movements = data?.pages.flatMap((page) => page.movements) ?? [];
  // The server scans some hundred movements per page, and perhaps none of them matches.
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = paging;
  const isLookingOn =
    movements.length === 0 && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isLookingOn) void fetchNextPage();
  }, [isLookingOn, fetchNextPage]);

  if (data === undefined) {
    return isError ? (
      <FailureNotice text={m.history_failed()} onTryAgain={() => void refetch()} />
    ) : (
      <SkeletonRows count={SKELETON_ROW_COUNT} label={m.history_loading()} />
    );
  }
  if (movements.length === 0 && !hasNextPage) {
    return filter === undefined ? <NoMovements /> : <NoMatch onClear={onClear} />;
  }
  return (
    <>
      {asOf !== undefined && <p className="text-caption text-ink-quiet">{asOf}</p>}
      <HistoryList
        movements={movements}
        onEndReached={() => {
          if (
            asOf === undefined &&
            paging.hasNextPage &&
            !paging.isFetchingNextPage &&
            !isFetchNextPageError
          ) {
            void paging.fetchNextPage();
          }
        }}
      />
      {paging.isFetchingNextPage && <SkeletonRows count={2} label={m.history_loading_more()} />}
      {isFetchNextPageError && asOf === undefined && (
        <FailureNotice text={m.history_failed()} onTryAgain={() => void paging.fetchNextPage()} />
      )}
      <p className="text-caption text-ink-quiet py-4 text-center empty:hidden">
        {endText(paging.hasNextPage, asOf !== undefined)}
      </p>
    </>
  );
}

function endText(hasMore: boolean, isOffline: boolean): string {
  if (!hasMore) return m.history_end();
  return isOffline ? m.history_offline_end() : '';
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<ReceiptText size={28} />}
      title={m.history_no_match()}
      action={<Button onClick={onClear}>{m.history_filter_clear()}</Button>}
    />
  );
}

function NoMovements() {
  return (
    <EmptyState
      icon={<ReceiptText size={28} />}
      title={m.history_empty_title()}
      text={m.history_empty_text()}
      action={
        <ButtonLink to={paths.buy}>
          {m.history_empty_action({ symbol: mainToken.symbol })}
        </ButtonLink>
      }
    />
  );
}
