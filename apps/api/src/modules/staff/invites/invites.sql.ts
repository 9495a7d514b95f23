import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

export interface InviteRow {
  readonly staffId: string;
  readonly email: string;
  readonly name: string;
  readonly organisation: 'provider' | 'brand';
  readonly expiresAt: Date;
  readonly roles: readonly { readonly id: string; readonly title: string }[];
}

/** The valid invite of this code whose person has not accepted yet. */
export async function selectInvite(
  db: Db | Tx,
  tokenHash: Buffer,
  now: Date,
): Promise<InviteRow | undefined> {
  const { rows } = await sql<InviteRow>`
    select person.id as "staffId", person.email, person.name, person.organisation, invite.expires_at as "expiresAt",
           coalesce((select jsonb_agg(jsonb_build_object('id', role.id, 'title', role.title) order by role.title)
                       from staff_roles held join roles role on role.id = held.role_id
                      where held.staff_id = person.id), '[]') as roles
      from staff_invites invite
      join staff person on person.id = invite.staff_id
     where invite.token_hash = ${tokenHash} and invite.expires_at > ${now} and person.state = 'invited'`.execute(
    db,
  );
  return rows[0];
}

interface NewInvite {
  readonly tokenHash: Buffer;
  readonly staffId: string;
  /** Null if the invite was made on the command line. */
  readonly createdBy: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Inserts the person's invite in place of an earlier one. */
export async function replaceInvite(
  tx: Tx,
  { tokenHash, staffId, createdBy, now, expiresAt }: NewInvite,
): Promise<void> {
  await deleteInvites(tx, staffId);
  await tx
    .insertInto('staff_invites')
    .values({
      token_hash: tokenHash,
      staff_id: staffId,
      created_at: now,
      created_by: createdBy,
      expires_at: expiresAt,
    })
    .execute();
}

export async function deleteInvites(tx: Tx, staffId: string): Promise<void> {
  await tx.deleteFrom('staff_invites').where('staff_id', '=', staffId).execute();
}

/** Returns whether the invite existed. */
export async function deleteInvite(tx: Tx | Db, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('staff_invites')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
