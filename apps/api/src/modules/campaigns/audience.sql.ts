import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';

/** The minimum of each tier in micro-units of ATH. */
export async function selectTierThresholds(
  tx: Tx,
  tierIds: readonly number[],
): Promise<ReadonlyMap<number, bigint>> {
  const rows = await tx
    .selectFrom('tiers')
    .select(['id', 'amount_micro_ath'])
    .where(sql<boolean>`id = any(${tierIds}::integer[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.amount_micro_ath]));
}

export async function selectSignUpTimes(
  tx: Tx,
  userIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Date>> {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'created_at'])
    .where(sql<boolean>`id = any(${userIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.created_at]));
}

export async function hasTier(tx: Tx, tierId: number): Promise<boolean> {
  const row = await tx.selectFrom('tiers').select('id').where('id', '=', tierId).executeTakeFirst();
  return row !== undefined;
}

/** Null for an audience that is not a tier. */
export async function selectTierTitle(
  db: Db | Tx,
  { audience_tier_id: tierId }: { readonly audience_tier_id: number | null },
): Promise<string | null> {
  if (tierId === null) return null;
  const tier = await db
    .selectFrom('tiers')
    .select('title')
    .where('id', '=', tierId)
    .executeTakeFirst();
  return tier?.title ?? null;
}
