import { m } from '@athos/messages/messages';
import { classNames } from '@athos/ui/primitives/class-names';
import { List } from '@athos/ui/primitives/list-row';
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Movement } from '../../api/history.ts';
import { noteOf, useMovementNotes, type MovementNote } from '../../api/movement-notes.ts';
import { useContacts, type Contact } from '../../state/contacts.ts';
import { dayHeading, dayOf } from './history-date.ts';
import { HistoryRow } from './history-row.tsx';

/** Height of a line until it is rendered and measured. */
const LINE_HEIGHT = 68;
const OVERSCAN_COUNT = 8;
/** The next page is fetched when this many lines are left. */
const END_DISTANCE = 10;

/** A day's heading or one of its movements. */
type Line =
  | { readonly key: string; readonly day: string; readonly heading: string }
  | { readonly key: number; readonly day: string; readonly movement: Movement };

function linesOf(movements: readonly Movement[], now: Date): readonly Line[] {
  let lastDay: string | undefined;
  return movements.flatMap((movement): Line[] => {
    const day = dayOf(movement.at);
    const row: Line = { key: movement.id, day, movement };
    if (day === lastDay) return [row];
    lastDay = day;
    return [{ key: day, day, heading: dayHeading(movement.at, now) }, row];
  });
}

interface HistoryListProps {
  movements: readonly Movement[];
  /** Called near the end of the list, possibly several times. */
  onEndReached: () => void;
}

/**
 * Movements by day. Renders only the lines near the viewport, so that ten thousand movements scroll as smoothly as ten.
 */
export function HistoryList({ movements, onEndReached }: HistoryListProps) {
  const placeRef = useRef<HTMLUListElement>(null);
  const [openedAt] = useState(() => new Date());
  const [offsetTop, setOffsetTop] = useState(0);
  useLayoutEffect(() => setOffsetTop(placeRef.current?.offsetTop ?? 0), []);
  const lines = linesOf(movements, openedAt);
  const contacts = useContacts();
  const notes = useMovementNotes();

  // oxlint-disable-next-line react/incompatible-library -- its functions are called in this component alone, so nothing can be stale
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => LINE_HEIGHT,
    measureElement: (element) => element.getBoundingClientRect().height || LINE_HEIGHT,
    overscan: OVERSCAN_COUNT,
    scrollMargin: offsetTop,
    getItemKey: (index) => lines[index]?.key ?? index,
  });
  const shown = virtualizer.getVirtualItems();
  const [first] = shown;
  const last = shown.at(-1);
  const isNearEnd = (last?.index ?? 0) >= lines.length - END_DISTANCE;
  useEffect(() => {
    if (isNearEnd) onEndReached();
  });

  return (
    <ul
      ref={placeRef}
      aria-label={m.history_title()}
      style={{
        paddingTop: (first?.start ?? offsetTop) - offsetTop,
        paddingBottom: virtualizer.getTotalSize() - ((last?.end ?? offsetTop) - offsetTop),
      }}
    >
      {[...Map.groupBy(shown, ({ index }) => lines[index]?.day)].map(([day, items]) => (
        <Day
          key={day}
          lines={items.flatMap((item) => shownLine(lines, item))}
          measure={virtualizer.measureElement}
          contacts={contacts}
          notes={notes}
          now={openedAt}
        />
      ))}
    </ul>
  );
}

type ShownLine = Line & { readonly index: number };

function shownLine(lines: readonly Line[], { index }: VirtualItem): readonly ShownLine[] {
  const line = lines[index];
  return line === undefined ? [] : [{ ...line, index }];
}

interface DayProps {
  lines: readonly ShownLine[];
  measure: (element: Element | null) => void;
  contacts: readonly Contact[];
  notes: ReadonlyMap<number, MovementNote> | undefined;
  now: Date;
}

/** The rendered part of a day, which may lack its heading or some of its rows. */
function Day({ lines, measure, contacts, notes, now }: DayProps) {
  const [first] = lines;
  const rows = lines.filter((line) => 'movement' in line);
  const [newest] = rows;
  return (
    <li>
      {first !== undefined && 'heading' in first && (
        <h2
          ref={measure}
          data-index={first.index}
          className={classNames(
            'text-caption text-ink-quiet px-1 pb-2 font-semibold',
            first.index > 0 && 'pt-5',
          )}
        >
          {first.heading}
        </h2>
      )}
      {newest !== undefined && (
        <List label={dayHeading(newest.movement.at, now)}>
          {rows.map(({ key, index, movement }) => (
            <HistoryRow
              key={key}
              movement={movement}
              contacts={contacts}
              labels={noteOf(notes, movement.id).labels}
              now={now}
              place={{ ref: measure, 'data-index': index }}
            />
          ))}
        </List>
      )}
    </li>
  );
}
