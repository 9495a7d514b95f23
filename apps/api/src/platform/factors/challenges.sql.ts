/** Challenges for passkeys. Each is random, stored as a hash, valid for one purpose until its deadline, and used once. */
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';

const CHALLENGE_BYTES = 32;

const hashOf = (challenge: Buffer): Buffer => createHash('sha256').update(challenge).digest();

interface Deadline {
  /** The use for which the challenge is valid, and the person if known. */
  readonly purpose: string;
  readonly expiresAt: Date;
}

export async function insertChallenge(
  db: Db | Tx,
  { purpose, expiresAt }: Deadline,
): Promise<Buffer> {
  const challenge = randomBytes(CHALLENGE_BYTES);
  await db
    .insertInto('factor_challenges')
    .values({ challenge_hash: hashOf(challenge), purpose, expires_at: expiresAt })
    .execute();
  return challenge;
}

/** Uses up a challenge (base64url), so that nothing signed with it is accepted again. Returns whether it was valid. */
export async function takeChallenge(
  db: Db | Tx,
  challenge: string,
  { purpose, now }: { readonly purpose: string; readonly now: Date },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('factor_challenges')
    .where('challenge_hash', '=', hashOf(Buffer.from(challenge, 'base64url')))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Counts no further than `countMax`. */
export async function countOpenChallenges(
  db: Db,
  { now, countMax }: { readonly now: Date; readonly countMax: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from factor_challenges where expires_at > ${now}::timestamptz limit ${countMax}::integer
    ) open`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, 'factor_challenges', sql`expires_at <= ${now}`);
}
