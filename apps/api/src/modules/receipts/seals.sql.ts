import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db, Tables, Tx } from '../../platform/database/database.ts';

export type SealRow = Selectable<Tables['journal_seals']>;
export type DayRow = Omit<Selectable<Tables['journal_days']>, 'day'> & {
  /** `2026-11-22`. */
  readonly day: string;
};

const SEALING = sql`7214300003`;

/** Takes the sealing lock until the transaction ends. Returns `false` if another worker is sealing. */
export async function tryLockSealing(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean;
  }>`select pg_try_advisory_xact_lock(${SEALING}) as held`.execute(tx);
  return rows[0]?.held === true;
}

export const selectLastSeal = (db: Db): Promise<SealRow | undefined> =>
  db.selectFrom('journal_seals').selectAll().orderBy('n', 'desc').limit(1).executeTakeFirst();

export const selectFirstSeal = (db: Db): Promise<SealRow | undefined> =>
  db.selectFrom('journal_seals').selectAll().where('n', '=', 1n).executeTakeFirst();

/** The number of the last seal after `n` and before a time; `n` if there is none. Times rise with the numbers. */
export async function selectLastSealBefore(db: Db, time: Date, n: bigint): Promise<bigint> {
  const seal = await db
    .selectFrom('journal_seals')
    .select('n')
    .where('n', '>', n)
    .where('sealed_at', '<', time)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst();
  return seal?.n ?? n;
}

/** The seal over a transfer; `undefined` before it is sealed. */
export async function selectSealOf(db: Db, id: bigint): Promise<SealRow | undefined> {
  const seal = await db
    .selectFrom('journal_seals')
    .selectAll()
    .where('first_id', '<=', id)
    .orderBy('first_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return seal !== undefined && seal.last_id >= id ? seal : undefined;
}

export const selectSealsAfter = (db: Db, n: bigint, limit: number): Promise<SealRow[]> =>
  db.selectFrom('journal_seals').selectAll().where('n', '>', n).orderBy('n').limit(limit).execute();

export async function insertSeal(tx: Tx, seal: Insertable<Tables['journal_seals']>): Promise<void> {
  await tx.insertInto('journal_seals').values(seal).execute();
}

/** The hashes of the seals from the first to the last, both included, in order. */
export async function selectSealHashes(db: Db, first: bigint, last: bigint): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('journal_seals')
    .select('hash')
    .where('n', '>=', first)
    .where('n', '<=', last)
    .orderBy('n')
    .execute();
  return rows.map(({ hash }) => hash);
}

export async function insertDay(tx: Tx, day: Insertable<Tables['journal_days']>): Promise<void> {
  await tx.insertInto('journal_days').values(day).execute();
}

export async function insertSealKey(tx: Tx, publicKey: Buffer, now: Date): Promise<void> {
  await tx
    .insertInto('journal_seal_keys')
    .values({ public_key: publicKey, first_used_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function selectSealKeys(db: Db): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('journal_seal_keys')
    .select('public_key')
    .orderBy('first_used_at')
    .orderBy('public_key')
    .execute();
  return rows.map(({ public_key: key }) => key);
}

const days = (db: Db) =>
  db
    .selectFrom('journal_days')
    .select([
      sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'),
      'first_seal',
      'last_seal',
      'root',
      'nodes',
      'previous',
      'hash',
      'signature',
      'public_key',
    ]);

/** Newest first. */
export const selectDays = (
  db: Db,
  { limit, untilDay }: { readonly limit: number; readonly untilDay?: string | undefined },
): Promise<DayRow[]> =>
  days(db)
    .$if(untilDay !== undefined, (rows) =>
      rows.where(sql<boolean>`journal_days.day <= ${untilDay ?? ''}::date`),
    )
    .orderBy('journal_days.day', 'desc')
    .limit(limit)
    .execute();

/** Oldest first. */
export const selectDaysAfter = (
  db: Db,
  day: string | undefined,
  limit: number,
): Promise<DayRow[]> =>
  days(db)
    .$if(day !== undefined, (rows) =>
      rows.where(sql<boolean>`journal_days.day > ${day ?? ''}::date`),
    )
    .orderBy('journal_days.day')
    .limit(limit)
    .execute();

/** The day that covers the seal; `undefined` before it has ended. */
export const selectDayOfSeal = (db: Db, n: bigint): Promise<DayRow | undefined> =>
  days(db)
    .where('last_seal', '>=', n)
    .where('first_seal', '<=', n)
    .orderBy('last_seal')
    .limit(1)
    .executeTakeFirst();
