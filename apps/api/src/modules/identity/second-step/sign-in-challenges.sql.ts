/** Sign-ins between their two steps. The holder of a challenge has proved the password. */
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';

const CHALLENGE_BYTES = 32;
/** The fifth wrong code ends a sign-in: three of a million codes are valid at a time. */
const TRY_COUNT_MAX = 5;
/** More sign-ins than one person begins in five minutes. Otherwise somebody who knows the password could add rows without end. */
const KEPT_COUNT_MAX = 20;

const sha256 = (value: Buffer | string): Buffer => createHash('sha256').update(value).digest();
const hashOf = (challenge: string): Buffer => sha256(Buffer.from(challenge, 'base64url'));

/** The digest that tells whether the password is still the one that was proved. */
export const passwordDigest = (passwordHash: string): Buffer => sha256(passwordHash);

/** Returns the text that the caller sends back with the code. */
export async function insertSignInChallenge(
  tx: Tx,
  userId: bigint,
  { passwordHash, expiresAt }: { readonly passwordHash: string; readonly expiresAt: Date },
): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  await tx
    .insertInto('sign_in_challenges')
    .values({
      challenge_hash: hashOf(challenge),
      user_id: userId,
      password_digest: passwordDigest(passwordHash),
      expires_at: expiresAt,
    })
    .execute();
  return challenge;
}

/** Keeps the challenges of a user that expire last. The caller has locked the user. */
export async function deleteOldestChallenges(tx: Tx, userId: bigint): Promise<void> {
  await sql`
    delete from sign_in_challenges where user_id = ${userId} and challenge_hash in (
      select challenge_hash from sign_in_challenges where user_id = ${userId}
       order by expires_at desc offset ${KEPT_COUNT_MAX}
    )`.execute(tx);
}

/** The user of the sign-in, and the digest of the password that was proved; `undefined` if it has ended. */
export async function selectChallenged(
  db: Db,
  challenge: string,
  now: Date,
): Promise<{ userId: bigint; userUuid: string; email: string; proved: Buffer } | undefined> {
  return db
    .selectFrom('sign_in_challenges')
    .innerJoin('users', 'users.id', 'sign_in_challenges.user_id')
    .select(['users.id as userId', 'users.uuid as userUuid', 'users.email'])
    .select('sign_in_challenges.password_digest as proved')
    .where('challenge_hash', '=', hashOf(challenge))
    .where('expires_at', '>', now)
    .where('tries', '<', TRY_COUNT_MAX)
    .where('users.closed_at', 'is', null)
    .$narrowType<{ email: string }>()
    .executeTakeFirst();
}

/** Counts a try before it is judged, so that concurrent tries achieve no more than sequential ones. Returns `false` if none is left. */
export async function takeTry(db: Db, challenge: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sign_in_challenges')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('challenge_hash', '=', hashOf(challenge))
    .where('expires_at', '>', now)
    .where('tries', '<', TRY_COUNT_MAX)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Uses up a challenge. Returns the digest of the password that was proved; `undefined` if it was used up before. */
export async function takeSignInChallenge(tx: Tx, challenge: string): Promise<Buffer | undefined> {
  const row = await tx
    .deleteFrom('sign_in_challenges')
    .where('challenge_hash', '=', hashOf(challenge))
    .returning('password_digest')
    .executeTakeFirst();
  return row?.password_digest;
}

export async function deleteChallengesOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute();
}

export async function deleteExpiredSignInChallenges(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, 'sign_in_challenges', sql`expires_at <= ${now}`);
}
