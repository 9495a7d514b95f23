import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';

interface LoadMoreProps {
  list: {
    readonly hasMore: boolean;
    readonly isLoadingMore: boolean;
    readonly loadMore: () => void;
  };
}

/** Loads the next page of a list, if there is one. */
export function LoadMore({ list }: LoadMoreProps) {
  if (!list.hasMore) return null;
  return (
    <div>
      <Button variant="quiet" isDense isPending={list.isLoadingMore} onClick={list.loadMore}>
        {m.console_list_more()}
      </Button>
    </div>
  );
}
