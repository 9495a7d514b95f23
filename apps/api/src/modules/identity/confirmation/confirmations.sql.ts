/** Statements on spends that accounts must confirm: their limits, the spent amounts, and the factors for confirming. */
import { sql } from 'kysely';
import { usdCents, type UsdCents } from '@athos/domain/money';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';

/** The limit of an account as it is stored. `own` is absent if its owner chose none. */
export interface StoredLimit {
  readonly own: UsdCents | undefined;
  /** The limit that replaces it, and the time from which it holds. */
  readonly next: { readonly own: UsdCents | undefined; readonly from: Date } | undefined;
  /** The amount spent since the last confirmation. */
  readonly spent: UsdCents;
}

interface LimitRow {
  readonly usd_cents: bigint | null;
  readonly next_usd_cents: bigint | null;
  readonly next_from: Date | null;
  readonly spent_usd_cents: bigint;
}

const centsOf = (stored: bigint | null): UsdCents | undefined =>
  stored === null ? undefined : usdCents(stored);

const limitOfRow = (row: LimitRow): StoredLimit => ({
  own: centsOf(row.usd_cents),
  next:
    row.next_from === null ? undefined : { own: centsOf(row.next_usd_cents), from: row.next_from },
  spent: usdCents(row.spent_usd_cents),
});

const NO_LIMIT: StoredLimit = { own: undefined, next: undefined, spent: usdCents(0n) };

export async function selectLimit(db: Db, userId: bigint): Promise<StoredLimit> {
  const row = await db
    .selectFrom('confirmation_limits')
    .select(['usd_cents', 'next_usd_cents', 'next_from', 'spent_usd_cents'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row === undefined ? NO_LIMIT : limitOfRow(row);
}

/** Locks the limit, so that the spends of the account are judged one after the other. Creates the row if there is none. */
export async function lockLimit(tx: Tx, userId: bigint): Promise<StoredLimit> {
  const row = await tx
    .insertInto('confirmation_limits')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
    .returning(['usd_cents', 'next_usd_cents', 'next_from', 'spent_usd_cents'])
    .executeTakeFirstOrThrow();
  return limitOfRow(row);
}

export async function updateLimit(
  tx: Tx,
  userId: bigint,
  { own, next }: Pick<StoredLimit, 'own' | 'next'>,
): Promise<void> {
  await tx
    .updateTable('confirmation_limits')
    .set({
      usd_cents: own ?? null,
      next_usd_cents: next?.own ?? null,
      next_from: next?.from ?? null,
    })
    .where('user_id', '=', userId)
    .execute();
}

export async function updateSpent(tx: Tx, userId: bigint, spent: UsdCents): Promise<void> {
  await tx
    .updateTable('confirmation_limits')
    .set({ spent_usd_cents: spent })
    .where('user_id', '=', userId)
    .execute();
}

interface Counted {
  readonly key: string;
  readonly actHash: Buffer;
}

/** Whether this request was already counted or confirmed. */
export async function isCounted(
  tx: Tx,
  userId: bigint,
  { key, actHash }: Counted,
): Promise<boolean> {
  const row = await tx
    .selectFrom('counted_spends')
    .select('act_hash')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.act_hash.equals(actHash) === true;
}

/** If the key was used for another spend, which was not made, this one replaces it. */
export async function upsertCounted(
  tx: Tx,
  userId: bigint,
  { key, actHash, at }: Counted & { readonly at: Date },
): Promise<void> {
  await tx
    .insertInto('counted_spends')
    .values({ user_id: userId, key, act_hash: actHash, counted_at: at })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'key']).doUpdateSet({ act_hash: actHash, counted_at: at }),
    )
    .execute();
}

export async function deleteOldCounted(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'counted_spends', sql`counted_at <= ${before}`);
}

export interface Factors {
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
}

export async function selectFactors(db: Db | Tx, userId: bigint): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select exists (select from totp_secrets where user_id = ${userId} and confirmed_at is not null) as "hasTotp",
           exists (select from passkeys where user_id = ${userId}) as "hasPasskey"`.execute(db);
  return rows[0] ?? { hasTotp: false, hasPasskey: false };
}
