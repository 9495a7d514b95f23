import { ListRow, type ListRowProps } from '@athos/ui/primitives/list-row';
import { useLocation } from 'react-router';
import type { Movement } from '../../api/history.ts';
import { paths } from '../../routes/paths.ts';
import type { Contact } from '../../state/contacts.ts';
import { listDate, timeOfDay } from './history-date.ts';
import { MovementIcon } from './movement-icon.tsx';
import { notedStatus, signedAmount, subjectOf, symbolOf, typeLabel } from './movement.ts';

interface HistoryRowProps extends Pick<ListRowProps, 'place'> {
  movement: Movement;
  contacts: readonly Contact[];
  now: Date;
  /** The user's labels, shown below the movement. */
  labels?: readonly string[];
  /** Whether to show the date, where no heading does. */
  hasDate?: boolean;
}

/** A movement as a row of `List`, linked to its details. */
export function HistoryRow(props: HistoryRowProps) {
  const { movement, contacts, now, place, labels = [], hasDate = false } = props;
  const { pathname, search } = useLocation();
  const to = paths.historyItem(movement.id);
  const subject = subjectOf(movement, contacts);
  const type = typeLabel(movement);
  const status = notedStatus(movement);
  return (
    <ListRow
      // The filter stays beside an opened movement, and on the way back.
      to={pathname.startsWith(paths.history) ? `${to}${search}` : to}
      isSelected={pathname === to}
      {...(place !== undefined && { place })}
      leading={<MovementIcon movement={movement} />}
      title={subject}
      subtitle={
        <>
          {subject === type ? '' : `${type} · `}
          <time dateTime={movement.at}>
            {timeOfDay(movement.at)}
            {/* Spec 2: each item shows its date. In the list the heading shows it visually. */}
            <span
              className={hasDate ? undefined : 'sr-only'}
            >{` ${listDate(movement.at, now)}`}</span>
          </time>
          {labels.length > 0 && ` · ${labels.join(', ')}`}
        </>
      }
      trailing={
        <>
          {signedAmount(movement)}{' '}
          <span className="text-caption text-ink-quiet">{symbolOf(movement)}</span>
        </>
      }
      {...(status !== undefined && { trailingSubtitle: status })}
    />
  );
}
