/**
 * Limits on attempts within a time window, counted in the database: of a thousand concurrent attempts no more pass than of a thousand in
 * a row, across any number of processes. An attempt is counted before its outcome is known and taken back if it turns out not to count.
 * Subjects are stored only as keyed hashes, and counted under every hashing key: a counter continues whichever key comes first, and
 * whether or not the other processes have the new one yet (decision 0049).
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import { AppError, invariant } from '../errors.ts';
import { hashesOf, isHashOf } from '../keys/hashing-keys.ts';

export const HOUR_MS = 60 * 60 * 1000;

/** The subject of a limit as its hashes, one for each hashing key. Each hash has a counter. */
export type AttemptSubject = readonly Buffer[];

export const attemptSubject: (hashingKeys: readonly string[], what: string) => AttemptSubject =
  hashesOf;

export interface AttemptLimit {
  readonly subject: AttemptSubject;
  readonly windowMs: number;
  readonly countMax: number;
}

interface CountedRow {
  readonly subject: Buffer;
  readonly attemptCount: number;
  readonly windowEndsAt: Date;
}

const hashArray = (subjects: readonly AttemptSubject[]): string =>
  `{${subjects
    .flat()
    .map((hash) => `"\\\\x${hash.toString('hex')}"`)
    .join(',')}}`;

const nameOf = ([first]: AttemptSubject): string => first?.toString('hex') ?? '';

/** The highest counter of a subject: a new key's counter begins when the first process has the key. */
const fullest = <Row extends { readonly attemptCount: number }>(
  rows: readonly Row[],
): Row | undefined => rows.toSorted((a, b) => b.attemptCount - a.attemptCount)[0];

interface Counted extends Pick<AttemptLimit, 'subject' | 'windowMs'> {
  /** Default: 1. */
  readonly count?: number;
}

/**
 * Counts attempts for each subject. Returns the counters in the order of `counted`. The rows are locked in the order of the
 * hashes, so that two requests cannot deadlock.
 */
export async function countAttempts(
  tx: Tx | Db,
  counted: readonly Counted[],
  now: Date,
): Promise<readonly CountedRow[]> {
  const hashes = hashArray(counted.map(({ subject }) => subject));
  const counts = counted.flatMap(({ subject, count = 1 }) => subject.map(() => count));
  const ends = counted.flatMap(({ subject, windowMs }) =>
    subject.map(() => new Date(now.getTime() + windowMs).toISOString()),
  );
  const { rows } = await sql<CountedRow>`
    insert into attempt_counters as counter (subject, attempt_count, last_attempt_at, window_ends_at)
    select attempt.subject, attempt.count, ${now}::timestamptz, attempt.window_ends_at
      from unnest(${hashes}::bytea[], ${counts}::integer[], ${`{${ends.join(',')}}`}::timestamptz[])
           as attempt (subject, count, window_ends_at)
     order by attempt.subject
    on conflict (subject) do update set
      attempt_count = case when counter.window_ends_at <= excluded.last_attempt_at or counter.attempt_count = 0
        then excluded.attempt_count else counter.attempt_count + excluded.attempt_count end,
      window_ends_at = case when counter.window_ends_at <= excluded.last_attempt_at or counter.attempt_count = 0
        then excluded.window_ends_at else counter.window_ends_at end,
      last_attempt_at = excluded.last_attempt_at
    returning subject, attempt_count as "attemptCount", window_ends_at as "windowEndsAt"`.execute(
    tx,
  );
  return counted.map(({ subject }) => {
    const row = fullest(rows.filter((counter) => isHashOf(subject, counter.subject)));
    invariant(row !== undefined, 'what was counted has a counter');
    return row;
  });
}

type LimitCode = 'too_many_attempts' | 'too_many_requests';

/**
 * Counts an attempt against each limit. Throws `code` if one is exceeded; inside a transaction, the attempt is then not counted.
 */
export async function takeAttempt(
  tx: Tx | Db,
  limits: readonly AttemptLimit[],
  now: Date,
  code: LimitCode,
): Promise<void> {
  const refusal = refusalIfExceeded(await countAttempts(tx, limits, now), limits, now, code);
  if (refusal !== undefined) throw refusal;
}

interface JudgedAttempt {
  readonly limits: readonly AttemptLimit[];
  /** Whether the attempt is counted if it passes. */
  readonly isCounted: boolean;
}

/**
 * Judges attempts one after the other, as if each had come alone: returns a refusal for each attempt that would exceed a limit and does
 * not count it. Locks the counters until the transaction ends.
 */
export async function judgeAttempts(
  tx: Tx,
  attempts: readonly JudgedAttempt[],
  now: Date,
  code: LimitCode,
): Promise<readonly (AppError | undefined)[]> {
  const limitOf = new Map(
    attempts.flatMap(({ limits }) => limits.map((limit) => [nameOf(limit.subject), limit])),
  );
  const locked = await countAttempts(
    tx,
    [...limitOf.values()].map((limit) => ({ ...limit, count: 0 })),
    now,
  );
  const rowOf = new Map([...limitOf.keys()].map((name, index) => [name, locked[index]]));
  const countOf = new Map<string, number>();
  const judged = attempts.map(({ limits, isCounted }) => {
    const rows = limits.flatMap(({ subject }) => {
      const name = nameOf(subject);
      const row = rowOf.get(name);
      if (row === undefined) return [];
      return [{ ...row, attemptCount: row.attemptCount + (countOf.get(name) ?? 0) + 1 }];
    });
    const refusal = refusalIfExceeded(rows, limits, now, code);
    if (refusal !== undefined || !isCounted) return refusal;
    for (const { subject } of limits) {
      const name = nameOf(subject);
      countOf.set(name, (countOf.get(name) ?? 0) + 1);
    }
    return undefined;
  });
  const counted = [...countOf].flatMap(([name, count]) => {
    const limit = limitOf.get(name);
    return limit === undefined ? [] : [{ ...limit, count }];
  });
  if (counted.length > 0) await countAttempts(tx, counted, now);
  return judged;
}

