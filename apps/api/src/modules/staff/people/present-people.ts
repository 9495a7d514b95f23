/** Staff and their sessions in the form of the wire. */
import type { Clock } from '../../../platform/clock.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { readUserAgent } from '../../../platform/http/user-agent.ts';
import {
  selectMember,
  selectSessions,
  type PersonSummary,
  type SessionSummary,
} from './people-list.sql.ts';

interface SessionTimes {
  readonly clock: Clock;
  readonly config: { readonly console: { readonly idleMs: number } };
}

/** The times that decide whether a session is open. */
export function openAt({ clock, config }: SessionTimes) {
  const now = dateOf(clock);
  return { now, seenAfter: new Date(now.getTime() - config.console.idleMs) };
}

export const presentSummary = ({ seenAt, ...person }: PersonSummary) => ({
  ...person,
  roles: [...person.roles],
  seen_at: seenAt?.toISOString() ?? null,
});

export const presentSession = (
  { id, browser, place, createdAt, seenAt }: SessionSummary,
  currentId: string,
) => ({
  id,
  browser: readUserAgent(browser).label,
  place,
  created_at: createdAt.toISOString(),
  seen_at: seenAt.toISOString(),
  is_current: id === currentId,
});

/** One person in the form of `staffMember`. Throws `not_found`. */
export async function presentMember(
  db: Db | Tx,
  staffId: string,
  { times, currentId }: { readonly times: SessionTimes; readonly currentId: string },
) {
  const row = await selectMember(db, staffId);
  if (row === undefined) throw new AppError('not_found');
  const { version, walletUuid, createdAt, venueIds, factorKinds, recoveryCodesLeft } = row;
  const sessions = await selectSessions(db, staffId, openAt(times));
  return {
    ...presentSummary(row),
    version,
    venue_ids: venueIds,
    wallet_uuid: walletUuid,
    created_at: createdAt.toISOString(),
    factor_kinds: factorKinds,
    recovery_codes_left: recoveryCodesLeft,
    invite_expires_at: row.inviteExpiresAt?.toISOString() ?? null,
    sessions: sessions.map((session) => presentSession(session, currentId)),
  };
}
