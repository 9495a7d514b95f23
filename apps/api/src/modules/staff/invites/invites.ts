/**
 * Invites: links of 256 random bits for 24 hours, each of which makes one person a member of staff once. A link is created when it is
 * mailed, or printed by `npm run console:invite`, so only its hash is ever stored.
 */
import { createHash, randomBytes } from 'node:crypto';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Passkey } from '../../../platform/factors/passkeys.ts';
import { storePasskey } from '../factors/own-passkeys.ts';
import { activateStaff, lockStaff } from '../people/people.sql.ts';
import { beginSession, type OpenedFrom } from '../sign-in/begin-session.ts';
import { deleteSessions } from '../sessions/staff-sessions.sql.ts';
import type { StaffDeps } from '../staff-deps.ts';
import { deleteInvite, replaceInvite, selectInvite, type InviteRow } from './invites.sql.ts';

const CODE_BYTES = 32;
const LIFETIME_MS = 24 * 60 * 60 * 1000;

const hashInvite = (code: string): Buffer => createHash('sha256').update(code).digest();

/** The code is in the fragment, which browsers send neither to servers nor in Referer. */
const inviteUrl = (origin: string, code: string): string => `${origin}/console/invite#${code}`;

/** Creates the person's invite in place of an earlier one. */
export async function makeInvite(
  tx: Tx,
  { origin, now }: { readonly origin: string; readonly now: Date },
  person: { readonly staffId: string; readonly createdBy: string | null },
): Promise<{ readonly url: string; readonly tokenHash: Buffer }> {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const tokenHash = hashInvite(code);
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  await replaceInvite(tx, { ...person, tokenHash, now, expiresAt });
  return { url: inviteUrl(origin, code), tokenHash };
}

/** Throws `invalid_code` for an invite that is unknown, expired or already accepted. */
export async function requireInvite({ db, clock }: StaffDeps, code: string): Promise<InviteRow> {
  const invite = await selectInvite(db, hashInvite(code), dateOf(clock));
  if (invite === undefined) throw new AppError('invalid_code');
  return invite;
}

export interface Acceptance {
  readonly code: string;
  readonly name: string;
  readonly proof:
    { readonly passwordHash: string } | { readonly passkey: Passkey; readonly passkeyName: string };
  readonly from: OpenedFrom;
}

/** Makes the person active and signs them in. Returns the token of the session. Throws `invalid_code`. */
export async function acceptInvite(
  deps: StaffDeps,
  { code, name, proof, from }: Acceptance,
): Promise<string> {
  const { db, clock } = deps;
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    const tokenHash = hashInvite(code);
    const invite = await selectInvite(tx, tokenHash, now);
    if (invite === undefined) throw new AppError('invalid_code');
    const { staffId } = invite;
    // The person is locked first, as when they are invited again, so that the two cannot deadlock.
    const person = await lockStaff(tx, staffId);
    if (person?.state !== 'invited') throw new AppError('invalid_code');
    if (!(await deleteInvite(tx, tokenHash))) throw new AppError('invalid_code');
    // Ends sessions that were in use when the person was reset and so were not deleted then.
    await deleteSessions(tx, staffId, {});
    const passwordHash = 'passwordHash' in proof ? proof.passwordHash : null;
    await activateStaff(tx, staffId, { name, passwordHash });
    const isEnrolled = 'passkey' in proof;
    if ('passkey' in proof)
      await storePasskey(tx, proof.passkey, { staffId, name: proof.passkeyName, now });
    return beginSession(tx, deps, { person, isEnrolled, by: 'invite', from });
  });
}