/**
 * Counts an attempt against an allowance that refills: half of it can be used at once, and the rest becomes available evenly over the
 * window. A caller who uses it up in seconds therefore blocks others for seconds, not for the whole window. Returns how many attempts
 * have not been refilled yet, this one included. Throws `code` if none is left; inside a transaction, the attempt is then not counted.
 */
export async function takePacedAttempt(
  tx: Tx,
  { subject, windowMs, countMax }: AttemptLimit,
  now: Date,
  code: LimitCode,
): Promise<number> {
  const atOnceMax = Math.ceil(countMax / 2);
  const intervalMs = Math.ceil(windowMs / Math.max(1, countMax - atOnceMax));
  // The counter stores only the time at which the allowance will be full again.
  const { rows } = await sql<{ windowEndsAt: Date }>`
    insert into attempt_counters as counter (subject, attempt_count, last_attempt_at, window_ends_at)
    select hash, 1, ${now}::timestamptz, ${now}::timestamptz + ${intervalMs} * interval '1 millisecond'
      from unnest(${hashArray([subject])}::bytea[]) as hash order by hash
    on conflict (subject) do update set
      window_ends_at = greatest(counter.window_ends_at, excluded.last_attempt_at)
        + (excluded.window_ends_at - excluded.last_attempt_at),
      last_attempt_at = excluded.last_attempt_at
    returning window_ends_at as "windowEndsAt"`.execute(tx);
  const endsMs = rows.map(({ windowEndsAt }) => windowEndsAt.getTime());
  const leftMs = Math.max(...endsMs) - now.getTime();
  const excessMs = leftMs - atOnceMax * intervalMs;
  if (excessMs > 0) {
    throw new AppError(code, { retryAfterSeconds: Math.max(1, Math.ceil(excessMs / 1000)) });
  }
  return Math.ceil(leftMs / intervalMs);
}

/** Throws the error that `takeAttempt` would throw now, but counts and locks nothing. */
export async function requireAttemptLeft(
  db: Db,
  limits: readonly AttemptLimit[],
  now: Date,
  code: LimitCode,
): Promise<void> {
  const hashes = hashArray(limits.map(({ subject }) => subject));
  const { rows } = await sql<CountedRow>`
    select subject, attempt_count + 1 as "attemptCount", window_ends_at as "windowEndsAt"
      from attempt_counters
     where subject = any (${hashes}::bytea[]) and window_ends_at > ${now}`.execute(db);
  const refusal = refusalIfExceeded(rows, limits, now, code);
  if (refusal !== undefined) throw refusal;
}

function refusalIfExceeded(
  rows: readonly CountedRow[],
  limits: readonly AttemptLimit[],
  now: Date,
  code: LimitCode,
): AppError | undefined {
  const endsMs = rows
    .filter(({ subject, attemptCount }) => {
      const limit = limits.find((other) => isHashOf(other.subject, subject));
      return attemptCount > (limit?.countMax ?? 0);
    })
    .map(({ windowEndsAt }) => windowEndsAt.getTime());
  if (endsMs.length === 0) return undefined;
  return new AppError(code, {
    retryAfterSeconds: Math.max(1, Math.ceil((Math.max(...endsMs) - now.getTime()) / 1000)),
  });
}

export interface CountedAttempts {
  readonly attemptCount: number;
  readonly lastAttemptAt: Date;
}

const attemptsOf = (db: Tx | Db, subject: AttemptSubject) =>
  db
    .selectFrom('attempt_counters')
    .select(['attempt_count as attemptCount', 'last_attempt_at as lastAttemptAt'])
    .where('subject', 'in', subject)
    .orderBy('subject');

export const selectAttempts = async (
  db: Db,
  subject: AttemptSubject,
): Promise<CountedAttempts | undefined> => fullest(await attemptsOf(db, subject).execute());

/** Locks the counters until the transaction ends. */
export const selectAttemptsForUpdate = async (
  tx: Tx,
  subject: AttemptSubject,
): Promise<CountedAttempts | undefined> =>
  fullest(await attemptsOf(tx, subject).forUpdate().execute());

/** Takes one attempt back for each subject. Locks the rows in the same order as `countAttempts`. */
export async function takeBackAttempts(
  tx: Tx | Db,
  subjects: readonly AttemptSubject[],
): Promise<void> {
  await sql`
    with held as (
      select subject from attempt_counters where subject = any (${hashArray(subjects)}::bytea[])
       order by subject for no key update
    )
    update attempt_counters counter set attempt_count = counter.attempt_count - 1
      from held where counter.subject = held.subject and counter.attempt_count > 0`.execute(tx);
}

export async function forgetAttempts(tx: Tx, subjects: readonly AttemptSubject[]): Promise<void> {
  await tx.deleteFrom('attempt_counters').where('subject', 'in', subjects.flat()).execute();
}

/** Deletes counters whose window has ended. */
export async function deleteEndedCounters(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, 'attempt_counters', sql`window_ends_at <= ${now}`);
}
