/** `npm run console:invite`: invites the first provider owners, who invite everybody else in the console. */
import { z } from 'zod';
import { emailText } from '@athos/contract/session';
import { appendAudit } from '../../../platform/audit/audit.sql.ts';
import { dateOf, systemClock, type Clock } from '../../../platform/clock.ts';
import { openDatabase, type Db, type Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import { createLog } from '../../../platform/log/log.ts';
import {
  insertStaff,
  lockOwners,
  selectStaffByEmail,
  OWNER_ROLE,
  replaceRoles,
  selectOwnerIds,
  selectRolesOf,
} from '../people/people.sql.ts';
import { makeInvite } from './invites.ts';

const USAGE = `npm run console:invite -- ADDRESS --role ${OWNER_ROLE}    prints a link for one of the first two owners`;

/** There must be two owners, so that one can approve what the other requests. */
const FIRST_OWNERS = 2;

/** The message is printed for the person who ran the command. */
class InviteRefusedError extends Error {
  override readonly name = 'InviteRefusedError';
}

const wordsSchema = z.tuple([emailText, z.literal('--role'), z.literal(OWNER_ROLE)]);

interface CommandDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** The address of the console. */
  readonly origin: string;
}

/** Finds or creates the invited owner. */
async function ensureInvited(tx: Tx, email: string, now: Date): Promise<string> {
  const known = await selectStaffByEmail(tx, email);
  if (known === undefined) {
    const staffId = await insertStaff(tx, { email, name: '', organisation: 'provider', now });
    invariant(staffId !== undefined, 'invitations of owners take turns');
    await replaceRoles(tx, staffId, { roleIds: [OWNER_ROLE], by: null, now });
    return staffId;
  }
  const roles = await selectRolesOf(tx, known.staffId);
  if (known.state !== 'invited' || !roles.some(({ id }) => id === OWNER_ROLE)) {
    throw new InviteRefusedError(`${email} is a member of staff already (${known.state}).`);
  }
  return known.staffId;
}

/** Returns the text to print. Throws InviteRefusedError. */
export async function inviteOwner(
  { db, clock, origin }: CommandDeps,
  words: readonly string[],
): Promise<string> {
  const parsed = wordsSchema.safeParse(words);
  if (!parsed.success) throw new InviteRefusedError(USAGE);
  const [email] = parsed.data;
  const now = dateOf(clock);
  const url = await db.transaction().execute(async (tx) => {
    await lockOwners(tx);
    const owners = await selectOwnerIds(tx);
    if (owners.length >= FIRST_OWNERS) {
      throw new InviteRefusedError(
        'Two provider owners are active: invite everybody else in the console.',
      );
    }
    const staffId = await ensureInvited(tx, email, now);
    const invite = await makeInvite(tx, { origin, now }, { staffId, createdBy: null });
    await appendAudit(tx, {
      at: now,
      requestId: 'command line',
      action: 'staff.invite',
      subject: { type: 'staff', id: staffId },
      outcome: 'done',
      after: { role_ids: [OWNER_ROLE] },
    });
    return invite.url;
  });
  return `Open this link within 24 hours. It works once:\n${url}`;
}

/** Runs the command on the database at this address. */
export async function inviteCommand(
  databaseUrl: string,
  origin: string,
  words: readonly string[],
): Promise<string> {
  const database = openDatabase(databaseUrl, createLog('error'));
  try {
    return await inviteOwner({ db: database.db, clock: systemClock, origin }, words);
  } finally {
    await database.close();
  }
}
