import { m } from '@athos/messages/messages';
import { List, ListRow } from '@athos/ui/primitives/list-row';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Movement } from '../../api/history.ts';
import { paths } from '../../routes/paths.ts';
import { listDate } from './history-date.ts';
import { MovementIcon } from './movement-icon.tsx';
import { hasFailed, signedAmount, statusLabel, symbolOf, typeLabel } from './movement.ts';

/** Estimated height of a row (`ListRow`). Each row is measured once it is rendered. */
const ROW_HEIGHT = 69;
const OVERSCAN_COUNT = 8;
/** The next page is fetched when this many rows are left. */
const END_DISTANCE = 10;

interface HistoryListProps {
  movements: readonly Movement[];
  /** Called near the end of the list, possibly several times. */
  onEndReached: () => void;
}

/** Renders only the rows near the viewport, so that ten thousand movements scroll as smoothly as ten. */
export function HistoryList({ movements, onEndReached }: HistoryListProps) {
  const placeRef = useRef<HTMLDivElement>(null);
  const [openedAt] = useState(() => new Date());
  const [offsetTop, setOffsetTop] = useState(0);
  useLayoutEffect(() => setOffsetTop(placeRef.current?.offsetTop ?? 0), []);

  // oxlint-disable-next-line react/incompatible-library -- nothing that it returns is passed on, so nothing can be stale
  const virtualizer = useWindowVirtualizer({
    count: movements.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN_COUNT,
    scrollMargin: offsetTop,
    getItemKey: (index) => movements[index]?.id ?? index,
  });
  const rows = virtualizer.getVirtualItems();
  const [first] = rows;
  const last = rows.at(-1);
  const isNearEnd = (last?.index ?? 0) >= movements.length - END_DISTANCE;
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
          const movement = movements[index];
          return movement === undefined ? null : (
            <HistoryRow key={key} movement={movement} now={openedAt} />
          );
        })}
      </List>
    </div>
  );
}

function HistoryRow({ movement, now }: { movement: Movement; now: Date }) {
  const type = typeLabel(movement);
  const amount = signedAmount(movement);
  const symbol = symbolOf(movement);
  const date = listDate(movement.at, now);
  const status = hasFailed(movement) ? statusLabel(movement) : undefined;
  return (
    <ListRow
      to={paths.historyItem(movement.id)}
      leading={<MovementIcon movement={movement} />}
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
