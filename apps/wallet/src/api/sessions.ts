/** The account's active sessions. */
import { queryClient } from '@athos/app-core/query-client';
import type { AnswerOf } from '@athos/contract/api';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';
import { showFailure } from './session.ts';

type WireSession = AnswerOf<'sessions'>['sessions'][number];

export interface OwnSession extends Pick<WireSession, 'id' | 'device' | 'method'> {
  /** Both are ISO 8601. */
  readonly begunAt: string;
  readonly lastSeenAt: string;
  readonly isCurrent: boolean;
}

const readSession = (wire: WireSession): OwnSession => ({
  id: wire.id,
  device: wire.device,
  method: wire.method,
  begunAt: wire.begun_at,
  lastSeenAt: wire.last_seen_at,
  isCurrent: wire.is_current,
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) =>
    (await client.call('sessions', { signal })).sessions.map(readSession),
});

/** Ends sessions with `ending`, refetches the list and shows the outcome. */
async function end(name: 'endSession' | 'endOtherSessions', ending: () => Promise<unknown>) {
  const show = toasts.attempt(name);
  try {
    await ending();
    show('success', m.security_session_ended(), 3000);
  } catch (error) {
    showFailure(show, m.security_session_end_failed(), error);
  }
  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
}

export const endSession = (id: string): Promise<void> =>
  end('endSession', () => client.call('endSession', { params: { id } }));

export const endOtherSessions = (): Promise<void> =>
  end('endOtherSessions', () => client.call('endOtherSessions'));
