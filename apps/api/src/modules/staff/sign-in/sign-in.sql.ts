import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

/** The facts that checking a password sign-in needs. */
export interface SignInRow {
  readonly staffId: string;
  readonly organisation: 'provider' | 'brand';
  readonly passwordHash: string | null;
  readonly totpId: string | null;
  /** Sealed. */
  readonly totpSecret: Buffer | null;
  readonly lastStep: bigint | null;
  readonly recoveryHashes: readonly Buffer[];
  /** Whether the person has a second factor. */
  readonly hasFactor: boolean;
}

/** Demo staff have public passwords, so production accepts none of them. */
interface WhoMaySignIn {
  readonly isDemoAllowed: boolean;
}

/** Finds an active person. Reads everything in one statement, so that an unknown address takes the same time. */
export async function selectSignIn(
  db: Db,
  email: string,
  { isDemoAllowed }: WhoMaySignIn,
): Promise<SignInRow | undefined> {
  const { rows } = await sql<SignInRow>`
    select person.id as "staffId", person.organisation, person.password_hash as "passwordHash",
           totp.id as "totpId", totp.secret as "totpSecret", totp.last_step as "lastStep",
           array(select code_hash from staff_recovery_codes where staff_id = person.id and used_at is null) as "recoveryHashes",
           exists (select from staff_factors where staff_id = person.id and confirmed_at is not null) as "hasFactor"
      from staff person
      left join staff_factors totp
        on totp.staff_id = person.id and totp.kind = 'totp' and totp.confirmed_at is not null
     where person.email = ${email} and person.state = 'active' and (${isDemoAllowed} or not person.is_demo)`.execute(
    db,
  );
  return rows[0];
}

interface LockedPerson {
  readonly staffId: string;
  readonly organisation: 'provider' | 'brand';
  readonly passwordHash: string | null;
}

/** Locks an active person, so that a suspension waits until the session is stored and then ends it. */
export const lockActive = (
  tx: Tx,
  staffId: string,
  { isDemoAllowed }: WhoMaySignIn,
): Promise<LockedPerson | undefined> =>
  tx
    .selectFrom('staff')
    .select(['id as staffId', 'organisation', 'password_hash as passwordHash'])
    .where('id', '=', staffId)
    .where('state', '=', 'active')
    .$if(!isDemoAllowed, (query) => query.where('is_demo', '=', false))
    .forNoKeyUpdate()
    .executeTakeFirst();
