import { m } from '@athos/messages/messages';
import { List, ListRow } from '@athos/ui/primitives/list-row';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { HistoryItem } from '../../api/history.ts';
import { paths } from '../../routes/paths.ts';
import { listDate } from './history-date.ts';
import { MovementIcon } from './movement-icon.tsx';
import { hasFailed, signedAmount, statusLabel, symbolOf, typeLabel } from './movement.ts';

/** Height of a row (`ListRow`); the truth is measured once a row is drawn. */
const ROW_HEIGHT = 69;
const OVERSCAN_COUNT = 8;
/** So many rows before the end the next page is asked for. */
const END_DISTANCE = 10;

interface HistoryListProps {
  items: readonly HistoryItem[];
  /** Called when the last rows come near; may be called several times. */
  onEndReached: () => void;
}

/** Only the rows near the window exist, so that the ten-thousandth movement scrolls like the first. */
export function HistoryList({ items, onEndReached }: HistoryListProps) {
  const placeRef = useRef<HTMLDivElement>(null);
  const [openedAt] = useState(() => new Date());
  const [offsetTop, setOffsetTop] = useState(0);
  useLayoutEffect(() => setOffsetTop(placeRef.current?.offsetTop ?? 0), []);

  // oxlint-disable-next-line react/incompatible-library -- nothing that it returns is passed on, so nothing can be stale
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN_COUNT,
    scrollMargin: offsetTop,
    getItemKey: (index) => items[index]?.data.id ?? index,
  });
  const rows = virtualizer.getVirtualItems();
  const [first] = rows;
  const last = rows.at(-1);
  const isNearEnd = (last?.index ?? 0) >= items.length - END_DISTANCE;
  useEffect(() => {
    if (isNearEnd) onEndReached();
  });

  return (
    <div
      ref={placeRef}
      style={{
        paddingTop: (first?.start ?? offsetTop) - offsetTop,
        paddingBottom: virtualizer.getTotalSize() - ((last?.end ?? offsetTop) - offsetTop),
      }}
    >
      <List label={m.history_title()}>
        {rows.map(({ index, key }) => {
          const item = items[index];
          return item === undefined ? null : <HistoryRow key={key} item={item} now={openedAt} />;
        })}
      </List>
    </div>
  );
}

function HistoryRow({ item, now }: { item: HistoryItem; now: Date }) {
  const type = typeLabel(item);
  const amount = signedAmount(item);
  const symbol = symbolOf(item);
  const date = listDate(item.data.date, now);
  const status = hasFailed(item) ? statusLabel(item) : undefined;
  return (
    <ListRow
      to={paths.historyItem(item.data.id)}
      leading={<MovementIcon item={item} />}
      title={type}
      subtitle={date}
      trailing={
        <>
          {amount} <span className="text-caption text-ink-quiet">{symbol}</span>
        </>
      }
      {...(status !== undefined && { trailingSubtitle: status })}
    />
  );
}
