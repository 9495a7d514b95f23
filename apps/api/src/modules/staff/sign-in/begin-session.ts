import { appendAudit } from '../../../platform/audit/audit.sql.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { deleteSessionOfToken, limitSessions } from '../sessions/staff-sessions.sql.ts';
import { hashSessionToken, openStaffSession } from '../sessions/staff-sessions.ts';
import type { StaffDeps } from '../staff-deps.ts';

/** More sessions than anybody uses at a time. A new session ends the least recently used one. */
const SESSIONS_PER_PERSON = 20;

/** The origin of a sign-in. */
export interface OpenedFrom {
  readonly networkAddress: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
  /** The browser's current session, which the new one replaces. */
  readonly endingToken: string | undefined;
}

interface BegunSession {
  readonly person: { readonly staffId: string; readonly organisation: 'provider' | 'brand' };
  readonly isEnrolled: boolean;
  /** The method of the sign-in, for the audit. */
  readonly by: string;
  readonly from: OpenedFrom;
}

/** Opens a session and returns the token of its cookie. */
export async function beginSession(
  tx: Tx,
  deps: StaffDeps,
  { person: { staffId, organisation }, isEnrolled, by, from }: BegunSession,
): Promise<string> {
  const { requestId, endingToken, ...origin } = from;
  if (endingToken !== undefined) await deleteSessionOfToken(tx, hashSessionToken(endingToken));
  const { token, sessionId } = await openStaffSession(tx, deps, { staffId, isEnrolled, ...origin });
  await limitSessions(tx, staffId, SESSIONS_PER_PERSON);
  await appendAudit(tx, {
    at: dateOf(deps.clock),
    staff: { staffId, organisation, sessionId },
    requestId,
    action: 'session.sign_in',
    subject: { type: 'staff', id: staffId },
    outcome: 'done',
    after: { by },
  });
  return token;
}
