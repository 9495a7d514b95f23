import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';

export interface CountedGuesses {
  readonly subject: Buffer;
  readonly guessCount: number;
  readonly countedSince: Date;
}

const subjectArray = (subjects: readonly Buffer[]): string =>
  `{${subjects.map((subject) => `"\\\\x${subject.toString('hex')}"`).join(',')}}`;

/**
 * Counts one guess of each subject, from 1 again where the count began before `startedAfter`. The rows are held in the order of
 * the subjects, here and below, so that two requests cannot wait for each other.
 */
export async function upsertGuesses(
  tx: Tx,
  subjects: readonly Buffer[],
  now: Date,
  startedAfter: Date,
): Promise<CountedGuesses[]> {
  const { rows } = await sql<CountedGuesses>`
    insert into reward_guesses as g (subject, guess_count, counted_since)
    select u.subject, 1, ${now}::timestamptz
      from unnest(${subjectArray(subjects)}::bytea[]) u (subject) order by u.subject
    on conflict (subject) do update set
      guess_count = case when g.counted_since <= ${startedAfter}::timestamptz then 1 else g.guess_count + 1 end,
      counted_since = case when g.counted_since <= ${startedAfter}::timestamptz then excluded.counted_since else g.counted_since end
    returning subject, guess_count as "guessCount", counted_since as "countedSince"`.execute(tx);
  return rows;
}

/** Takes one counted guess of each subject back. */
export async function uncountGuesses(db: Db, subjects: readonly Buffer[]): Promise<void> {
  await sql`
    with held as (
      select subject from reward_guesses where subject = any (${subjectArray(subjects)}::bytea[])
       order by subject for no key update
    )
    update reward_guesses g set guess_count = g.guess_count - 1
      from held where g.subject = held.subject and g.guess_count > 0`.execute(db);
}

/** `before` is the newest beginning of a count that goes. */
export async function deleteOldGuesses(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'reward_guesses', sql`counted_since <= ${before}`);
}
