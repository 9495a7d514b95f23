import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { List, ListRow, RowIcon } from '@athos/ui/primitives/list-row';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import { useId, useState } from 'react';
import {
  endOtherSessions,
  endSession,
  sessionsQuery,
  type OwnSession,
} from '../../api/sessions.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { moment } from '@athos/ui/text/moment';

const SKELETON_ROW_COUNT = 2;

const METHODS: Record<NonNullable<OwnSession['method']>, () => string> = {
  password: m.security_by_password,
  link: m.security_by_link,
  totp: m.security_by_totp,
  recovery_code: m.security_by_recovery_code,
  passkey: m.security_by_passkey,
};

/** The account's active sessions: this device first, then the most recently used. */
export function SessionList() {
  const headingId = useId();
  const { data: sessions, isError, refetch } = useQuery(sessionsQuery);
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <h2 id={headingId} className="font-display text-title font-bold">
          {m.security_sessions_title()}
        </h2>
        <p className="text-body text-ink-quiet">{m.security_sessions_text()}</p>
      </div>
      {sessions !== undefined ? (
        <Sessions sessions={sessions} />
      ) : isError ? (
        <FailureNotice text={m.security_sessions_failed()} onTryAgain={() => void refetch()} />
      ) : (
        <SkeletonRows count={SKELETON_ROW_COUNT} />
      )}
    </section>
  );
}

const latestFirst = (sessions: readonly OwnSession[]): OwnSession[] =>
  sessions.toSorted(
    (one, other) =>
      Number(other.isCurrent) - Number(one.isCurrent) ||
      Date.parse(other.lastSeenAt) - Date.parse(one.lastSeenAt),
  );

function Sessions({ sessions }: { sessions: readonly OwnSession[] }) {
  const offlineReason = useOfflineReason();
  const [ending, setEnding] = useState<string>();
  const isEnding = ending !== undefined;

  async function run(what: string, act: () => Promise<void>): Promise<void> {
    setEnding(what);
    await act();
    setEnding(undefined);
  }

  return (
    <>
      <List label={m.security_sessions_title()}>
        {latestFirst(sessions).map((session) => {
          const device = session.device ?? m.security_device_unknown();
          return (
            <ListRow
              key={session.id}
              title={device}
              subtitle={<Facts session={session} />}
              leading={
                <RowIcon tone={session.isCurrent ? 'success' : 'neutral'}>
                  <MonitorSmartphone size={20} />
                </RowIcon>
              }
              control={
                session.isCurrent ? undefined : (
                  <Button
                    variant="quiet"
                    isCompact
                    aria-label={m.security_session_end_of({ device })}
                    isPending={ending === session.id}
                    isDisabled={isEnding || offlineReason !== undefined}
                    onClick={() => void run(session.id, () => endSession(session.id))}
                  >
                    {m.security_session_end()}
                  </Button>
                )
              }
            />
          );
        })}
      </List>
      {sessions.length > 1 && (
        <Button
          variant="quiet"
          isWide
          isPending={ending === 'others'}
          isDisabled={isEnding}
          disabledReason={offlineReason}
          onClick={() => void run('others', endOtherSessions)}
        >
          {m.security_sessions_end_others()}
        </Button>
      )}
    </>
  );
}

/** First and last use, and how the session was opened, each on its own line. */
function Facts({ session }: { session: OwnSession }) {
  const { isCurrent, method } = session;
  return (
    <span className="flex flex-col">
      {isCurrent && <span className="text-success font-semibold">{m.security_this_device()} </span>}
      <span>{m.security_last_used({ date: moment(session.lastSeenAt) })} </span>
      <span>{m.security_first_used({ date: moment(session.begunAt) })} </span>
      {method !== null && <span>{METHODS[method]()}</span>}
    </span>
  );
}
