import { m } from '@athos/messages/messages';
import { TextLink } from '@athos/ui/primitives/link';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useEffect, useId, useState } from 'react';
import { refreshHistory } from '../../api/history-updates.ts';
import { useHistory } from '../../api/history.ts';
import { paths } from '../../routes/paths.ts';
import { useContacts } from '../../state/contacts.ts';
import { HistoryRow } from './history-row.tsx';
import { List } from '@athos/ui/primitives/list-row';

const ROW_COUNT = 6;

/** The newest movements, shown beside the screens on a desktop. Renders nothing if they cannot be loaded. */
export function RecentActivity() {
  const headingId = useId();
  const { data, isError } = useHistory();
  const contacts = useContacts();
  const [openedAt] = useState(() => new Date());
  useEffect(() => void refreshHistory(), []);
  if (data === undefined && isError) return null;
  const newest = data?.pages[0]?.movements.slice(0, ROW_COUNT);
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <h2 id={headingId} className="font-display text-title font-bold">
          {m.history_recent_title()}
        </h2>
        <TextLink to={paths.history} isStandalone>
          {m.history_recent_all()}
        </TextLink>
      </div>
      {newest === undefined ? (
        <SkeletonRows count={ROW_COUNT} label={m.history_loading()} />
      ) : newest.length === 0 ? (
        <p className="text-body text-ink-quiet">{m.history_empty_text()}</p>
      ) : (
        <List>
          {newest.map((movement) => (
            <HistoryRow
              key={movement.id}
              movement={movement}
              contacts={contacts}
              now={openedAt}
              hasDate
            />
          ))}
        </List>
      )}
    </section>
  );
}
