import { mainToken } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Screen } from '@athos/ui/layout/screen';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import ReceiptText from 'lucide-react/icons/receipt-text';
import { useEffect } from 'react';
import { refreshHistory, useHistory } from '../../api/history.ts';
import { paths } from '../../routes/paths.ts';
import { HistoryList } from './history-list.tsx';
import { useAsOf } from '../../state/as-of.ts';

const SKELETON_ROW_COUNT = 8;

/** Spec 2 `/app/history`: every movement, newest first, with infinite scrolling. */
export function HistoryScreen() {
  return (
    <Screen title={m.history_title()} backTo={paths.settings}>
      <Movements />
    </Screen>
  );
}

function Movements() {
  const { data, dataUpdatedAt, isError, isFetchNextPageError, refetch, ...paging } = useHistory();
  const asOf = useAsOf(dataUpdatedAt);
  // Loads movements that arrived while the list was not shown.
  useEffect(() => void refreshHistory(), []);

  if (data === undefined) {
    return isError ? (
      <FailureNotice text={m.history_failed()} onTryAgain={() => void refetch()} />
    ) : (
      <SkeletonRows count={SKELETON_ROW_COUNT} label={m.history_loading()} />
    );
  }
  const movements = data.pages.flatMap((page) => page.movements);
  if (movements.length === 0) return <NoMovements />;
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
