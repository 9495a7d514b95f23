import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import type { ActionOutcome } from '../api/admin.ts';
import type { AdminAnswer } from '../api/call.ts';
import { OutcomeNotice } from './action-dialog.tsx';
import { Badge } from './badge.tsx';
import { Time } from './time.tsx';

type Outcome = ActionOutcome<'endOwnSession' | 'endStaffSession'>;
type StaffSession = AdminAnswer<'ownSessions'>['items'][number];

interface SessionListProps {
  /** `undefined` while they load. */
  sessions: readonly StaffSession[] | undefined;
  isPending: boolean;
  onEnd: (id: string) => Promise<Outcome>;
}

/** The sessions of a member of staff. */
export function SessionList({ sessions, isPending, onEnd }: SessionListProps) {
  const [failure, setFailure] = useState<Outcome>();

  async function handleEnd(id: string): Promise<void> {
    setFailure(undefined);
    const outcome = await onEnd(id);
    if (outcome.kind !== 'done') setFailure(outcome);
  }

  if (sessions === undefined) return <Skeleton className="h-10 w-full" />;
  return (
    <>
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
      <ul className="divide-line text-dense flex flex-col divide-y">
        {sessions.map(({ id, browser, place, seenAt, isCurrent }) => (
          <li key={id} className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 py-1">
            <span className="flex grow basis-48 flex-wrap items-baseline gap-x-4">
              <span className="font-semibold">{browser}</span>
              <span className="text-caption text-ink-quiet">
                <span className="font-code">{place}</span>
                {' · '}
                {m.console_session_seen()} <Time at={seenAt} />
              </span>
            </span>
            <span className="ml-auto">
              {isCurrent ? (
                <Badge tone="success">{m.console_session_current()}</Badge>
              ) : (
                <Button
                  variant="plain"
                  isDense
                  isPending={isPending}
                  onClick={() => void handleEnd(id)}
                >
                  {m.console_session_end()}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
