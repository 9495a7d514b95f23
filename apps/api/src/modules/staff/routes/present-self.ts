import type { SignedInStaff } from '../../../platform/console/signed-in-staff.ts';
import { AppError } from '../../../platform/errors.ts';
import { selectFactors, selectRecoveryCodes } from '../factors/factors.sql.ts';
import { hasPassword, selectRolesOf, selectVenueIds } from '../people/people.sql.ts';
import { selectOwnSession } from '../sessions/staff-sessions.sql.ts';
import { provedUntil } from '../sessions/staff-sessions.ts';
import type { StaffDeps } from '../staff-deps.ts';

/** The signed-in person in the form of `me`. */
export async function presentSelf(deps: StaffDeps, staff: SignedInStaff) {
  const { db, relyingParty, config } = deps;
  const { staffId, sessionId, email, name, organisation, walletUuid, grants, isEnrolled } = staff;
  const session = await selectOwnSession(db, sessionId);
  if (session === undefined) throw new AppError('session_ended');
  const roles = await selectRolesOf(db, staffId);
  const factors = await selectFactors(db, staffId);
  const recoveryCodes = await selectRecoveryCodes(db, staffId);
  return {
    id: staffId,
    email,
    name,
    organisation,
    roles: roles.map(({ id, title }) => ({ id, title })),
    grants,
    venue_ids: await selectVenueIds(db, staffId),
    wallet_uuid: walletUuid,
    time_zone: config.console.timeZone,
    is_enrolled: isEnrolled,
    has_password: await hasPassword(db, staffId),
    has_passkeys: relyingParty !== undefined,
    factors: factors.map(({ id, kind, name: label, createdAt, usedAt }) => ({
      id,
      kind,
      name: label,
      created_at: createdAt.toISOString(),
      used_at: usedAt?.toISOString() ?? null,
    })),
    recovery_codes_left: recoveryCodes.length,
    session: {
      id: sessionId,
      expires_at: session.expiresAt.toISOString(),
      seen_at: session.seenAt.toISOString(),
      idle_seconds: Math.floor(config.console.idleMs / 1000),
      proved_until: await provedUntil(deps, session),
    },
  };
}
