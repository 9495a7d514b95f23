import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';

export interface CountedAttempts {
  readonly failureCount: number;
  readonly countedSince: Date;
  readonly lastFailedAt: Date;
}

/** Counts one attempt of `subject`, from 1 again where the count began before `startedAfter`. */
export async function upsertAttempt(
  tx: Tx,
  subject: Buffer,
  now: Date,
  startedAfter: Date,
): Promise<CountedAttempts> {
  const { rows } = await sql<CountedAttempts>`
    insert into sign_in_failures as f (subject, failure_count, counted_since, last_failed_at)
    values (${subject}::bytea, 1, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (subject) do update set
      failure_count = case when f.counted_since <= ${startedAfter}::timestamptz then 1 else f.failure_count + 1 end,
      counted_since = case when f.counted_since <= ${startedAfter}::timestamptz then excluded.counted_since else f.counted_since end,
      last_failed_at = excluded.last_failed_at
    returning failure_count as "failureCount", counted_since as "countedSince", last_failed_at as "lastFailedAt"`.execute(
    tx,
  );
  const [counted] = rows;
  invariant(counted !== undefined, 'an upsert returns its row');
  return counted;
}

/** What is counted for `subject`, held until the transaction ends. */
export async function selectAttemptsForUpdate(
  tx: Tx,
  subject: Buffer,
): Promise<CountedAttempts | undefined> {
  return tx
    .selectFrom('sign_in_failures')
    .select([
      'failure_count as failureCount',
      'counted_since as countedSince',
      'last_failed_at as lastFailedAt',
    ])
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst();
}

/** Takes one counted attempt of `subject` back. */
export async function uncountAttempt(tx: Tx, subject: Buffer): Promise<void> {
  await tx
    .deleteFrom('sign_in_failures')
    .where('subject', '=', subject)
    .where('failure_count', '=', 1)
    .execute();
  await tx
    .updateTable('sign_in_failures')
    .set((row) => ({ failure_count: row('failure_count', '-', 1) }))
    .where('subject', '=', subject)
    .where('failure_count', '>', 1)
    .execute();
}

export async function deleteAttempts(tx: Tx, subject: Buffer): Promise<void> {
  await tx.deleteFrom('sign_in_failures').where('subject', '=', subject).execute();
}
